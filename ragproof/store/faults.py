"""What went wrong in the database, in words for the person who ran the command, with the cure.

The driver's own error is not chained to ours: PostgreSQL quotes whole rows in it, and tracebacks reach logs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from ragproof.errors import StoreError

_LOCKED = "is locked by another process; wait for it to finish, or stop it"
_FULL = "has no room to grow; free disk space and resume the run, nothing settled is lost"
FILE_CURES = {
    "SQLITE_BUSY": _LOCKED,
    "SQLITE_LOCKED": _LOCKED,
    "SQLITE_FULL": _FULL,
    "SQLITE_READONLY": "cannot be written; make the file and its folder writable, or set RAGPROOF_STORE_URL",
    "SQLITE_CANTOPEN": "cannot be opened; see that its folder is writable, or set RAGPROOF_STORE_URL"
    " (a store on a read-only disk opens as 'sqlite:///file:FILE?immutable=1&uri=true')",
    "SQLITE_NOTADB": "is not an SQLite database; move the file away, or set RAGPROOF_STORE_URL",
    "SQLITE_CORRUPT": "is damaged; move the file away, or restore a copy of it",
    "SQLITE_IOERR": "cannot be read or written by the operating system; check the disk and its free space",
}
"""By the beginning of SQLite's name of an error."""
SERVER_CURES = {
    "25006": "is read-only here; name a role and a server that may write in RAGPROOF_STORE_URL",
    "42501": "is not open to this role; grant it its rights on the tables, or name another role in"
    " RAGPROOF_STORE_URL",
    "53100": _FULL,
    "55P03": _LOCKED,
}
"""By SQLSTATE."""
PASSING = ("08", "40001", "40P01", "53300", "57P01", "57P02", "57P03")
"""Beginnings of the SQLSTATEs of what passes: a lost connection, a restart, a deadlock, a full server."""


class StoreAway(StoreError):
    """The database went away, or gave a transaction up: the same again may succeed."""


class StoreBusy(StoreError):
    """Another process holds the database's lock."""


def shown(url: URL) -> str:
    """Return a store's name for messages: the file, or the server and database; never a password."""
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    return url.set(query={}).render_as_string(hide_password=True)


@contextmanager
def as_store_errors(url: URL, *, connecting: bool = False) -> Iterator[None]:
    """Raise StoreError for whatever the database refuses; statements and their values are never quoted.

    Args:
        url: the store.
        connecting: whether the database is not reached yet.
    """
    try:
        yield
    except IntegrityError as error:
        raise StoreError(f"the store '{shown(url)}' refused a row: {_integrity(error)}") from None
    except DBAPIError as error:
        raise _told(url, error, connecting) from None
    except SQLAlchemyError as error:
        cause = str(error).splitlines()[0]
        raise StoreError(f"the store '{shown(url)}' cannot be used: {cause}") from error


def _told(url: URL, error: DBAPIError, connecting: bool) -> StoreError:
    store = f"the store '{shown(url)}'"
    if url.get_backend_name() == "sqlite":
        name = str(getattr(error.orig, "sqlite_errorname", ""))
        kind = StoreBusy if name.startswith("SQLITE_BUSY") else StoreError
        return kind(f"{store} {_cure(name, FILE_CURES) or _unknown(error)}")
    state = str(getattr(error.orig, "sqlstate", None) or "")
    if state.startswith(PASSING) or error.connection_invalidated or (connecting and not state):
        return StoreAway(
            f"{store} cannot be reached: {_first_line(error)}; see that the server runs and that"
            " RAGPROOF_STORE_URL names it"
        )
    return StoreError(f"{store} {_cure(state, SERVER_CURES) or _unknown(error)}")


def _cure(code: str, cures: Mapping[str, str]) -> str | None:
    return next((cure for beginning, cure in cures.items() if code.startswith(beginning)), None)


def _unknown(error: DBAPIError) -> str:
    return f"cannot be used: {_first_line(error)}"


def _integrity(error: IntegrityError) -> str:
    cause = _first_line(error)
    if "foreign key" in cause.casefold():
        return "the run or dataset it belongs to is not there; start the run first, or run it again"
    return cause


def _first_line(error: DBAPIError) -> str:
    lines = str(error.orig).splitlines()
    return lines[0] if lines else type(error.orig).__name__
