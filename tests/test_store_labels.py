"""Human labels in the store: kept once, and gone with what they are about."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from ragproof.errors import StoreError
from ragproof.holders import this_process
from ragproof.labels.human_label import HumanLabel
from ragproof.store.archiving import lines
from ragproof.store.erasable import Wanted
from ragproof.store.erasing import erase, plan
from ragproof.store.labels import Kept
from ragproof.store.locations import file_of
from ragproof.store.opening import open_store
from ragproof.store.pruning import plan as plan_pruning
from ragproof.store.pruning import prune
from ragproof.store.removing_labels import Unwanted, remove
from ragproof.store.store import Store
from ragproof.store.tables import METADATA
from ragproof.summaries import Tag
from tests.fakes.databases import KINDS, store_url
from tests.fakes.erasable_runs import SECRET, keep_two_runs
from tests.fakes.kept_runs import STARTED

GROUNDED = "generation.groundedness"
LABELLER = "Ann-of-Oak-Lane"


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    """A store with two runs of four asked cases, on each kind of database."""
    with store_url(request.param) as url, open_store(url) as store:
        keep_two_runs(store)
        yield store


def label(case_id: str = "other", value: float = 1.0, **fields: Any) -> HumanLabel:
    """A label of the first run."""
    whole: dict[str, Any] = {"run_id": "first", "metric": GROUNDED, "case_id": case_id, "value": value}
    return HumanLabel(**{**whole, **fields})


def test_labels_come_back_as_they_were_kept(store: Store) -> None:
    """By metric, case, trial and labeller; and of a run without any there are none."""
    kept = [
        label("other", 0.5, labeller="b", at_random=True),
        label("mine", 0.25),
        label("other", 0.1 + 0.2, labeller="a", trial=1),
        label("other", 1.0, metric="generation.completeness"),
    ]
    assert store.labels.put(kept) == Kept(new=4, same=0, claimed=0)
    assert store.labels.get("first") == (kept[3], kept[1], kept[0], kept[2])
    assert store.labels.get("second") == ()


def test_keeping_a_label_twice_is_keeping_it_once(store: Store) -> None:
    """And the claim about its drawing is the one that was made last."""
    store.labels.put([label(), label("mine")])
    assert store.labels.put([label(), label("mine")]) == Kept(new=0, same=2, claimed=0)
    assert store.labels.put([label(at_random=True)]) == Kept(new=0, same=1, claimed=1)
    assert store.labels.get("first") == (label("mine"), label(at_random=True))


def test_another_value_is_refused_and_nothing_is_kept(store: Store) -> None:
    """A verdict that is there is no slip to be overwritten."""
    store.labels.put([label()])
    with pytest.raises(StoreError, match="case 'other' of run 'first' was given another label"):
        store.labels.put([label("mine"), label(value=0.0)])
    assert store.labels.get("first") == (label(),)


def test_several_people_may_label_one_answer(store: Store) -> None:
    """They differ in name alone."""
    store.labels.put([label(labeller="a"), label(value=0.0, labeller="b")])
    assert [each.value for each in store.labels.get("first")] == [1.0, 0.0]


@pytest.mark.parametrize(
    ("why", "fields", "told"),
    [
        ("the run was pruned", {"run_id": "gone"}, "run 'gone' was removed meanwhile"),
        ("the case was erased", {"case_id": "gone"}, "case 'gone' of run 'first' was erased meanwhile"),
    ],
)
def test_a_label_of_what_is_gone_does_not_come_back(
    why: str, fields: dict[str, Any], told: str, store: Store
) -> None:
    """Whoever read the file may have been overtaken."""
    with pytest.raises(StoreError, match=told):
        store.labels.put([label(), label(**fields)])
    assert store.labels.get("first") == (), why


@pytest.mark.parametrize("name", ["\0", "\ud800", "␛", "O'Brien; DROP TABLE label", ""])
def test_any_name_is_kept(name: str, store: Store) -> None:
    """As it was written."""
    store.labels.put([label(labeller=name)])
    assert store.labels.get("first")[0].labeller == name


def test_labels_of_other_runs_are_found_by_the_content_of_the_case(store: Store) -> None:
    """Those of the same project, with the case's content; a run's own are not among them."""
    store.labels.put([label(), label(run_id="second", case_id="mine")])
    (found,) = store.labels.elsewhere(store.runs.get("second"))
    case = next(
        hash
        for case, hash in store.datasets.hashed(store.runs.get("first").dataset_hash or "")
        if case.id == "other"
    )
    assert (found.label, found.content_hash) == (label(), case)
    store.runs.update("first", project="another")
    assert store.labels.elsewhere(store.runs.get("second")) == ()
    assert store.labels.any_in("another")
    assert store.labels.any_in("handbook")
    assert not store.labels.any_in("a third")


def test_labels_are_counted_by_who_gave_them(store: Store) -> None:
    """The latest run first."""
    store.labels.put(
        [
            label(labeller="a", at_random=True),
            label("mine", labeller="a"),
            label(labeller="b"),
            label(run_id="second"),
        ]
    )
    counted = [
        (group.run_id, group.labeller, group.labels, group.at_random) for group in store.labels.groups()
    ]
    assert counted == [("second", "", 1, 0), ("first", "a", 2, 1), ("first", "b", 1, 0)]
    assert [group.run_id for group in store.labels.groups("second")] == ["second"]
    assert store.labels.groups(project="another") == ()


def found_in(store: Store, text: str) -> list[str]:
    """Return where a text lies: in which tables, and in which files as bytes."""
    places = []
    with store.database.read() as connection:
        for table in METADATA.sorted_tables:
            rows = connection.execute(table.select()).all()
            places += [table.name] if any(text in repr(row) for row in rows) else []
    file = file_of(store.database.url)
    parts = sorted(file.parent.glob(f"{file.name}*")) if file is not None else list[Path]()
    return [*places, *(part.name for part in parts if text.encode() in part.read_bytes())]


def test_erasing_a_case_erases_its_labels(store: Store) -> None:
    """Told before, with who gave them; those of other cases stay."""
    store.labels.put(
        [label("mine", labeller=LABELLER), label("mine", run_id="second", labeller=LABELLER), label()]
    )
    assert "label" in found_in(store, LABELLER)
    assert plan(store, Wanted(case_id="mine")).labels == 2
    assert erase(store, Wanted(case_id="mine")).labels == 2
    assert store.labels.get("first") == (label(),)
    assert found_in(store, LABELLER) == []
    assert erase(store, Wanted(tag=Tag(name="customer", value=SECRET))).labels == 0


def test_pruning_a_run_removes_its_labels(store: Store) -> None:
    """Nothing is left that belongs to no run."""
    store.labels.put([label(labeller=LABELLER), label(run_id="second")])
    before = STARTED + timedelta(hours=1)
    assert prune(store, plan_pruning(store, before)).runs == ("first",)
    assert store.labels.get("second") == (label(run_id="second"),)
    assert found_in(store, LABELLER) == []


def test_an_archive_carries_the_labels_of_its_run(store: Store) -> None:
    """All of them, and of no other run."""
    store.labels.put([label(labeller="a", value=0.5, at_random=True), label(run_id="second")])
    found = [line for line in lines(store, store.runs.get("first")) if '"type":"label"' in line]
    assert len(found) == 1
    assert '"case_id":"other"' in found[0]
    assert '"labeller":"a","value":0.5,"at_random":true' in found[0]
    *_, end = lines(store, store.runs.get("first"))
    assert '"label":1' in end


@pytest.mark.parametrize(
    ("why", "unwanted", "left"),
    [
        ("of a run", Unwanted(run_id="first"), {("second", "a"), ("second", "b")}),
        ("of a person, in every run", Unwanted(labeller="a"), {("first", "b"), ("second", "b")}),
        (
            "of both at once",
            Unwanted(run_id="first", labeller="a"),
            {("first", "b"), ("second", "a"), ("second", "b")},
        ),
        (
            "of another metric",
            Unwanted(run_id="first", metric="generation.completeness"),
            {("first", "a"), ("first", "b"), ("second", "a"), ("second", "b")},
        ),
    ],
)
def test_labels_are_removed_by_run_metric_and_person(
    why: str, unwanted: Unwanted, left: set[tuple[str, str]], store: Store
) -> None:
    """All that is named has to hold."""
    runs, people = ("first", "second"), ("a", "b")
    store.labels.put([label(run_id=run, labeller=who) for run in runs for who in people])
    removed = remove(store, unwanted)
    kept = {(each.run_id, each.labeller) for run in runs for each in store.labels.get(run)}
    assert kept == left, why
    assert removed.labels == 4 - len(left)
    assert removed.not_reclaimed is None


def test_a_person_who_is_removed_is_nowhere_to_be_found(store: Store) -> None:
    """In no row, and in no byte of the file or its log."""
    store.labels.put([label(labeller=LABELLER)])
    remove(store, Unwanted(labeller=LABELLER))
    assert found_in(store, LABELLER) == []


def test_removing_nothing_in_particular_is_a_mistake_of_ours(store: Store) -> None:
    """It would remove everything."""
    with pytest.raises(ValueError, match="expected a run, a metric or a labeller"):
        remove(store, Unwanted())


def test_a_person_is_removed_though_another_run_is_worked_on(store: Store) -> None:
    """The room is given back later; what was removed is overwritten all the same."""
    store.labels.put([label(labeller=LABELLER)])
    store.leases.acquire("second", this_process())
    told = remove(store, Unwanted(labeller=LABELLER)).not_reclaimed
    assert told is not None
    assert "not given back while run 'second' is being worked on" in told
    assert set(found_in(store, LABELLER)) <= {"store.db-wal"}
    store.leases.release("second")
