"""Erasing a person's data: nothing of it is left to be found, and everything else is as it was."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from ragproof.errors import StoreError
from ragproof.holders import this_process
from ragproof.outputs import PipelineOutput
from ragproof.store.erasable import Counting, Wanted
from ragproof.store.erasing import ERASED, erase, plan
from ragproof.store.locations import file_of
from ragproof.store.opening import open_store
from ragproof.store.store import Store
from ragproof.store.tables import METADATA
from ragproof.summaries import Tag
from ragproof.summarising import NOT_REACHED
from tests.fakes.databases import KINDS, execute, store_url
from tests.fakes.erasable_runs import CASES, SECRET, keep_two_runs

TAG = Wanted(tag=Tag(name="customer", value=SECRET))
MINE = Wanted(case_id="mine")


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    """Of a store with two runs, on each kind of database."""
    with store_url(request.param) as url:
        with open_store(url) as store:
            keep_two_runs(store)
        yield url


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """That store, open."""
    with open_store(url) as store:
        yield store


def found_in(store: Store, text: str) -> list[str]:
    """Return where a text lies: in which tables, and in which files as bytes."""
    places = []
    with store.database.read() as connection:
        for table in METADATA.sorted_tables:
            rows = connection.execute(table.select()).all()
            places += [table.name] if any(text in repr(row) for row in rows) else []
    file = file_of(store.database.url)
    if file is not None:
        parts = file.parent.glob(f"{file.name}*")
        places += [part.name for part in sorted(parts) if text.encode() in part.read_bytes()]
    return places


def test_nothing_of_a_person_is_left_to_be_found(store: Store) -> None:
    """No row of any table holds it, and no byte of the file or its log."""
    assert {"call", "dataset_case", "summary", "run"} <= set(found_in(store, SECRET))
    erase(store, TAG)
    assert found_in(store, SECRET) == []


def test_what_is_erased_is_counted_and_told_before(store: Store) -> None:
    """Three cases of the dataset; of each run two pipeline calls and two scores; one judge's call."""
    planned = plan(store, TAG)
    assert (planned.cases, planned.dataset_rows, planned.calls) == (3, 3, 2 * 2 + 1)
    assert planned.scores == 2 * 2
    assert planned.tag_summaries == 2
    assert planned.still_counting == (
        Counting(run_id="first", cases=3, summaries=2),
        Counting(run_id="second", cases=3, summaries=2),
    )
    assert erase(store, TAG) == planned


def test_everybody_else_stays_as_they_were(store: Store) -> None:
    """Their cases, answers, failures and scores, and the numbers over all."""
    before = [summary for summary in store.summaries.get("first") if summary.tag is None]
    erase(store, TAG)
    dataset = store.runs.get("first").dataset_hash or ""
    assert store.datasets.cases(dataset) == (CASES[2], CASES[3])
    assert list(store.calls.outcomes("first")) == ["other", "other-failed"]
    assert {score.case_id for score in store.scores.get("first")} == {"other", "other-failed"}
    after = [summary for summary in store.summaries.get("first") if summary.tag is None]
    assert [summary.mean for summary in after] == [summary.mean for summary in before]


def test_a_reason_that_only_erased_cases_gave_goes_and_a_shared_one_stays(store: Store) -> None:
    """Failures quote questions; their number stays."""
    erase(store, TAG)
    (summary,) = (each for each in store.summaries.get("first") if each.tag is None)
    assert summary.reasons == {ERASED: 1, "timeout: after 60 s": 1, NOT_REACHED.reason: 1}
    assert store.runs.get("first").status_reason == f"2 of 4 calls failed: {ERASED}"


def test_one_case_is_erased_by_its_id_in_every_run(store: Store) -> None:
    """And the cases beside it, of the same person, stay."""
    erased = erase(store, MINE)
    assert (erased.cases, erased.dataset_rows, erased.calls, erased.tag_summaries) == (1, 1, 3, 0)
    for run in ("first", "second"):
        assert list(store.calls.outcomes(run)) == ["mine-failed", "other", "other-failed"]
    assert [counting.summaries for counting in erased.still_counting] == [3, 3]


def test_a_case_whose_dataset_was_pruned_is_found_in_the_runs(store: Store, url: str) -> None:
    """Its calls and scores are there all the same."""
    execute(url, "DELETE FROM dataset_case", "DELETE FROM dataset")
    erased = erase(store, MINE)
    assert (erased.cases, erased.dataset_rows, erased.calls) == (1, 0, 3)
    assert "mine" not in store.calls.outcomes("first")


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        (Wanted(case_id="mien"), "no case has the id 'mien'; did you mean 'mine'?"),
        (
            Wanted(tag=Tag(name="language", value="dee")),
            "no case has the tag 'language=dee'; did you mean 'language=de'?",
        ),
    ],
)
def test_what_is_not_there_is_refused_with_the_nearest(wanted: Wanted, told: str, store: Store) -> None:
    """A slip must not look like an erasure."""
    for use in (plan, erase):
        with pytest.raises(StoreError) as refused:
            use(store, wanted)
        assert str(refused.value) == told


def test_nothing_is_erased_while_a_run_would_write_it_again(store: Store) -> None:
    """The process that works on the run is named; afterwards it goes."""
    store.leases.acquire("second", this_process())
    with pytest.raises(StoreError, match=r"run 'second' is being worked on by process .* delete then"):
        erase(store, MINE)
    assert "mine" in store.calls.outcomes("first")
    store.leases.release("second")
    erase(store, MINE)
    assert "mine" not in store.calls.outcomes("first")


def test_the_room_is_given_back_later_while_another_run_is_worked_on(store: Store) -> None:
    """Making the file anew would hold it up; what was erased is overwritten all the same."""
    store.runs.start(
        store.runs.get("first").model_copy(update={"id": "busy", "dataset_hash": None, "status_reason": None})
    )
    store.leases.acquire("busy", this_process())
    told = erase(store, TAG).not_reclaimed
    assert told is not None
    assert "not given back while run 'busy' is being worked on" in told
    assert set(found_in(store, SECRET)) <= {"store.db-wal"}


def test_a_file_shrinks_by_what_was_erased(tmp_path: Path) -> None:
    """SQLite alone would keep the room of deleted rows in the file."""
    url = f"sqlite:///{tmp_path}/a.db"
    with open_store(url) as store:
        keep_two_runs(store)
        big = json.dumps(PipelineOutput(case_id="mine", answer="x" * 1_000_000, latency_ms=1).model_dump())
        execute(url, f"UPDATE call SET output = '{big}' WHERE case_id = 'mine'")
        assert (tmp_path / "a.db").stat().st_size + (tmp_path / "a.db-wal").stat().st_size > 3_000_000
        assert erase(store, MINE).not_reclaimed is None
        assert (tmp_path / "a.db").stat().st_size + (tmp_path / "a.db-wal").stat().st_size < 1_000_000
