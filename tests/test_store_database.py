"""Connections and transactions: what a read sees, what a write keeps, and what a forked child inherits."""

from __future__ import annotations

import multiprocessing
import sqlite3
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ragproof.errors import StoreError
from ragproof.store.database import Database
from ragproof.store.locations import locate


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """A database with one table of numbers."""
    database = Database(locate(f"sqlite:///{tmp_path}/a.db"), lock_timeout_ms=20_000)
    with database.bare() as connection:
        connection.exec_driver_sql("PRAGMA journal_mode = WAL")
    with database.write() as connection:
        connection.exec_driver_sql("CREATE TABLE numbers (number INTEGER NOT NULL)")
    yield database
    database.close()


def add(database: Database, number: int) -> None:
    """Add one number in a transaction of its own."""
    with database.write() as connection:
        connection.exec_driver_sql(f"INSERT INTO numbers VALUES ({number})")


def numbers(database: Database) -> list[int]:
    """Read the numbers."""
    with database.read() as connection:
        return sorted(connection.exec_driver_sql("SELECT number FROM numbers").scalars())


def test_a_write_is_kept_whole_or_not_at_all(database: Database) -> None:
    """Whatever ended it early: the caller, or the database."""

    def break_off() -> None:
        with database.write() as connection:
            connection.exec_driver_sql("INSERT INTO numbers VALUES (1)")
            raise KeyError

    def break_a_rule() -> None:
        with database.write() as connection:
            connection.exec_driver_sql("INSERT INTO numbers VALUES (2)")
            connection.exec_driver_sql("INSERT INTO numbers VALUES (NULL)")

    with pytest.raises(KeyError):
        break_off()
    with pytest.raises(StoreError, match="refused a row"):
        break_a_rule()
    assert numbers(database) == []


def test_a_read_sees_one_state_while_others_write(database: Database) -> None:
    """It neither waits for a writer nor sees half of what it does."""
    add(database, 1)
    with database.read() as connection:
        before = connection.exec_driver_sql("SELECT number FROM numbers").scalars().all()
        add(database, 2)
        assert connection.exec_driver_sql("SELECT number FROM numbers").scalars().all() == before == [1]
    assert numbers(database) == [1, 2]


def test_writers_wait_for_their_turn(database: Database, tmp_path: Path) -> None:
    """Another process's as well as another thread's: a transaction that read first is not refused later."""
    other = sqlite3.connect(tmp_path / "a.db", isolation_level=None, check_same_thread=False)
    with closing(other):
        other.execute("BEGIN IMMEDIATE")
        other.execute("INSERT INTO numbers VALUES (0)")
        waiting = [threading.Thread(target=add, args=(database, number)) for number in range(1, 9)]
        for thread in waiting:
            thread.start()
        assert numbers(database) == []
        other.execute("COMMIT")
        for thread in waiting:
            thread.join()
    assert numbers(database) == list(range(9))


def test_threads_wait_for_each_other_and_not_for_sqlite(tmp_path: Path) -> None:
    """However short the wait for SQLite's lock may be: writers of one process stand in a row."""
    database = Database(locate(f"sqlite:///{tmp_path}/impatient.db"), lock_timeout_ms=0)
    refused: list[StoreError] = []

    def write_too() -> None:
        try:
            with database.write() as connection:
                connection.exec_driver_sql("INSERT INTO numbers VALUES (2)")
        except StoreError as error:
            refused.append(error)

    with closing(database):
        with database.write() as connection:
            connection.exec_driver_sql("CREATE TABLE numbers (number INTEGER)")
            other = threading.Thread(target=write_too)
            other.start()
            other.join(timeout=0.2)
            connection.exec_driver_sql("INSERT INTO numbers VALUES (1)")
        other.join()
        assert (refused, numbers(database)) == ([], [1, 2])


FORKS = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")


@FORKS
def test_a_fork_waits_for_an_open_transaction(database: Database) -> None:
    """A lock that another of the parent's threads holds would never be released in the child."""
    begun, go = threading.Event(), threading.Event()

    def write_slowly() -> None:
        with database.write() as connection:
            connection.exec_driver_sql("INSERT INTO numbers VALUES (1)")
            begun.set()
            go.wait()

    writer = threading.Thread(target=write_slowly)
    writer.start()
    begun.wait()
    child = multiprocessing.get_context("fork").Process(target=add, args=(database, 2), daemon=True)
    forker = threading.Thread(target=child.start)
    forker.start()
    forker.join(0.5)  # long enough for a fork that does not wait
    go.set()
    writer.join()
    forker.join()
    child.join(20)
    assert child.exitcode == 0
    add(database, 3)
    assert numbers(database) == [1, 2, 3]


@FORKS
def test_a_child_goes_on_writing_when_its_parent_closes(database: Database, tmp_path: Path) -> None:
    """The parent is not the last to leave, and must not clear away the log that the child writes to."""
    add(database, 1)
    context = multiprocessing.get_context("fork")
    begun, go = context.Event(), context.Event()

    def write_before_and_after() -> None:
        add(database, 2)
        begun.set()
        go.wait()
        add(database, 3)

    child = context.Process(target=write_before_and_after, daemon=True)
    child.start()
    begun.wait()
    assert numbers(database) == [1, 2]
    database.close()
    go.set()
    child.join(20)
    assert child.exitcode == 0
    with closing(sqlite3.connect(tmp_path / "a.db")) as connection:
        assert connection.execute("SELECT number FROM numbers ORDER BY number").fetchall() == [
            (1,),
            (2,),
            (3,),
        ]


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("INSERT INTO numbers VALUES (NULL), ('a secret answer')", "numbers.number"),
        ("INSERT INTO nowhere VALUES ('a secret answer')", "no such table: nowhere"),
    ],
)
def test_an_error_quotes_no_statement_and_no_value(statement: str, told: str, database: Database) -> None:
    """They hold questions and answers."""
    with pytest.raises(StoreError) as refused, database.write() as connection:
        connection.exec_driver_sql(statement)
    assert told in str(refused.value)
    whole = "".join(traceback.format_exception(refused.value))
    assert "secret" not in whole
    assert "INSERT" not in whole


@pytest.mark.parametrize(("foreign_keys", "left"), [(True, []), (False, [(1,)])])
def test_rows_go_with_what_they_belong_to_except_while_migrating(
    foreign_keys: bool, left: list[tuple[int]], tmp_path: Path
) -> None:
    """A migration on SQLite rebuilds a table by dropping it: that must not take the rows of others along."""
    database = Database(locate(f"sqlite:///{tmp_path}/a.db"), foreign_keys=foreign_keys)
    with database.write() as connection:
        connection.exec_driver_sql("CREATE TABLE run (id INTEGER PRIMARY KEY)")
        connection.exec_driver_sql("CREATE TABLE score (run_id REFERENCES run (id) ON DELETE CASCADE)")
        connection.exec_driver_sql("INSERT INTO run VALUES (1)")
        connection.exec_driver_sql("INSERT INTO score VALUES (1)")
        connection.exec_driver_sql("DELETE FROM run")
        assert connection.exec_driver_sql("SELECT run_id FROM score").fetchall() == left
    database.close()
