"""An engine for each kind of database: how its connections are set up, and what begins a transaction.

SQLite runs in WAL mode with foreign keys on. A write takes SQLite's lock at its first moment (BEGIN
IMMEDIATE): a transaction that read first and wrote later can be refused at once, however long it would wait.
On PostgreSQL a read sees one snapshot (REPEATABLE READ), as it does on SQLite; a write sees what others
commit while it waits for them.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from sqlite3 import Connection as SqliteConnection
from typing import TYPE_CHECKING, Any

from sqlalchemy import URL, Connection, Engine, create_engine, event

if TYPE_CHECKING:
    import psycopg

SERVER_SETTINGS: dict[str, Any] = {
    "application_name": "ragproof",
    "connect_timeout": 10,
    "keepalives_idle": 15,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
"""What libpq is told unless the URL says otherwise: a server that falls silent is noticed."""


@dataclass(frozen=True)
class Engines:
    """One pool of connections and the three ways of using it."""

    reading: Engine
    writing: Engine
    bare: Engine
    """Without a transaction, for what no transaction may hold (VACUUM, the journal mode)."""

    def dispose(self, *, close: bool = True) -> None:
        """Give up the pool; the next use makes a new one."""
        self.reading.dispose(close=close)


def engines_of(url: URL, lock_timeout_ms: int, foreign_keys: bool) -> Engines:
    """Prepare the connections to a database; none is made yet.

    Args:
        url: an SQLite file or a PostgreSQL database.
        lock_timeout_ms: how long a statement waits for another process's lock.
        foreign_keys: whether SQLite enforces them; PostgreSQL always does.

    Raises:
        ImportError: the driver that the URL asks for is not installed.
    """
    if url.get_backend_name() == "sqlite":
        return _sqlite(url, lock_timeout_ms, foreign_keys)
    return _postgresql(url, lock_timeout_ms)


def _sqlite(url: URL, lock_timeout_ms: int, foreign_keys: bool) -> Engines:
    engine = create_engine(url, hide_parameters=True, pool_use_lifo=True)  # the last used remembers most
    pragmas = (
        f"PRAGMA busy_timeout = {lock_timeout_ms}",
        f"PRAGMA foreign_keys = {'ON' if foreign_keys else 'OFF'}",
        "PRAGMA synchronous = NORMAL",
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: SqliteConnection, _record: object) -> None:
        connection.isolation_level = None  # transactions begin below, not in the driver
        for pragma in pragmas:
            connection.execute(pragma)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        begins = connection.get_execution_options().get("begins", "BEGIN")
        if begins:
            connection.exec_driver_sql(begins)

    return Engines(
        reading=engine,
        writing=engine.execution_options(begins="BEGIN IMMEDIATE"),
        bare=engine.execution_options(begins=None),
    )


def _postgresql(url: URL, lock_timeout_ms: int) -> Engines:
    # the driver warns of each broken connection, and so would we: of those that are not made good
    logging.getLogger("psycopg").addHandler(logging.NullHandler())
    secret = {name: value for name, value in url.query.items() if "password" in name}
    settings = {name: value for name, value in SERVER_SETTINGS.items() if name not in url.query}
    engine = create_engine(
        url.difference_update_query(secret),  # an engine's printed form shows its query
        hide_parameters=True,
        pool_pre_ping=True,
        connect_args={**settings, **secret},
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: psycopg.Connection[Any], _record: object) -> None:
        connection.autocommit = True
        connection.execute(f"SET lock_timeout = {lock_timeout_ms}".encode())
        connection.autocommit = False

    return Engines(
        reading=engine.execution_options(isolation_level="REPEATABLE READ"),
        writing=engine,
        bare=engine.execution_options(isolation_level="AUTOCOMMIT"),
    )
