"""Leases: one process at a time works on a run, and one that lost it writes nothing more."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta

import pytest

from ragproof.errors import StoreError
from ragproof.holders import Holder, this_process
from ragproof.ledger import Call
from ragproof.outputs import PipelineOutput
from ragproof.runs import RunRecord, RunStatus
from ragproof.scores import Score, Scored
from ragproof.store.database import Database
from ragproof.store.leases import LEASE_SECONDS, LeaseLost
from ragproof.store.locations import locate
from ragproof.store.store import Store
from tests.fakes.databases import KINDS, store_url

RUN = RunRecord(id="r1", project="p", pipeline="b", started_at=datetime(2026, 1, 1, tzinfo=UTC))
CALL = Call(run_id="r1", identity="c1", case_id="a")
OUTPUT = PipelineOutput(case_id="a", answer="x", latency_ms=1.0)
SCORE = Score(case_id="a", metric="m", result=Scored(value=1.0))


ONE = Holder(process=1, machine="host-a")
TWO = Holder(process=2, machine="host-b")


class Clock:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def pass_(self, seconds: float) -> None:
        """Let time pass."""
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock() -> Clock:
    """One clock for both processes."""
    return Clock()


@pytest.fixture(params=KINDS)
def pair(request: pytest.FixtureRequest, clock: Clock) -> Iterator[tuple[Store, Store]]:
    """Two processes' views of one store, with a run in it."""
    with ExitStack() as opened:
        url = opened.enter_context(store_url(request.param))
        stores = [opened.enter_context(Store(Database(locate(url)), "s", clock)) for _ in range(2)]
        stores[0].runs.start(RUN)
        yield stores[0], stores[1]


def test_a_second_process_is_told_who_works_on_the_run(pair: tuple[Store, Store]) -> None:
    """It neither waits nor steals."""
    first, second = pair
    first.leases.acquire("r1", ONE)
    with pytest.raises(StoreError, match="being worked on by process 1 on host-a"):
        second.leases.acquire("r1", TWO)


def test_a_released_run_can_be_taken_at_once_and_its_fence_grows(pair: tuple[Store, Store]) -> None:
    """The fence counts the hands it went through."""
    first, second = pair
    before = first.leases.acquire("r1", ONE)
    first.leases.release("r1")
    assert second.leases.acquire("r1", TWO) == before + 1


def test_a_renewed_lease_does_not_end(pair: tuple[Store, Store], clock: Clock) -> None:
    """The holder moves its end."""
    first, second = pair
    first.leases.acquire("r1", ONE)
    clock.pass_(LEASE_SECONDS - 1)
    first.leases.renew("r1")
    clock.pass_(LEASE_SECONDS - 1)
    with pytest.raises(StoreError, match="being worked on"):
        second.leases.acquire("r1", TWO)


def test_a_holder_that_slept_through_its_lease_writes_nothing_more(
    pair: tuple[Store, Store], clock: Clock
) -> None:
    """Calls, replies, scores, summaries, status and the lease itself: the database refuses each."""
    first, second = pair
    first.leases.acquire("r1", ONE)
    first.calls.reserve([CALL])
    clock.pass_(LEASE_SECONDS + 1)
    second.leases.acquire("r1", TWO)
    with pytest.raises(LeaseLost, match="taken over by another process"):
        asyncio.run(first.calls.sent(CALL))
    with pytest.raises(LeaseLost):
        asyncio.run(first.calls.settle(CALL, OUTPUT))
    with pytest.raises(LeaseLost):
        first.calls.reserve([CALL])
    with pytest.raises(LeaseLost):
        first.scores.put("r1", [SCORE])
    with pytest.raises(LeaseLost):
        first.runs.update("r1", status=RunStatus.COMPLETED)
    with pytest.raises(LeaseLost):
        first.leases.renew("r1")
    first.leases.release("r1")
    asyncio.run(second.calls.sent(CALL))
    second.scores.put("r1", [SCORE])
    assert second.runs.get("r1").status is RunStatus.RUNNING
    assert len(second.scores.get("r1")) == 1


def test_a_running_run_whose_holder_fell_silent_shows_as_interrupted(
    pair: tuple[Store, Store], clock: Clock
) -> None:
    """With the command that goes on with it; nobody had to write the status down."""
    first, second = pair
    first.leases.acquire("r1", ONE)
    assert second.runs.get("r1").status is RunStatus.RUNNING
    clock.pass_(LEASE_SECONDS + 1)
    found = second.runs.get("r1")
    assert found.status is RunStatus.INTERRUPTED
    assert "ragproof run --resume r1" in (found.status_reason or "")
    assert [run.status for run in second.runs.list()] == [RunStatus.INTERRUPTED]


def test_a_worker_of_the_same_run_writes_under_its_lease(pair: tuple[Store, Store], clock: Clock) -> None:
    """A distributed shard adopts the fence it was sent with, and loses it with the run."""
    first, worker = pair
    worker.leases.adopt("r1", first.leases.acquire("r1", ONE))
    worker.calls.reserve([CALL])
    asyncio.run(worker.calls.sent(CALL))
    first.leases.release("r1")
    first.leases.acquire("r1", ONE)
    with pytest.raises(LeaseLost):
        asyncio.run(worker.calls.settle(CALL, OUTPUT))


def test_a_lease_on_a_run_that_is_not_there_is_refused(pair: tuple[Store, Store]) -> None:
    """The database insists on the run."""
    with pytest.raises(StoreError):
        pair[0].leases.acquire("r9", ONE)


def test_a_run_whose_process_is_gone_can_be_taken_at_once(pair: tuple[Store, Store]) -> None:
    """On this machine a dead process is known to be dead; nobody has to wait for its lease to end."""
    first, second = pair
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    first.leases.acquire("r1", this_process().model_copy(update={"process": ended.pid}))
    assert second.runs.get("r1").status is RunStatus.INTERRUPTED
    assert second.leases.acquire("r1", this_process()) == 2


def test_a_living_process_keeps_its_run(pair: tuple[Store, Store]) -> None:
    """A number that is alive here, or that is of another machine, is believed."""
    first, second = pair
    first.leases.acquire("r1", this_process())
    with pytest.raises(StoreError, match="being worked on"):
        second.leases.acquire("r1", TWO)
