"""A database that goes away in the middle: waited for, never written by half, and never for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

import pytest

from ragproof.cases import Case
from ragproof.errors import StoreError
from ragproof.holders import this_process
from ragproof.ledger import Call, CallState
from ragproof.metric import Direction
from ragproof.runs import RunRecord, RunStatus
from ragproof.scores import Score, Scored
from ragproof.store.database import Database
from ragproof.store.locations import locate
from ragproof.store.opening import open_store
from ragproof.store.store import Store
from ragproof.store.tables import CALL, LEASE
from ragproof.summaries import Summary, Tag
from tests.fakes import postgres
from tests.fakes.database_proxy import Proxy
from tests.fakes.databases import store_url
from tests.fakes.stores import NOON, call, do, failure, output

RUN = RunRecord(id="one", project="p", pipeline="b", started_at=NOON, dataset_hash="d" * 64)
CALLS = tuple(call("one", name) for name in "abc")
SCORES = tuple(Score(case_id=name, metric="m", result=Scored(value=0.5)) for name in "abc")


def summaries(mean: float) -> tuple[Summary, ...]:
    """Return twenty summaries that tell one story."""
    tags = (None, *(Tag(name="n", value=str(number)) for number in range(19)))
    return tuple(
        Summary(metric="m", direction=Direction.HIGHER, tag=tag, mean=mean, scored=1) for tag in tags
    )


@pytest.fixture
def proxy() -> Iterator[Proxy]:
    """A proxy before a store with a run, three planned calls and summaries in it."""
    with store_url("postgresql") as url:
        with open_store(url) as store:
            store.runs.start(RUN)
            store.calls.reserve(CALLS)
            store.summaries.put("one", summaries(0.25))
        with Proxy(locate(url)) as proxy:
            yield proxy


def opened(proxy: Proxy, patience_seconds: float = 60.0) -> Store:
    """Open the store behind the proxy, and reach it once."""
    store = Store(Database(proxy.url(), patience_seconds=patience_seconds), "test", clock=lambda: NOON)
    store.runs.list()
    return store


def test_a_break_at_any_moment_leaves_all_summaries_or_those_before(proxy: Proxy) -> None:
    """Cut after the first message, the second, and so on until there is none to cut; without a second try."""
    ways = set()
    for messages in range(100):
        with opened(proxy, patience_seconds=0) as store:
            store.summaries.put("one", summaries(0.25))
            proxy.cut_after(messages)
            with suppress(StoreError):
                store.summaries.put("one", summaries(0.75))
            whole = proxy.messages < messages
            proxy.cut_after(10_000)
        with opened(proxy) as store:
            read = sorted(store.summaries.get("one"), key=str)
        assert read in (sorted(summaries(0.25), key=str), sorted(summaries(0.75), key=str))
        ways.add(read[0].mean)
        if whole:
            break
    assert ways == {0.25, 0.75}


def test_a_break_at_any_moment_is_outlasted(proxy: Proxy) -> None:
    """The same with patience: whatever was cut is there, once, and nobody was told of it."""
    for messages in range(100):
        with opened(proxy) as store:
            store.summaries.put("one", summaries(0.25))
            proxy.cut_after(messages)
            store.summaries.put("one", summaries(0.75))
            whole = proxy.messages < messages
            assert {each.mean for each in store.summaries.get("one")} == {0.75}
            proxy.cut_after(10_000)
        if whole:
            break
    assert messages > 1


@dataclass(frozen=True)
class Write:
    """Something that is written, and what it then reads as."""

    name: str
    write: Callable[[Store], object]
    read: Callable[[Store], object]
    written: object

    def __str__(self) -> str:
        return self.name


def sent_and_failed(store: Store) -> None:
    """Send the first call, and fail it."""
    do(store.calls.sent(CALLS[0]), store.calls.fail(CALLS[0], failure("a")))


def first_call(store: Store) -> tuple[object, ...]:
    """Return where the first call stands and how often it was sent."""
    with store.database.read() as connection:
        query = CALL.select().where(CALL.c.case_id == "a", CALL.c.run_id == "one")
        row = connection.execute(query).one()
    return row.state, row.attempts, row.uncertain_attempts


def fence(store: Store) -> int | None:
    """Return the fence of the run's lease while it is held."""
    with store.database.read() as connection:
        row = connection.execute(LEASE.select()).one()
    return None if row.until is None else int(row.fence)


def held(store: Store) -> None:
    """Take the lease."""
    store.leases.acquire("one", this_process())


def given_back(store: Store) -> None:
    """Take the lease and give it back."""
    held(store)
    store.leases.release("one")


def renewed(store: Store) -> None:
    """Take the lease and move its end."""
    held(store)
    store.leases.renew("one")


def lost(store: Store) -> None:
    """Send the first call, and find it under way as after a crash."""
    do(store.calls.sent(CALLS[0]))
    store.calls.reserve(CALLS)


OTHER = RUN.model_copy(update={"id": "other", "started_at": NOON + timedelta(minutes=1)})
CASES = (Case(id="a", question="?"), Case(id="b", question="!"))
WRITES = (
    Write("start a run", lambda store: store.runs.start(OTHER), lambda store: store.runs.get("other"), OTHER),
    Write(
        "update a run",
        lambda store: store.runs.update("one", status=RunStatus.CANCELLED),
        lambda store: store.runs.get("one").status,
        RunStatus.CANCELLED,
    ),
    Write("take a lease", held, fence, 1),
    Write("give a lease back", given_back, fence, None),
    Write("renew a lease", renewed, fence, 1),
    Write("send a call", lambda store: do(store.calls.sent(CALLS[0])), first_call, ("sent", 1, 0)),
    Write("fail a call", sent_and_failed, first_call, ("failed", 1, 0)),
    Write(
        "settle a call",
        lambda store: do(store.calls.settle(CALLS[0], output("a"))),
        lambda store: store.calls.outcomes("one"),
        {"a": output("a")},
    ),
    Write(
        "find a call lost",
        lost,
        first_call,
        ("uncertain", 1, 1),
    ),
    Write(
        "keep scores, from an iterator",
        lambda store: store.scores.put("one", iter(SCORES)),
        lambda store: store.scores.get("one"),
        SCORES,
    ),
    Write(
        "keep a dataset",
        lambda store: store.datasets.put("d" * 64, "jsonl@1", "c.jsonl", CASES),
        lambda store: store.datasets.cases("d" * 64),
        CASES,
    ),
)


@pytest.mark.parametrize("commits_before", [0, 1])
@pytest.mark.parametrize("write", WRITES, ids=str)
def test_a_commit_whose_success_was_not_heard_is_not_counted_twice(
    write: Write, commits_before: int, proxy: Proxy
) -> None:
    """The database did it and the news was lost: doing it again changes nothing."""
    with opened(proxy) as store:
        proxy.lose_commit(after=commits_before)
        write.write(store)
        assert write.read(store) == write.written


def test_reading_outlasts_a_break_too(proxy: Proxy) -> None:
    """Every connection of the pool is dead at once; the next read makes a new one."""
    with opened(proxy) as store:
        proxy.go_down()
        proxy.come_up()
        assert store.calls.progress("one") == {CallState.RESERVED: 3}
        assert len(store.summaries.get("one")) == 20


def test_a_database_that_stays_away_is_told_with_the_limit(proxy: Proxy) -> None:
    """Not a second longer than was said, and with what to do; what was settled is there afterwards."""
    with opened(proxy, patience_seconds=0.3) as store:
        do(store.calls.settle(CALLS[0], output("a")))
        proxy.go_down()
        for use in (
            lambda: store.runs.get("one"),
            lambda: store.scores.put("one", SCORES),
            lambda: do(store.calls.settle(CALLS[1], output("b"))),
        ):
            with pytest.raises(
                StoreError,
                match=r"cannot be reached: .*; it was tried for 0\.3 s, and nothing settled is lost",
            ):
                use()
        proxy.come_up()
        assert store.calls.outcomes("one") == {"a": output("a")}


def test_a_database_that_was_never_reached_is_not_waited_for(proxy: Proxy) -> None:
    """A wrong URL is told at once."""
    proxy.go_down()
    with Store(Database(proxy.url()), "test") as store:
        with pytest.raises(StoreError, match=r"cannot be reached: .*see that the server runs") as refused:
            store.runs.list()
        assert "was tried" not in str(refused.value)


def test_a_server_that_stops_under_a_crowd_and_starts_again_loses_nothing() -> None:
    """Sixty-four tasks ask and settle while it is away; every reply is kept once."""
    server = postgres.Server()
    with open_store(postgres.text(server.url())) as store:
        store.runs.start(RUN)
        calls = tuple(call("one", f"case-{index:03}") for index in range(200))
        store.calls.reserve(calls)
        slots = asyncio.Semaphore(64)
        stopped = asyncio.Event()

        async def ask(one: Call) -> None:
            async with slots:
                await store.calls.sent(one)
                if one is calls[20]:
                    stopped.set()
                await store.calls.settle(one, output(one.case_id))

        async def outage() -> None:
            await stopped.wait()
            await asyncio.to_thread(server.stop)
            await asyncio.to_thread(server.start)

        async def crowd() -> None:
            async with asyncio.TaskGroup() as group:
                group.create_task(outage())
                for one in calls:
                    group.create_task(ask(one))

        asyncio.run(crowd())
        assert store.calls.progress("one") == {CallState.SETTLED: 200}
        assert server.execute("SELECT min(attempts), max(attempts) FROM call") == [(1, 1)]
    server.close()
