"""Which labels serve a run: its own, and those that other runs' very same answers were given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from ragproof.cases import Case
from ragproof.catalogue import catalogue
from ragproof.comparing.stored_run import read_run
from ragproof.labels.corrections import corrections
from ragproof.labels.human_label import HumanLabel
from ragproof.labels.judged_text import judged_text
from ragproof.labels.serving import serving
from ragproof.ledger import Call
from ragproof.metric import Direction
from ragproof.outputs import Chunk
from ragproof.runs import RunRecord
from ragproof.scores import Score, Scored
from ragproof.store.opening import open_store
from ragproof.store.store import Store
from ragproof.summaries import Summary
from tests.fakes.labelled_runs import FAILED, GROUNDED, RELEVANT, cases, keep_judged, output
from tests.fakes.stores import do

OLD, NEW = "a" * 12, "b" * 12


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store."""
    with open_store(f"sqlite:///{tmp_path}/store.db") as store:
        yield store


def keep(store: Store, answers: Sequence[Any], run_id: str = NEW, **fields: Any) -> RunRecord:
    """Keep a run that scored 1 wherever it answered."""
    ones = [None if answer is FAILED else 1.0 for answer in answers]
    number = 0 if run_id == OLD else 1
    return keep_judged(
        store, answers, {GROUNDED: ones, RELEVANT: ones}, run_id=run_id, number=number, **fields
    )


def label(store: Store, case_id: str, value: float = 0.0, metric: str = RELEVANT, **fields: Any) -> None:
    """Label an answer of the old run."""
    whole: dict[str, Any] = {"run_id": OLD, "case_id": case_id, "metric": metric, "value": value}
    store.labels.put([HumanLabel(**{**whole, **fields})])


def served(store: Store, run: RunRecord, metric: str = RELEVANT) -> list[tuple[str, float, str | None]]:
    """Return the labels that serve a run: case, value, and the run it was given to."""
    found = serving(store, read_run(store, run, [GROUNDED, RELEVANT])).get(metric, ())
    return sorted((each.case_id, each.value, each.given_to) for each in found)


def test_a_label_serves_the_run_it_was_given_to(store: Store) -> None:
    """As its own."""
    run = keep(store, ["yes", "no"], OLD)
    label(store, "c0", 0.25)
    assert served(store, run) == [("c0", 0.25, None)]


def test_a_label_serves_another_run_that_gave_the_very_same_answer(store: Store) -> None:
    """And none whose answer is another by a letter."""
    keep(store, ["yes", "no", "maybe"], OLD)
    run = keep(store, ["yes", "no.", "maybe"])
    for case_id in ("c0", "c1", "c2"):
        label(store, case_id)
    assert served(store, run) == [("c0", 0.0, OLD), ("c2", 0.0, OLD)]


def test_the_same_id_with_another_question_is_another_case(store: Store) -> None:
    """A case is its content."""
    keep(store, ["yes", "yes"], OLD)
    label(store, "c0")
    label(store, "c1")
    asked = [Case(id="c0", question="another"), *cases(2)[1:]]
    assert served(store, keep(store, ["yes", "yes"], asked=asked)) == [("c1", 0.0, OLD)]


def test_a_metric_that_judges_by_the_context_wants_the_same_context(store: Store) -> None:
    """In its order; one that judges the answer alone does not ask for it."""
    contexts = (["a", "b"], ["b", "a"], ["a", "c"])
    keep(store, [output(f"c{at}", "yes", contexts[0]) for at in range(3)], OLD)
    run = keep(store, [output(f"c{at}", "yes", context) for at, context in enumerate(contexts)])
    for at in range(3):
        label(store, f"c{at}", metric=GROUNDED)
        label(store, f"c{at}", metric=RELEVANT)
    assert served(store, run, GROUNDED) == [("c0", 0.0, OLD)]
    assert served(store, run, RELEVANT) == [("c0", 0.0, OLD), ("c1", 0.0, OLD), ("c2", 0.0, OLD)]


@pytest.mark.parametrize(
    ("why", "changes"),
    [
        ("another project's labels are its own", {"project": "another"}),
        (
            "another version of the metric asks something else",
            {"comparability": {"metrics": {GROUNDED: 2, RELEVANT: 2}}},
        ),
    ],
)
def test_labels_do_not_go_where_they_mean_something_else(
    why: str, changes: dict[str, Any], store: Store
) -> None:
    """However alike the answers are."""
    keep(store, ["yes"], OLD, **changes)
    label(store, "c0")
    assert served(store, keep(store, ["yes"])) == [], why


def test_a_case_with_labels_of_its_own_is_lent_none(store: Store) -> None:
    """Its own people saw its own answer."""
    keep(store, ["yes", "yes"], OLD)
    run = keep(store, ["yes", "yes"])
    label(store, "c0", 0.0)
    label(store, "c1", 0.0)
    label(store, "c0", 1.0, run_id=NEW)
    assert served(store, run) == [("c0", 1.0, None), ("c1", 0.0, OLD)]


def test_of_several_runs_the_one_labelled_last_lends_its_labels(store: Store) -> None:
    """All its labellers', and nobody else's."""
    keep(store, ["yes", "yes"], OLD)
    keep_judged(store, ["yes", "yes"], {RELEVANT: [1.0, 1.0]}, run_id="c" * 12, number=2)
    run = keep(store, ["yes", "yes"])
    label(store, "c0", 1.0, run_id="c" * 12)
    label(store, "c1", 1.0, run_id="c" * 12)
    label(store, "c0", 0.0, labeller="a")
    label(store, "c0", 0.5, labeller="b")
    assert served(store, run) == [("c0", 0.0, OLD), ("c0", 0.5, OLD), ("c1", 1.0, "c" * 12)]


def random_cases(store: Store, run: RunRecord) -> set[str]:
    """Return the cases whose labels count as drawn at random."""
    found = serving(store, read_run(store, run, [GROUNDED, RELEVANT])).get(RELEVANT, ())
    return {each.case_id for each in found if each.at_random}


def test_labels_of_the_answers_that_did_not_change_are_no_random_draw(store: Store) -> None:
    """The whole draw is one: nothing of it changed, or what did is labelled as well."""
    keep(store, ["yes", "yes", "yes", "yes"], OLD)
    for case_id in ("c0", "c1"):
        label(store, case_id, at_random=True)
    same = keep(store, ["yes", "yes", "no", "no"])
    changed = keep(store, ["yes", "no", "no", "no"], "c" * 12)
    assert random_cases(store, same) == {"c0", "c1"}
    assert random_cases(store, changed) == set()
    label(store, "c1", 1.0, run_id="c" * 12)
    assert random_cases(store, changed) == set()
    label(store, "c1", 1.0, run_id="c" * 12, at_random=True)
    assert random_cases(store, changed) == {"c0", "c1"}


def test_a_case_that_the_other_run_has_no_number_for_is_not_missed(store: Store) -> None:
    """Nobody can label an answer that is not there."""
    keep(store, ["yes", "yes"], OLD)
    for case_id in ("c0", "c1"):
        label(store, case_id, at_random=True)
    assert random_cases(store, keep(store, ["yes", FAILED])) == {"c0"}


def test_a_draw_from_fewer_cases_is_no_draw_from_more(store: Store) -> None:
    """What the other run asked beside them had no chance to be drawn."""
    keep(store, ["yes"], OLD, asked=cases(1))
    label(store, "c0", at_random=True)
    assert random_cases(store, keep(store, ["yes"], asked=cases(1))) == {"c0"}
    assert random_cases(store, keep(store, ["yes", "yes"], "c" * 12)) == set()


def test_labels_follow_an_answer_into_the_trial_that_gave_it(store: Store) -> None:
    """Of a repeated case."""
    keep(store, ["yes"], OLD)
    label(store, "c0")
    run = keep(store, ["no"], config={"run": {"repeats": 2}})
    again = Call(run_id=NEW, identity="again", case_id="c0", trial=1)
    store.calls.reserve([again])
    do(store.calls.settle(again, output("c0", "yes")))
    store.scores.put(NEW, [Score(case_id="c0", metric=RELEVANT, trial=1, result=Scored(value=0.5))])
    (found,) = serving(store, read_run(store, run, [RELEVANT]))[RELEVANT]
    assert (found.case_id, found.trial, found.given_to) == ("c0", 1, OLD)


def test_corrections_of_a_run_in_a_store_say_whose_labels_they_rest_on(store: Store) -> None:
    """Both kinds beside each other, in reading order; a project without labels has none."""
    keep(store, ["yes"] * 4, OLD)
    run = keep(store, ["yes", "yes", "no", "no"])
    assert corrections(store, run) == ()
    for case_id in ("c0", "c1", "c2"):
        label(store, case_id)
    label(store, "c3", run_id=NEW)
    label(store, "c0", metric=GROUNDED)
    relevant, grounded = corrections(store, run)
    assert (relevant.metric, grounded.metric) == (RELEVANT, GROUNDED)
    assert (relevant.labelled, relevant.of_other_runs, relevant.lenders) == (3, 2, (OLD,))
    assert relevant.people is not None
    assert (relevant.raw, relevant.people.mean) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("why", "hash", "serves"), [("the same words", "h", True), ("other words", "i", False)]
)
def test_a_rubric_s_label_serves_where_its_words_are_the_same(
    why: str, hash: str, serves: bool, store: Store
) -> None:
    """Its author may have changed the question and left the version."""
    tone = "rubric:tone"

    def with_words(run: RunRecord, hash: str) -> RunRecord:
        judge = {"prompts": {tone: hash}, "rubrics": {tone: {"kind": 1.0, "rude": 0.0}}}
        store.scores.put(run.id, [Score(case_id="c0", metric=tone, result=Scored(value=1.0))])
        store.summaries.put(run.id, [Summary(metric=tone, direction=Direction.HIGHER, mean=1.0, scored=1)])
        return store.runs.update(run.id, comparability={"metrics": {tone: 1}, "judge": judge})

    with_words(keep(store, ["yes"], OLD), "h")
    run = with_words(keep(store, ["yes"]), hash)
    label(store, "c0", metric=tone)
    found = serving(store, read_run(store, run, [tone]))
    assert (tone in found) is serves, why


@pytest.mark.parametrize(
    ("why", "changes", "same"),
    [
        ("nothing else", {}, True),
        ("what it cost to answer", {"latency_ms": 9.0}, True),
        ("another citation", {"citations": ("b",)}, False),
        ("a chunk of another name", {"retrieved": (Chunk(id="z", text="a"), Chunk(id="b", text="b"))}, False),
        (
            "other text under the name",
            {"retrieved": (Chunk(id="a", text="c"), Chunk(id="b", text="b"))},
            False,
        ),
    ],
)
def test_a_metric_of_citations_or_an_unknown_one_wants_all_of_the_output(
    why: str, changes: dict[str, Any], same: bool
) -> None:
    """But for what no metric reads."""
    one = output("c0", "yes", ["a", "b"]).model_copy(update={"citations": ("a",)})
    for metric in (catalogue().find("generation.citation_support"), None):
        told = judged_text(metric, one) == judged_text(metric, one.model_copy(update=changes))
        assert told is same, why


def test_a_metric_that_judges_by_the_context_does_not_ask_for_citations() -> None:
    """Nor for what was retrieved and not read."""
    one = output("c0", "yes", ["a", "b"]).model_copy(update={"context": (Chunk(id="a", text="a"),)})
    other = one.model_copy(update={"citations": ("a",), "retrieved": ()})
    metric = catalogue().find(GROUNDED)
    assert judged_text(metric, one) == judged_text(metric, other)
    assert judged_text(metric, one) != judged_text(metric, one.model_copy(update={"context": None}))
