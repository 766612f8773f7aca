"""One database: how it is connected to, and what a read and a write transaction are.

SQLite runs in WAL mode with foreign keys on. A write takes SQLite's lock at its first moment (BEGIN
IMMEDIATE): a transaction that read first and wrote later can be refused at once, however long it would wait.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from sqlite3 import Connection as SqliteConnection

from sqlalchemy import URL, Connection, Engine, create_engine, event

from ragproof.errors import StoreError
from ragproof.store import forks
from ragproof.store.faults import as_store_errors, shown

BUSY_TIMEOUT_MS = 30_000
"""How long a statement waits for another process's lock."""


class Database:
    """Connections to one database; safe to share between threads, and usable in a forked child."""

    def __init__(
        self, url: URL, *, busy_timeout_ms: int = BUSY_TIMEOUT_MS, foreign_keys: bool = True
    ) -> None:
        """Prepare connections; none is made yet.

        Args:
            url: an SQLite file or a PostgreSQL database.
            busy_timeout_ms: how long SQLite waits for another process's lock.
            foreign_keys: False only while migrating, where SQLite's rebuilding of a table must not cascade.

        Raises:
            StoreError: the driver that the URL asks for is not installed.
        """
        self.url = url
        self.name = shown(url)
        self.dialect = url.get_backend_name()
        self._is_sqlite = self.dialect == "sqlite"
        try:
            self._engine = create_engine(url, hide_parameters=True)
        except ImportError as error:
            raise StoreError(
                f"the store '{self.name}' needs the driver '{error.name}', which is not installed;"
                " install 'psycopg[binary]'"
            ) from error
        if self._is_sqlite:
            _prepare_sqlite(self._engine, busy_timeout_ms, foreign_keys)
        self._writing = self._engine.execution_options(begins="BEGIN IMMEDIATE")
        self._gate = forks.Gate()
        self._closed = False
        forks.watch(self)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Open a transaction to read in; on SQLite it sees one state of the database throughout.

        Raises:
            StoreError: the database cannot be read.
        """
        self._refuse_closed()
        with self._gate, as_store_errors(self.url), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Open a transaction that is committed as a whole at the end, or not at all.

        Raises:
            StoreError: the database cannot be written; nothing of the transaction remains.
        """
        self._refuse_closed()
        with self._gate, as_store_errors(self.url), self._writing.begin() as connection:
            yield connection

    def enter_wal(self) -> None:
        """Let readers and one writer work at the same time; kept in the file, so once is enough.

        Raises:
            StoreError: the file cannot be opened or written.
        """
        if self._is_sqlite:
            bare = self._engine.execution_options(begins=None)
            with self._gate, as_store_errors(self.url), bare.connect() as connection:
                connection.exec_driver_sql("PRAGMA journal_mode = WAL")

    def close(self) -> None:
        """Close every connection; nothing is read or written after it."""
        self._closed = True
        self._engine.dispose()

    def before_fork(self) -> None:
        """Let open transactions end, and close every connection."""
        self._gate.shut()
        self._engine.dispose()

    def after_fork(self, in_child: bool) -> None:
        """Connect again when there is something to do."""
        if in_child:
            self._engine.dispose(close=False)
            self._gate = forks.Gate()
        else:
            self._gate.open()

    def is_closed(self) -> StoreError:
        """Return the error of whoever comes after `close`."""
        return StoreError(f"the store '{self.name}' is closed; open it again")

    def _refuse_closed(self) -> None:
        if self._closed:
            raise self.is_closed()


def _prepare_sqlite(engine: Engine, busy_timeout_ms: int, foreign_keys: bool) -> None:
    pragmas = (
        f"PRAGMA busy_timeout = {busy_timeout_ms}",
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
