"""The ledger: every call's state is committed before the run goes on, and no settled call is made again."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from ragproof.errors import StoreError
from ragproof.ledger import Call, CallKind, CallState, Ledger
from ragproof.outputs import CaseFailure
from ragproof.store.database import Database
from ragproof.store.locations import locate
from ragproof.store.opening import open_store
from ragproof.store.store import Store
from ragproof.store.tables import CALL
from tests.fakes.databases import KINDS, store_url
from tests.fakes.stores import NOON, call, do, failure, output, started

CONCURRENCY = 64


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    """Of an empty store, on each kind of database."""
    with store_url(request.param) as url:
        yield url


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """That store, open."""
    with open_store(url) as store:
        yield store


def row(store: Store, *columns: str) -> tuple[Any, ...]:
    """Read the only call as it lies in the table; no columns are all of them."""
    with store.database.read() as connection:
        return tuple(connection.execute(select(*[CALL.c[name] for name in columns or CALL.c.keys()])).one())


def test_the_store_is_a_ledger(store: Store) -> None:
    """A type checker reads this too."""
    ledger: Ledger = store.calls
    assert ledger.reserve([]) == {}


@pytest.mark.parametrize(
    ("why", "steps", "expected"),
    [
        ("planned, not sent", "r", ("reserved", 0, 0)),
        ("planned twice is planned", "rr", ("reserved", 0, 0)),
        ("under way", "rs", ("sent", 1, 0)),
        ("a reply", "rso", ("settled", 1, 0)),
        ("no reply", "rsf", ("failed", 1, 0)),
        ("a failed call is asked again", "rsfr", ("reserved", 1, 0)),
        ("and each asking counts", "rsfrsf", ("failed", 2, 0)),
        ("a reply after a failure", "rsfrso", ("settled", 2, 0)),
        ("found under way: it may have happened", "rsr", ("uncertain", 1, 1)),
        ("still so when planned again", "rsrr", ("uncertain", 1, 1)),
        ("asked again, it is under way", "rsrs", ("sent", 2, 1)),
        ("what was uncertain is not forgotten", "rsrso", ("settled", 2, 1)),
        ("it can die more than once", "rsrsrs", ("sent", 3, 2)),
        ("a settled call is not planned again", "rsor", ("settled", 1, 0)),
        ("a failure after the reply changes nothing", "rsof", ("settled", 1, 0)),
        ("a late reply is kept all the same", "rsfo", ("settled", 1, 0)),
    ],
)
def test_a_call_passes_through_its_states(
    why: str, steps: str, expected: tuple[str, int, int], store: Store
) -> None:
    """r reserve, s sent, o an output, f a failure: the state, the attempts, and those that are uncertain."""
    one = call(started(store))
    for step in steps:
        match step:
            case "r":
                store.calls.reserve([one])
            case "s":
                do(store.calls.sent(one))
            case "o":
                do(store.calls.settle(one, output()))
            case "f":
                do(store.calls.fail(one, failure()))
    assert row(store, "state", "attempts", "uncertain_attempts") == expected, why


def test_only_what_is_settled_is_not_asked_again(store: Store) -> None:
    """Reserving returns the kept replies, by identity, and nothing of the others."""
    run = started(store)
    calls = [call(run, f"case-{index}") for index in range(4)]
    assert store.calls.reserve(calls) == {}
    do(*(store.calls.sent(one) for one in calls[:3]))
    do(store.calls.settle(calls[0], output("case-0")), store.calls.fail(calls[1], failure("case-1")))
    new = call(run, "case-4")
    assert store.calls.reserve([*calls, new]) == {calls[0].identity: output("case-0")}
    assert store.calls.progress(run) == {CallState.SETTLED: 1, CallState.RESERVED: 3, CallState.UNCERTAIN: 1}
    assert store.calls.uncertain(run) == (calls[2],)


def test_the_first_reply_stays(store: Store) -> None:
    """A second reply to the same call, however it came about, changes nothing and is no error."""
    one = call(started(store))
    store.calls.reserve([one])
    do(store.calls.sent(one), store.calls.settle(one, output(answer="first")))
    before = row(store)
    do(store.calls.settle(one, output(answer="second")), store.calls.fail(one, failure()))
    assert row(store) == before
    assert store.calls.outcomes(one.run_id) == {"case-1": output(answer="first")}


def test_two_replies_at_once_keep_one(store: Store) -> None:
    """Within one transaction too."""
    one = call(started(store))
    store.calls.reserve([one])

    async def both() -> None:
        await asyncio.gather(
            *(store.calls.settle(one, output(answer=answer)) for answer in ("first", "second"))
        )

    asyncio.run(both())
    assert store.calls.outcomes(one.run_id) == {"case-1": output(answer="first")}


def test_a_settled_call_is_not_sent(store: Store) -> None:
    """Another process has its reply: asking again would pay again."""
    one = call(started(store))
    store.calls.reserve([one])
    do(store.calls.settle(one, output()))
    with pytest.raises(StoreError, match="was settled by another process; resume the run to use its reply"):
        do(store.calls.sent(one))
    assert store.calls.outcomes(one.run_id) == {"case-1": output()}


def test_a_call_that_was_never_planned_is_refused(store: Store) -> None:
    """A reply must not vanish; the calls beside it in the transaction are kept."""
    known = call(started(store))
    store.calls.reserve([known])
    unknown = call(known.run_id, "case-2")

    async def together() -> list[object]:
        steps = [store.calls.settle(known, output()), store.calls.settle(unknown, output("case-2"))]
        steps += [store.calls.sent(unknown), store.calls.fail(unknown, failure("case-2"))]
        return list(await asyncio.gather(*steps, return_exceptions=True))

    kept, *refused = asyncio.run(together())
    assert kept is None
    for error in refused:
        assert isinstance(error, StoreError)
        assert f"call '{unknown.identity}' of run '{unknown.run_id}' was never reserved" in str(error)
    assert store.calls.outcomes(known.run_id) == {"case-1": output()}


def test_calls_of_an_unknown_run_are_refused_together(store: Store) -> None:
    """All of a reservation or none of it."""
    run = started(store)
    with pytest.raises(
        StoreError, match="the run or dataset it belongs to is not there; start the run first"
    ):
        store.calls.reserve([call(run), call("nobody")])
    assert store.calls.progress(run) == {}


def test_outcomes_are_read_by_case_and_trial(store: Store) -> None:
    """Of the calls that have ended; a judge's calls are not among them."""
    run = started(store)
    calls = {case: call(run, case) for case in ("c", "a", "b", "pending")}
    repeat, judged = call(run, "a", trial=1), call(run, "judged", kind=CallKind.JUDGE)
    store.calls.reserve([*calls.values(), repeat, judged])
    do(
        store.calls.settle(calls["c"], output("c")),
        store.calls.fail(calls["a"], failure("a")),
        store.calls.settle(calls["b"], output("b")),
        store.calls.settle(repeat, output("a", "again")),
        store.calls.settle(judged, output("judged")),
    )
    everything = {"a": failure("a"), "b": output("b"), "c": output("c")}
    assert list(store.calls.outcomes(run).items()) == list(everything.items())
    assert store.calls.outcomes(run, ["b", "pending", "nobody"]) == {"b": output("b")}
    assert store.calls.outcomes(run, []) == {}
    assert store.calls.outcomes(run, trial=1) == {"a": output("a", "again")}
    assert store.calls.progress(run, CallKind.JUDGE) == {CallState.SETTLED: 1}


def test_failures_are_read_alone(store: Store) -> None:
    """By case id, without the answers; a case that was answered in the end has not failed."""
    run, other = started(store), started(store)
    calls = {case: call(run, case) for case in ("z", "a", "answered later", "answered", "pending")}
    later = call(run, "answered later", identity="2" * 64)
    earlier = call(run, "z", identity="3" * 64)
    repeat, judged = call(run, "a", trial=1), call(run, "judged", kind=CallKind.JUDGE)
    store.calls.reserve([*calls.values(), later, earlier, repeat, judged, call(other)])
    do(
        store.calls.settle(earlier, output("z")),
        store.calls.fail(calls["z"], failure("z")),
        store.calls.fail(calls["a"], failure("a")),
        store.calls.fail(calls["answered later"], failure("answered later")),
        store.calls.settle(later, output("answered later")),
        store.calls.settle(calls["answered"], output("answered")),
        store.calls.fail(repeat, failure("a again")),
        store.calls.fail(judged, failure("judged")),
        store.calls.fail(call(other), failure()),
    )
    assert store.calls.failures(run) == (failure("a"), failure("z"))
    assert store.calls.failures(run) == tuple(
        each for each in store.calls.outcomes(run).values() if isinstance(each, CaseFailure)
    )
    second = call(run, "answered", trial=1)
    store.calls.reserve([second])
    do(store.calls.fail(second, failure("answered")))
    assert store.calls.failures(run) == (failure("a"), failure("answered"), failure("z"))
    assert store.calls.failures("nobody") == ()


def test_a_case_is_answered_when_every_trial_is(store: Store) -> None:
    """A trial that failed, waits or was never planned leaves it unanswered; a judge's calls are no trials."""
    run = started(store)
    calls = [call(run, case, trial=trial) for case in ("both", "one") for trial in (0, 1)]
    judged = call(run, "one", trial=1, kind=CallKind.JUDGE)
    store.calls.reserve([*calls, judged])
    do(*(store.calls.settle(each, output(each.case_id)) for each in (*calls[:3], judged)))
    assert [store.calls.answered(run, trials) for trials in (1, 2, 3)] == [2, 1, 0]
    assert store.calls.answered("nobody", 1) == 0


def test_any_number_of_cases_can_be_asked_for(store: Store) -> None:
    """Databases limit a statement's values, SQLite to 32,766, PostgreSQL to 65,535; nobody has to know."""
    run = started(store)
    with store.database.read() as connection:
        driver = connection.connection.dbapi_connection
        if isinstance(driver, sqlite3.Connection):
            driver.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 32_766)
    calls = [call(run, f"case-{index:05}") for index in range(2500)]
    store.calls.reserve(calls)
    do(
        store.calls.settle(calls[0], output("case-00000")),
        store.calls.settle(calls[-1], output("case-02499")),
    )
    ids = [f"case-{index:05}" for index in range(70_000)]
    assert list(store.calls.outcomes(run, ids)) == ["case-00000", "case-02499"]
    assert set(store.calls.reserve(calls)) == {calls[0].identity, calls[-1].identity}


def test_the_ledger_writes_when_things_happened(url: str) -> None:
    """By the clock it is given."""
    moments = [NOON + timedelta(seconds=second, microseconds=1) for second in range(3)]
    ticks = iter(moments)
    with Store(Database(locate(url)), "test", clock=lambda: next(ticks)) as store:
        one = call(started(store))
        store.calls.reserve([one])
        do(store.calls.sent(one), store.calls.settle(one, output()))
        assert row(store, "reserved_at", "sent_at", "ended_at", "latency_ms") == (*moments, 12.5)


def test_many_tasks_settle_all_their_calls(store: Store) -> None:
    """Each reply with its own call, at a usual concurrency."""
    run = started(store)
    calls = [call(run, f"case-{index:03}") for index in range(500)]
    store.calls.reserve(calls)

    async def ask_all() -> None:
        slots = asyncio.Semaphore(CONCURRENCY)

        async def ask(one: Call) -> None:
            async with slots:
                await store.calls.sent(one)
                await asyncio.sleep(0)
                await store.calls.settle(one, output(one.case_id, f"answer to {one.case_id}"))

        async with asyncio.TaskGroup() as group:
            for one in calls:
                group.create_task(ask(one))

    asyncio.run(ask_all())
    assert store.calls.progress(run) == {CallState.SETTLED: 500}
    assert store.calls.outcomes(run) == {
        c.case_id: output(c.case_id, f"answer to {c.case_id}") for c in calls
    }
