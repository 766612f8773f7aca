"""The ledger when things go wrong: a killed process, a locked file, a full disk."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from ragproof.errors import StoreError
from ragproof.ledger import Call, CallState
from ragproof.outputs import PipelineOutput
from ragproof.store.database import Database
from ragproof.store.locations import locate
from ragproof.store.opening import open_store
from ragproof.store.store import Store
from tests.fakes.stores import call, do, output, started


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the store lies."""
    return tmp_path / "a.db"


DIES_IN_FLIGHT = """
import asyncio, sys, time
from datetime import UTC, datetime
from ragproof.ledger import Call
from ragproof.outputs import PipelineOutput
from ragproof.runs import RunRecord
from ragproof.store.opening import open_store

async def main(store):
    store.runs.start(RunRecord(id="run-1", project="p", pipeline="b", started_at=datetime.now(UTC)))
    calls = [Call(run_id="run-1", identity=name * 64, case_id=name) for name in "abc"]
    store.calls.reserve(calls)
    await store.calls.sent(calls[0])
    await store.calls.settle(calls[0], PipelineOutput(case_id="a", answer="kept", latency_ms=1.0))
    await store.calls.sent(calls[1])
    print("in flight", flush=True)
    time.sleep(600)

asyncio.run(main(open_store(sys.argv[1])))
"""


def test_a_call_in_flight_when_its_process_is_killed_is_uncertain(path: Path) -> None:
    """kill -9 after `sent`: what was settled is kept, what was in flight is named, the rest is as planned."""
    url = f"sqlite:///{path}"
    with subprocess.Popen(
        [sys.executable, "-c", DIES_IN_FLIGHT, url], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "in flight\n"
        os.kill(process.pid, signal.SIGKILL)
    calls = [Call(run_id="run-1", identity=name * 64, case_id=name) for name in "abc"]
    with open_store(url, create=False) as store:
        assert store.calls.progress("run-1") == {
            CallState.SETTLED: 1,
            CallState.SENT: 1,
            CallState.RESERVED: 1,
        }
        kept = store.calls.reserve(calls)
        assert kept == {"a" * 64: PipelineOutput(case_id="a", answer="kept", latency_ms=1.0)}
        assert store.calls.uncertain("run-1") == (calls[1],)
        do(store.calls.sent(calls[1]), store.calls.settle(calls[1], output("b")))
        assert store.calls.uncertain("run-1") == (calls[1],)
        assert store.calls.progress("run-1") == {CallState.SETTLED: 2, CallState.RESERVED: 1}


def test_a_locked_store_tells_every_waiter_and_the_next_batch_is_tried_afresh(path: Path) -> None:
    """A StoreError with its cure for each; nothing of the batch is written; nobody waits for ever."""
    open_store(f"sqlite:///{path}").close()
    with Store(Database(locate(f"sqlite:///{path}"), lock_timeout_ms=10), "test") as store:
        run = started(store)
        calls = [call(run, f"case-{index}") for index in range(8)]
        store.calls.reserve(calls)

        async def send_all() -> list[object]:
            return list(
                await asyncio.gather(*(store.calls.sent(one) for one in calls), return_exceptions=True)
            )

        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            refused = asyncio.run(send_all())
        assert len({id(error) for error in refused}) == len(calls)
        for error in refused:
            assert isinstance(error, StoreError)
            assert "is locked by another process; wait for it to finish, or stop it" in str(error)
        assert store.calls.progress(run) == {CallState.RESERVED: 8}
        assert asyncio.run(send_all()) == [None] * 8


def test_a_full_disk_is_told_with_its_cure(path: Path) -> None:
    """And when there is room again, the same store goes on."""
    with open_store(f"sqlite:///{path}") as store:
        run = started(store)
        one, other = call(run, "case-1"), call(run, "case-2")
        store.calls.reserve([one, other])
        do(store.calls.settle(one, output()))
        pages = _limit_pages(store, 1)  # the least there can be is what there is
        with pytest.raises(StoreError, match="has no room to grow; free disk space and resume the run"):
            do(store.calls.settle(other, output("case-2", "a long answer " * 10_000)))
        assert store.calls.outcomes(run) == {"case-1": output()}
        _limit_pages(store, pages + 1000)
        do(store.calls.settle(other, output("case-2")))
        assert list(store.calls.outcomes(run)) == ["case-1", "case-2"]


def _limit_pages(store: Store, pages: int) -> int:
    """Let the file grow no further than this; the limit is of the one connection that is open."""
    with store.database.read() as connection:
        return int(connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}").scalar_one())
