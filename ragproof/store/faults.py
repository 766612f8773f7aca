"""What went wrong in the database, in words for the person who ran the command, with the cure."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from ragproof.errors import StoreError

CURES = {
    "SQLITE_BUSY": "is locked by another process; wait for it to finish, or stop it",
    "SQLITE_LOCKED": "is locked by another process; wait for it to finish, or stop it",
    "SQLITE_FULL": "has no room to grow; free disk space and resume the run, nothing settled is lost",
    "SQLITE_READONLY": "cannot be written; make the file and its folder writable, or set RAGPROOF_STORE_URL",
    "SQLITE_CANTOPEN": "cannot be opened; see that its folder is writable, or set RAGPROOF_STORE_URL",
    "SQLITE_NOTADB": "is not an SQLite database; move the file away, or set RAGPROOF_STORE_URL",
    "SQLITE_CORRUPT": "is damaged; move the file away, or restore a copy of it",
    "SQLITE_IOERR": "cannot be read or written by the operating system; check the disk and its free space",
}


def shown(url: URL) -> str:
    """Return a store's name for messages: the file, or the server and database; never a password."""
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    return url.set(query={}).render_as_string(hide_password=True)


@contextmanager
def as_store_errors(url: URL) -> Iterator[None]:
    """Raise StoreError for whatever the database refuses; statements and their values are never quoted."""
    try:
        yield
    except IntegrityError as error:
        raise StoreError(f"the store '{shown(url)}' refused a row: {_integrity(error)}") from error
    except DBAPIError as error:
        raise StoreError(f"the store '{shown(url)}' {_cause(error)}") from error
    except SQLAlchemyError as error:
        cause = str(error).splitlines()[0]
        raise StoreError(f"the store '{shown(url)}' cannot be used: {cause}") from error


def is_busy(error: BaseException) -> bool:
    """Say whether a StoreError is about another process's lock."""
    refused = error.__cause__
    return isinstance(refused, DBAPIError) and _code(refused).startswith("SQLITE_BUSY")


def _code(error: DBAPIError) -> str:
    return str(getattr(error.orig, "sqlite_errorname", ""))


def _cause(error: DBAPIError) -> str:
    for prefix, cure in CURES.items():
        if _code(error).startswith(prefix):
            return cure
    return f"cannot be used: {_first_line(error)}"


def _integrity(error: IntegrityError) -> str:
    cause = _first_line(error)
    if "foreign key" in cause.casefold():
        return "the run or dataset it belongs to is not there; start the run first, or run it again"
    return cause


def _first_line(error: DBAPIError) -> str:
    lines = str(error.orig).splitlines()
    return lines[0] if lines else type(error.orig).__name__
