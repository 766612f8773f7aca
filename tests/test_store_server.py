"""What only a server has: passwords, roles, time zones, and several writers at the same moment."""

from __future__ import annotations

import logging
import struct
import threading
import traceback
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import URL

from ragproof.errors import StoreError
from ragproof.holders import Holder, this_process
from ragproof.runs import RunRecord
from ragproof.scores import Score, Scored
from ragproof.store.database import Database
from ragproof.store.leases import LEASE_SECONDS, LeaseLost
from ragproof.store.locations import locate
from ragproof.store.opening import open_store
from ragproof.store.store import Store
from ragproof.store.tables import RUN, SCORE
from tests.fakes import postgres
from tests.fakes.databases import execute, store_url
from tests.fakes.stores import NOON, call, do, output, started

PASSWORD = "open+sesame"


@pytest.fixture
def url() -> Iterator[str]:
    """Of an empty store on a server."""
    with store_url("postgresql") as url:
        yield url


def with_password(url: str, **changes: object) -> URL:
    """Return a store's URL with a password in it; the server asks for none."""
    return locate(url).set(password=PASSWORD).set(**changes)  # type: ignore[arg-type]


def everything_said(error: BaseException) -> str:
    """Return what of an error may reach a screen or a log."""
    return "".join(traceback.format_exception(error)) + repr(error)


def break_a_rule(store: Store) -> None:
    """Insert a row that the database refuses."""
    with store.database.write() as connection:
        connection.execute(SCORE.insert(), {"run_id": "x", "case_id": "private", "metric": "m", "trial": 0})


@pytest.mark.parametrize(
    ("why", "changes"),
    [
        ("nobody listens", {"host": "127.0.0.1", "port": 1, "query": {}}),
        ("no such host", {"host": "nowhere.invalid", "query": {}}),
        ("no such database", {"database": "nowhere"}),
        ("no such role", {"username": "nobody"}),
        (
            "a password among the parameters",
            {"password": None, "query": {"host": "/nowhere", "password": PASSWORD}},
        ),
        ("a key's password among the parameters", {"query": {"host": "/nowhere", "sslpassword": PASSWORD}}),
        ("a parameter that libpq does not know", {"query": {"secrte": "x"}}),
    ],
)
def test_a_password_is_never_told_when_a_server_is_out_of_reach(
    why: str, changes: dict[str, object], url: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Not in the message, not in the traceback, not in the log of the driver."""
    written = postgres.text(with_password(url, **changes))
    with caplog.at_level(logging.DEBUG), pytest.raises(StoreError) as refused:
        open_store(written)
    assert "sesame" not in caplog.text + everything_said(refused.value), why


def test_a_password_is_never_told_while_a_store_is_used(url: str, caplog: pytest.LogCaptureFixture) -> None:
    """Neither by what is printed of it, nor by its errors, which quote no row either."""
    secret = {"sslpassword": PASSWORD, "host": str(locate(url).query["host"])}
    with caplog.at_level(logging.DEBUG), open_store(postgres.text(with_password(url, query=secret))) as store:
        database = store.database
        shown = repr([store.name, database.name, database, database.url, vars(store), vars(database)])
        shown += str(database.url) + repr(database._engines) + repr(database._engines.reading.url)
        with pytest.raises(StoreError, match="refused a row") as refused:
            break_a_rule(store)
    for told in (shown, everything_said(refused.value), caplog.text):
        assert "sesame" not in told
    assert "private" not in everything_said(refused.value)


@pytest.mark.parametrize(
    "url", ["postgresql://u:pa@ss@h/d", "postgresql://u:p@ss/word@h/d", "postgresql://u@h@h/d"]
)
def test_a_password_with_an_at_sign_in_it_is_not_taken_for_a_host(url: str) -> None:
    """What stands behind the first `@` would be shown as the server's name."""
    with pytest.raises(
        StoreError, match="has more than one '@'; write '%40' inside a name or password"
    ) as refused:
        locate(url, {})
    assert "ss" not in str(refused.value).replace("password", "").replace("PASSWORD", "")


def test_a_plain_url_names_the_driver_by_itself(url: str) -> None:
    """What hosting services hand out."""
    plain = url.replace("postgresql+psycopg://", "postgresql://")
    with open_store(plain) as store:
        assert store.name.startswith("postgresql+psycopg://")
        assert store.runs.list() == ()


def test_a_role_that_may_only_read_reads_and_is_told_why_it_cannot_write(url: str) -> None:
    """With the cure; nothing of the write remains."""
    database = str(locate(url).database)
    server = postgres.server()
    with open_store(url) as store:
        run = started(store)
    server.execute(
        "DROP ROLE IF EXISTS reader",
        "CREATE ROLE reader LOGIN",
        "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader",
        database=database,
    )
    reader = postgres.text(locate(url).set(username="reader"))
    with open_store(reader, create=False) as store:
        assert store.runs.get(run).id == run
        for write in (
            lambda: store.runs.update(run, label="new"),
            lambda: store.scores.put(run, [Score(case_id="a", metric="m", result=Scored(value=1.0))]),
            lambda: do(store.calls.settle(call(run), output())),
        ):
            with pytest.raises(
                StoreError, match="is not open to this role; grant it its rights on the tables"
            ):
                write()
        assert store.runs.get(run).label is None
        assert store.scores.get(run) == ()
    server.execute("DROP OWNED BY reader", "DROP ROLE reader", database=database)


def test_a_role_that_may_make_no_tables_is_told_so_on_a_new_database() -> None:
    """Instead of half a schema."""
    server = postgres.server()
    server.execute("DROP ROLE IF EXISTS guest", "CREATE ROLE guest LOGIN")
    with postgres.database() as name:
        with pytest.raises(StoreError, match="is not open to this role"):
            open_store(postgres.text(server.url(name, username="guest")))
        assert server.execute(
            "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", database=name
        ) == [(0,)]
    server.execute("DROP ROLE guest")


def test_a_server_that_takes_no_writes_is_told_so(url: str) -> None:
    """A replica, or one that its owner closed for writing."""
    with open_store(f"{url}&options=-cdefault_transaction_read_only%3Don", create=False) as store:
        assert store.runs.list() == ()
        with pytest.raises(StoreError, match="is read-only here; name a role and a server that may write"):
            started(store)


def test_a_lock_that_somebody_keeps_is_not_waited_for_without_end(url: str) -> None:
    """A session somebody left open in another window."""
    with open_store(url) as store:
        run = started(store)
    with Store(Database(locate(url), lock_timeout_ms=50), "test") as store:
        with store.database.write() as connection:
            connection.execute(RUN.select().where(RUN.c.id == run).with_for_update())
            with pytest.raises(StoreError, match="is locked by another process; wait for it to finish"):
                store.runs.update(run, label="new")
        assert store.runs.update(run, label="new").label == "new"


@pytest.mark.parametrize("zone", ["UTC", "Asia/Kathmandu", "America/St_Johns"])
def test_moments_come_back_in_utc_wherever_the_server_stands(zone: str, url: str) -> None:
    """To the microsecond, in whatever zone they were written and are read."""
    moment = datetime(2024, 10, 27, 0, 30, 0, 123456, tzinfo=UTC)
    with open_store(f"{url}&options=-ctimezone%3D{zone.replace('/', '%2F')}") as store:
        store.runs.start(RunRecord(id="r", project="p", pipeline="b", started_at=moment))
        read = store.runs.get("r").started_at
    assert read == moment
    assert read.tzinfo is UTC
    assert execute(url, "SELECT extract(epoch FROM started_at)::text FROM run") == [("1729989000.123456",)]


@pytest.mark.parametrize("number", [-0.0, 5e-324, 0.1 + 0.2, 1.7976931348623157e308, -1e-307])
def test_a_number_comes_back_bit_for_bit(number: float, url: str) -> None:
    """The sign of zero too, which SQLite loses."""
    with open_store(url) as store:
        run = started(store)
        store.scores.put(run, [Score(case_id="a", metric="m", result=Scored(value=number))])
        (score,) = store.scores.get(run)
        ((_, read),) = store.scores.results(run, ["a"])["a"]
    assert isinstance(read, Scored)
    assert struct.pack(">d", read.value) == struct.pack(">d", number)
    assert score.result == read


def test_a_holder_cannot_lose_its_lease_between_the_check_and_the_commit(url: str) -> None:
    """The taker waits until the holder's transaction has ended; nothing slips in behind the fence."""
    moment = [NOON]
    with Store(Database(locate(url)), "test", clock=lambda: moment[0]) as store:
        run = started(store)
        store.leases.acquire(run, Holder(process=1, machine="here"))
        moment[0] += timedelta(seconds=LEASE_SECONDS + 1)
        with Store(Database(locate(url)), "test", clock=lambda: moment[0]) as other:
            taker = threading.Thread(
                target=other.leases.acquire, args=(run, Holder(process=2, machine="there"))
            )
            with store.database.write() as connection:
                store.leases.check(connection, [run])
                taker.start()
                taker.join(0.3)  # long enough for one that does not wait
                assert taker.is_alive()
            taker.join()
        with pytest.raises(LeaseLost):
            store.runs.update(run, label="late")


def test_many_writers_of_the_same_rows_in_any_order_all_get_through(url: str) -> None:
    """A shard that is scored twice at once: no deadlock, and one score each."""
    with open_store(url) as store:
        run = started(store)
        scores = [Score(case_id=f"{n}", metric="m", result=Scored(value=1.0)) for n in range(200)]
        calls = [call(run, f"{n}") for n in range(200)]
        faults: list[BaseException] = []

        def write(backwards: bool) -> None:
            try:
                store.calls.reserve(calls[::-1] if backwards else calls)
                store.scores.put(run, scores[::-1] if backwards else scores)
            except BaseException as error:  # a thread's own exception would go unseen
                faults.append(error)

        threads = [threading.Thread(target=write, args=(bool(number % 2),)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert faults == []
        assert len(store.scores.get(run)) == 200


def test_a_run_is_updated_while_its_rows_are_being_written(url: str) -> None:
    """Saying how a run stands waits for no shard that writes its scores."""
    with open_store(url) as store:
        run = started(store)
        store.leases.acquire(run, this_process())
        with store.database.write() as connection:
            row = {
                "run_id": run,
                "case_id": "a",
                "metric": "m",
                "trial": 0,
                "outcome": "scored",
                "value": 1.0,
            }
            connection.execute(SCORE.insert(), {**row, "details": {}})
            assert store.runs.update(run, label="meanwhile").label == "meanwhile"
