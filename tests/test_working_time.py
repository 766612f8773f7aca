"""A run's duration is the sum of its segments of work; the time between them is nobody's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ragproof import config as configuration
from ragproof.cases import Case
from ragproof.closing_runs import break_off, end_run
from ragproof.opening_runs import new_run
from ragproof.runs import RunRecord, RunStatus
from ragproof.store.database import Database
from ragproof.store.locations import locate
from ragproof.store.store import Store
from ragproof.working_time import put_down, taken_up
from tests.fakes.databases import KINDS, store_url
from tests.fakes.stores import call, do, failure, output

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
FRESH = RunRecord(id="r", project="p", pipeline="b", started_at=NOON)


def after(seconds: float) -> datetime:
    """A moment after noon."""
    return NOON + timedelta(seconds=seconds)


WORKED_10 = FRESH.model_copy(update={"worked_seconds": 10.0})
OPEN = WORKED_10.model_copy(update={"working_since": after(100)})


@pytest.mark.parametrize(
    ("why", "run", "last_call_at", "worked"),
    [
        ("the first segment begins at nothing", FRESH, None, 0.0),
        ("a segment that was ended is counted already", WORKED_10, after(500), 10.0),
        ("a killed one counts up to its last call", OPEN, after(107), 10.0 + 7),
        ("a killed one that made no call is left out", OPEN, None, 10.0),
        ("the last call was made in the segment before it", OPEN, after(90), 10.0),
    ],
)
def test_a_segment_is_taken_up(
    why: str, run: RunRecord, last_call_at: datetime | None, worked: float
) -> None:
    """A row a way in which the segment before it may have ended."""
    changes = taken_up(run, after(1_000), last_call_at)
    assert changes == {"worked_seconds": worked, "working_since": after(1_000)}, why


@pytest.mark.parametrize(
    ("why", "run", "at", "worked"),
    [
        ("it adds to those before it", OPEN, 105.5, 10.0 + 5.5),
        ("ended a second time, it counts once", WORKED_10, 105.5, 10.0),
        ("a clock that was put back takes nothing away", OPEN, 99.0, 10.0),
    ],
)
def test_a_segment_is_put_down(why: str, run: RunRecord, at: float, worked: float) -> None:
    """Nobody works on it any more."""
    changes = put_down(run, after(at))
    assert changes == {"worked_seconds": worked, "working_since": None, "finished_at": after(at)}, why


class Clock:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


CONFIG = """
project: capitals
dataset: cases.jsonl
pipeline: {name: toy, adapter: {type: http, url: "http://127.0.0.1:9/ask"}}
metrics: [echo.exact_match]
"""


@pytest.fixture
def clock() -> Clock:
    """The store's."""
    return Clock()


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest, clock: Clock, tmp_path: Path) -> Iterator[Store]:
    """A store with a new run 'r' of two cases in it."""
    (tmp_path / "evaluation.yaml").write_text(CONFIG)
    (tmp_path / "cases.jsonl").touch()
    config = configuration.load(tmp_path / "evaluation.yaml", environ={})
    run = new_run(config, config.chosen_metrics(), run_id="r", dataset_hash="d", cases=2)
    with store_url(request.param) as url, Store(Database(locate(url)), "s", clock) as store:
        store.datasets.put("d", "jsonl@1", "cases.jsonl", [Case(id=id_, question="?") for id_ in "ab"])
        store.runs.start(run)
        yield store


def take_up(store: Store) -> RunRecord:
    """Begin a segment, as the flow does."""
    return store.runs.update(
        "r", finished_at=None, **taken_up(store.runs.get("r"), store.clock(), store.runs.last_call_at("r"))
    )


Ending = Callable[[Store, RunRecord], RunRecord]


def finished(store: Store, run: RunRecord) -> RunRecord:
    """End a segment with the run."""
    return end_run(store, run, ())


def interrupted(store: Store, run: RunRecord) -> RunRecord:
    """End a segment by an exception or a signal."""
    return break_off(store, run, RunStatus.CANCELLED, "stopped")


@pytest.mark.parametrize("ending", [finished, interrupted])
def test_segments_add_up_whatever_ends_them(ending: Ending, store: Store, clock: Clock) -> None:
    """Half a minute, a night, and a quarter of a minute."""
    run = take_up(store)
    clock.now = after(30)
    interrupted(store, run)
    clock.now = after(30 + 8 * 3600)
    run = take_up(store)
    assert run.working_since == clock.now
    clock.now += timedelta(seconds=15)
    ended = ending(store, run)
    assert (ended.worked_seconds, ended.working_since) == (45.0, None)
    assert ended.finished_at == clock.now
    assert store.runs.get("r") == ended


def test_a_segment_whose_process_was_killed_counts_up_to_its_last_call(store: Store, clock: Clock) -> None:
    """Nobody was left to write its end down; the ledger knows when it was last alive."""
    assert store.runs.last_call_at("r") is None
    take_up(store)
    first, second = call("r", "a"), call("r", "b")
    store.calls.reserve([first, second])
    clock.now = after(2)
    do(store.calls.sent(first))
    clock.now = after(5)
    do(store.calls.settle(first, output("a")))
    assert store.runs.last_call_at("r") == after(5)
    clock.now = after(6)
    do(store.calls.sent(second))  # in flight when the process was killed
    assert store.runs.last_call_at("r") == after(6)
    clock.now = after(3_600)
    run = take_up(store)
    assert run.worked_seconds == 6.0
    store.calls.reserve([second])
    do(store.calls.sent(second), store.calls.fail(second, failure("b")))
    clock.now = after(3_601)
    assert end_run(store, run, ()).worked_seconds == 6.0 + 1
