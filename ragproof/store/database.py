"""One database: what a read and a write transaction are, and how long it may be away."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TypeVar

from sqlalchemy import URL, Connection, Engine

from ragproof.errors import StoreError
from ragproof.store import forks
from ragproof.store.engines import engines_of
from ragproof.store.faults import StoreAway, as_store_errors, shown
from ragproof.store.outages import again

T = TypeVar("T")
LOCK_TIMEOUT_MS = 30_000
"""How long a statement waits for another process's lock."""
PATIENCE_SECONDS = 60.0
"""How long work waits for a database that was there and is away."""


class Database:
    """Connections to one database; safe to share between threads, and usable in a forked child."""

    def __init__(
        self,
        url: URL,
        *,
        lock_timeout_ms: int = LOCK_TIMEOUT_MS,
        patience_seconds: float = PATIENCE_SECONDS,
        foreign_keys: bool = True,
    ) -> None:
        """Prepare connections; none is made yet.

        Args:
            url: an SQLite file or a PostgreSQL database.
            lock_timeout_ms: how long a statement waits for another process's lock.
            patience_seconds: how long `outlast` waits for a database that was there and is away; 0 is not at
                all.
            foreign_keys: False only while migrating, where SQLite's rebuilding of a table must not cascade.

        Raises:
            StoreError: the driver that the URL asks for is not installed.
        """
        self.url = url.set(query={})  # its printed form would show a key's password among the parameters
        self.name = shown(url)
        self.dialect = url.get_backend_name()
        self.is_sqlite = self.dialect == "sqlite"
        try:
            self._engines = engines_of(url, lock_timeout_ms, foreign_keys)
        except ImportError as error:
            raise StoreError(
                f"the store '{self.name}' needs the driver 'psycopg', which cannot be loaded; install"
                " 'ragproof-flows[postgres]', or 'psycopg[binary]'"
            ) from error
        self._patience_seconds = patience_seconds
        self._gate = forks.Gate()
        self._turn = self._turns()
        self._reached = False
        self._closed = False
        forks.watch(self)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Open a transaction to read in; it sees one state of the database throughout.

        Raises:
            StoreError: the database cannot be read.
        """
        with self._connected(self._engines.reading) as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Open a transaction that is committed as a whole at the end, or not at all.

        Raises:
            StoreAway: it broke; after a break at the very end nobody can know whether it was committed.
            StoreError: the database cannot be written; nothing of the transaction remains.
        """
        with self._turn, self._connected(self._engines.writing) as connection, connection.begin():
            yield connection

    @contextmanager
    def bare(self) -> Iterator[Connection]:
        """Connect without a transaction: each statement is one of its own.

        Raises:
            StoreError: the database cannot be used.
        """
        with self._connected(self._engines.bare) as connection:
            yield connection

    def outlast(self, work: Callable[[], T]) -> T:
        """Do what may be done twice; when the database goes away meanwhile, do it again once it is back.

        A database that this process never reached is not waited for: its URL may be wrong.

        Args:
            work: whole transactions; those of them that were committed may be done again.

        Raises:
            StoreError: what `work` raises, or the database stayed away too long.
        """
        try:
            return work()
        except StoreAway:
            if not self._reached or self._patience_seconds <= 0:
                raise
        return again(work, self._patience_seconds)

    def close(self) -> None:
        """Close every connection; nothing is read or written after it."""
        self._closed = True
        self._engines.dispose()

    def before_fork(self) -> None:
        """Let open transactions end, and close every connection."""
        self._gate.shut()
        self._engines.dispose()

    def after_fork(self, in_child: bool) -> None:
        """Connect again when there is something to do."""
        if in_child:
            self._engines.dispose(close=False)
            self._gate = forks.Gate()
            self._turn = self._turns()
        else:
            self._gate.open()

    def _turns(self) -> AbstractContextManager[object]:
        """Return what makes this process's writers to SQLite wait in a row.

        SQLite lets one write at a time: the others would wake up again and again to look for its lock, and
        each connection would find that what it remembers of the file is out of date.
        """
        return threading.RLock() if self.is_sqlite else nullcontext()

    def is_closed(self) -> StoreError:
        """Return the error of whoever comes after `close`."""
        return StoreError(f"the store '{self.name}' is closed; open it again")

    @contextmanager
    def _connected(self, engine: Engine) -> Iterator[Connection]:
        if self._closed:
            raise self.is_closed()
        with self._gate, as_store_errors(self.url):
            with as_store_errors(self.url, connecting=True):
                connection = engine.connect()
            self._reached = True
            with connection:
                yield connection
