"""Runs are found by what people type, and updates keep what others have written."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from pydantic import ValidationError

from ragproof.errors import StoreError
from ragproof.runs import CaseCounts, RunRecord, RunStatus, Spend
from ragproof.store.opening import open_store
from ragproof.store.store import Store
from tests.fakes.databases import KINDS, store_url

NOON = datetime(2024, 2, 29, 12, 0, 0, 123456, tzinfo=UTC)

FULL = RunRecord(
    id="0123456789ab",
    project="handbook",
    pipeline="reranked",
    label="after the \ud800 fix",
    status=RunStatus.ABORTED_BUDGET,
    status_reason="budget exhausted",
    config={"z": [1, 2.5, None, {"é": "日本"}], "a": {"nested": True}},
    git_revision="abc123",
    pipeline_version="1.2",
    corpus_version="2024-02",
    dataset="data/cases.jsonl",
    dataset_hash="f" * 64,
    comparability={"k": 5, "threshold": 0.1 + 0.2},
    comparability_key="e" * 64,
    cases=CaseCounts(total=10, ok=7, failed=2),
    spend=Spend(
        eval_cost_usd=0.1 + 0.2, eval_llm_calls=3, eval_input_tokens=5_000_000_000, eval_output_tokens=4
    ),
    started_at=NOON,
    finished_at=NOON.astimezone(timezone(timedelta(hours=-5))) + timedelta(minutes=1),
    worked_seconds=0.1 + 0.2,
    working_since=NOON + timedelta(microseconds=1),
    flow_run_id="2c5f8a3e-0000-4000-8000-000000000000",
)


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    """An empty store."""
    with store_url(request.param) as url, open_store(url) as store:
        yield store


def record(id: str, minutes: int = 0, **fields: Any) -> RunRecord:
    """A run that started some minutes after noon."""
    started = NOON + timedelta(minutes=minutes)
    return RunRecord(**{"id": id, "project": "handbook", "pipeline": "b", "started_at": started, **fields})


@pytest.mark.parametrize("run", [FULL, record("abc")], ids=["every field", "only what is required"])
def test_a_run_comes_back_as_it_was(run: RunRecord, store: Store) -> None:
    """Field by field, floats to the last bit."""
    store.runs.start(run)
    assert store.runs.get(run.id) == run
    assert repr(store.runs.get(run.id).comparability) == repr(run.comparability)


def test_a_run_starts_once(store: Store) -> None:
    """Starting it again would forget how it went."""
    store.runs.start(FULL)
    with pytest.raises(StoreError, match="there is a run '0123456789ab' already"):
        store.runs.start(record(FULL.id))
    assert store.runs.get(FULL.id) == FULL


@pytest.mark.parametrize(
    ("why", "reference", "project", "expected"),
    [
        ("a full id", "aaaa11", None, "aaaa11"),
        ("the beginning of one id", "aab", None, "aabb33"),
        ("a full id that others begin with", "aaaa", None, "aaaa"),
        ("the latest of all", "latest", None, "bbbb44"),
        ("the latest of a project", "latest", "handbook", "aabb33"),
        ("two of the same moment: always the same one", "latest", "twins", "twin-2"),
    ],
)
def test_a_run_is_found_by_what_people_type(
    why: str, reference: str, project: str | None, expected: str, store: Store
) -> None:
    """A full id, the beginning of exactly one, or `latest`."""
    for run in (
        record("aaaa11", 1),
        record("aaaa22", 2),
        record("aaaa", 0),
        record("aabb33", 3),
        record("bbbb44", 4, project="other"),
        record("twin-1", 0, project="twins"),
        record("twin-2", 0, project="twins"),
    ):
        store.runs.start(run)
    assert store.runs.get(reference, project).id == expected, why


LISTS = "'ragproof runs' lists them"


@pytest.mark.parametrize(
    ("why", "reference", "project", "message"),
    [
        (
            "several begin so",
            "abc",
            None,
            "more than one run begins with 'abc': 'abcd22', 'abcd11'; give more",
        ),
        ("a slip", "xyzd33", None, f"no run is called 'xyzd33'; {LISTS}; did you mean 'xyz d33'?"),
        ("nothing like it", "0000", None, f"no run is called '0000'; {LISTS}"),
        ("nothing at all", "", None, f"no run is called ''; {LISTS}"),
        ("a pattern is text", "a%", None, f"no run is called 'a%'; {LISTS}"),
        ("a pattern is text", "abcd_1", None, f"no run is called 'abcd_1'; {LISTS}; did you mean 'abcd11'?"),
        ("half a character", "\udcff", None, f"no run is called '\udcff'; {LISTS}"),
        (
            "a project's slip",
            "latest",
            "handbok",
            "project 'handbok' has no runs; 'ragproof runs' lists those there are; did you mean 'handbook'?",
        ),
    ],
)
def test_a_run_that_is_not_meant_clearly_is_refused_with_candidates(
    why: str, reference: str, project: str | None, message: str, store: Store
) -> None:
    """Never a guess."""
    for index, id in enumerate(("abcd11", "abcd22", "xyz d33")):
        store.runs.start(record(id, index))
    with pytest.raises(StoreError) as refused:
        store.runs.get(reference, project)
    assert str(refused.value).startswith(message), why
    assert message.endswith("more") or str(refused.value) == message, why


def test_many_candidates_are_not_all_listed(store: Store) -> None:
    """The latest few, and that there are more."""
    for index in range(7):
        store.runs.start(record(f"abc{index}", index))
    with pytest.raises(
        StoreError, match="'abc6', 'abc5', 'abc4', 'abc3', 'abc2' and more; give more of the id"
    ):
        store.runs.get("abc")


def test_the_case_of_letters_is_no_matter_of_the_database(store: Store) -> None:
    """`A` does not mean `a` on one database and not on the other."""
    store.runs.start(record("abcd11"))
    with pytest.raises(StoreError, match="no run is called 'ABC'"):
        store.runs.get("ABC")


def test_ids_are_ordered_by_code_point(store: Store) -> None:
    """On every database alike."""
    for id in ("a", "B", "é", "z", "日", "_"):
        store.runs.start(record(id))
    assert [run.id for run in store.runs.list()] == ["日", "é", "z", "a", "_", "B"]


def test_the_very_same_run_starts_once(store: Store) -> None:
    """Whoever could not hear whether it was kept may say it again."""
    store.runs.start(FULL)
    store.runs.start(FULL)
    assert store.runs.list() == (FULL,)


def test_an_empty_store_says_how_to_get_a_run(store: Store) -> None:
    """The first thing a new user types may be `show`."""
    with pytest.raises(StoreError, match="the store has no runs yet; 'ragproof run CONFIG' makes one"):
        store.runs.get("latest")


def test_an_update_changes_what_it_names_and_returns_the_run(store: Store) -> None:
    """And nothing else."""
    store.runs.start(FULL)
    after = store.runs.update(
        FULL.id, status=RunStatus.COMPLETED, status_reason=None, cases=CaseCounts(total=10, ok=10)
    )
    assert after == FULL.model_copy(
        update={"status": RunStatus.COMPLETED, "status_reason": None, "cases": CaseCounts(total=10, ok=10)}
    )
    assert store.runs.get(FULL.id) == after


def test_an_update_of_nothing_changes_nothing(store: Store) -> None:
    """And is no error."""
    store.runs.start(FULL)
    assert store.runs.update(FULL.id) == FULL


@pytest.mark.parametrize(
    "changes", [{"statsu": "completed"}, {"status": "done"}, {"started_at": datetime(2024, 1, 1)}]
)
def test_an_update_that_makes_no_run_is_refused(changes: dict[str, Any], store: Store) -> None:
    """A misspelt field, an unknown status, a moment without a time zone; the row stays as it was."""
    store.runs.start(FULL)
    with pytest.raises(ValidationError):
        store.runs.update(FULL.id, **changes)
    assert store.runs.get(FULL.id) == FULL


def test_an_update_of_an_unknown_run_is_refused(store: Store) -> None:
    """By its full id only: a prefix is for people."""
    store.runs.start(FULL)
    with pytest.raises(StoreError, match="no run is called '01234567'; 'ragproof runs' lists them"):
        store.runs.update("01234567", status=RunStatus.CANCELLED)


def test_a_run_is_found_by_its_flow_run(store: Store) -> None:
    """A retried flow run goes on with its run; one that made none has none."""
    store.runs.start(record("first", 0, flow_run_id="flow-1"))
    store.runs.start(record("second", 1, flow_run_id="flow-2"))
    found = store.runs.by_flow_run("flow-1")
    assert found is not None
    assert found.id == "first"
    assert store.runs.by_flow_run("flow-3") is None


def test_runs_are_listed_latest_first(store: Store) -> None:
    """Whatever the order and the time zone in which they were written."""
    store.runs.start(record("middle", 1))
    store.runs.start(record("first", 0))
    late = (NOON + timedelta(minutes=2)).astimezone(timezone(timedelta(hours=-11)))
    store.runs.start(record("last", started_at=late, project="other"))
    assert [run.id for run in store.runs.list()] == ["last", "middle", "first"]
    assert [run.id for run in store.runs.list(limit=1)] == ["last"]
    assert [run.id for run in store.runs.list("handbook", limit=None)] == ["middle", "first"]
    assert store.runs.list("nobody's") == ()
