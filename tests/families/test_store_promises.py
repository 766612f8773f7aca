"""The promises that every part of the store which belongs to a run keeps."""

from __future__ import annotations

import asyncio
import multiprocessing
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from ragproof.errors import StoreError
from ragproof.ledger import Call
from ragproof.metric import Direction
from ragproof.outputs import PipelineOutput
from ragproof.runs import RunRecord
from ragproof.scores import Score, Scored, Skipped
from ragproof.store.opening import open_store
from ragproof.store.store import Store
from ragproof.summaries import Summary, Tag
from tests.fakes.databases import KINDS, store_url
from tests.fakes.stores import NOON


@dataclass(frozen=True)
class Part:
    """A table of a run's rows: how it is written and read, and what it then holds."""

    name: str
    write: Callable[[Store, str], None]
    read: Callable[[Store, str], object]
    written: object
    empty: object

    def __str__(self) -> str:
        return self.name


READABLE = 'nothing \0, \'); DROP TABLE run; -- {x} %s ␛"x"'
HOSTILE = f"half \ud800, {READABLE}"
OUTPUT = PipelineOutput(case_id=HOSTILE, answer=HOSTILE, notes=(HOSTILE,), latency_ms=0.1 + 0.2)
SCORES = (
    Score(case_id=HOSTILE, metric=HOSTILE, result=Scored(value=0.1 + 0.2), details={HOSTILE: [HOSTILE]}),
    Score(case_id=HOSTILE, metric=HOSTILE, trial=1, result=Skipped(reason=READABLE)),
)
SUMMARIES = (
    Summary(metric=HOSTILE, direction=Direction.NONE, mean=0.1 + 0.2, scored=1, reasons={HOSTILE: 2}),
    Summary(metric=HOSTILE, direction=Direction.NONE, tag=Tag(name=READABLE, value=HOSTILE), skipped=1),
)


def settle(store: Store, run_id: str) -> None:
    """Plan and settle the run's only call."""
    call = Call(run_id=run_id, identity="a" * 64, case_id=HOSTILE)
    if store.calls.reserve([call]):
        return
    asyncio.run(store.calls.settle(call, OUTPUT))


PARTS = (
    Part("calls", settle, lambda store, run: store.calls.outcomes(run), {HOSTILE: OUTPUT}, {}),
    Part(
        "scores",
        lambda store, run: store.scores.put(run, SCORES),
        lambda store, run: store.scores.get(run),
        SCORES,
        (),
    ),
    Part(
        "summaries",
        lambda store, run: store.summaries.put(run, SUMMARIES),
        lambda store, run: store.summaries.get(run),
        SUMMARIES,
        (),
    ),
)
EVERY_PART = pytest.mark.parametrize("part", PARTS, ids=str)


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    """Of a store with the runs `one` and `other`, on each kind of database."""
    with store_url(request.param) as url:
        with open_store(url) as store:
            for run_id in ("one", "other"):
                store.runs.start(RunRecord(id=run_id, project="p", pipeline="b", started_at=NOON))
        yield url


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """That store, open."""
    with open_store(url, create=False) as store:
        yield store


@EVERY_PART
def test_what_is_written_is_read_by_the_next_process(part: Part, url: str) -> None:
    """Whatever text is in it, and as it was."""
    with open_store(url) as store:
        part.write(store, "one")
    with open_store(url, create=False) as store:
        assert repr(part.read(store, "one")) == repr(part.written)


@EVERY_PART
def test_writing_twice_is_writing_once(part: Part, store: Store) -> None:
    """A shard that is retried leaves what it left before."""
    for _ in range(2):
        part.write(store, "one")
    assert part.read(store, "one") == part.written


@EVERY_PART
def test_a_run_has_its_own_rows(part: Part, store: Store) -> None:
    """Another run's are neither seen nor changed."""
    part.write(store, "one")
    assert part.read(store, "other") == part.empty
    part.write(store, "other")
    assert part.read(store, "one") == part.written


@EVERY_PART
def test_a_run_that_is_not_there_takes_no_rows(part: Part, store: Store) -> None:
    """It has none to read, and writing them is refused with the cure."""
    assert part.read(store, "nobody") == part.empty
    with pytest.raises(
        StoreError, match="the run or dataset it belongs to is not there; start the run first"
    ):
        part.write(store, "nobody")


@EVERY_PART
def test_a_deleted_run_leaves_nothing_behind(part: Part, store: Store) -> None:
    """Pruning a run prunes its rows, and no other's."""
    part.write(store, "one")
    part.write(store, "other")
    with store.database.write() as connection:
        connection.exec_driver_sql("DELETE FROM run WHERE id = 'one'")
    assert part.read(store, "one") == part.empty
    assert part.read(store, "other") == part.written


@EVERY_PART
def test_a_closed_store_neither_reads_nor_writes(part: Part, store: Store) -> None:
    """And says so."""
    store.close()
    for use in (part.read, part.write):
        with pytest.raises(StoreError, match="is closed; open it again"):
            use(store, "one")


@EVERY_PART
def test_threads_share_a_store(part: Part, store: Store) -> None:
    """All at once, on the same rows and on rows of their own."""
    faults: list[BaseException] = []

    def use(run_id: str) -> None:
        try:
            part.write(store, run_id)
            assert part.read(store, run_id) == part.written
        except BaseException as error:  # a thread's own exception would go unseen
            faults.append(error)

    threads = [threading.Thread(target=use, args=(run_id,)) for run_id in ("one", "other") * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
@EVERY_PART
def test_a_forked_child_and_its_parent_both_go_on(part: Part, store: Store) -> None:
    """The child takes neither the parent's connections nor its thread, and both see what the other wrote."""
    part.write(store, "one")
    child = multiprocessing.get_context("fork").Process(target=part.write, args=(store, "other"))
    child.start()
    child.join(60)
    assert child.exitcode == 0
    assert part.read(store, "other") == part.written
    part.write(store, "one")
    assert part.read(store, "one") == part.written
