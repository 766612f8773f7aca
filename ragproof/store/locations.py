"""Where the store lies: an argument, else RAGPROOF_STORE_URL, else a file in the working directory."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from ragproof.errors import StoreError, nearest
from ragproof.store.faults import shown

VARIABLE = "RAGPROOF_STORE_URL"
DEFAULT_URL = "sqlite:///.ragproof/ragproof.db"
DRIVERS = ("sqlite", "sqlite+pysqlite", "postgresql", "postgresql+psycopg")
IN_MEMORY = ("", ":memory:", "file:", "file::memory:")
EXPECTED = "expected 'sqlite:///FILE' or 'postgresql+psycopg://USER:PASSWORD@HOST/DATABASE'"


def locate(url: str | None = None, environment: Mapping[str, str] = os.environ) -> URL:
    """Read the store's URL.

    Args:
        url: given by the caller; None or empty takes the environment's, and then the default.
        environment: variables by name.

    Returns:
        A URL of a database that outlives the process.

    Raises:
        StoreError: it is no URL, names a database ragproof cannot use, or lies in memory.
    """
    written = url or environment.get(VARIABLE) or DEFAULT_URL
    try:
        parsed = make_url(written)
    except (ArgumentError, ValueError):  # not quoted: a password may stand anywhere in what cannot be read
        raise StoreError(f"the store's URL cannot be read; {EXPECTED}; set it in {VARIABLE}") from None
    if parsed.drivername not in DRIVERS:
        hint = nearest(parsed.drivername, DRIVERS)
        raise StoreError(f"the store's URL begins with '{parsed.drivername}'; {EXPECTED}{hint}")
    if parsed.get_backend_name() == "sqlite":
        _refuse_unusable(parsed)
        return parsed
    if written.count("@") > 1:  # the part after the first would be taken for the server, and be shown
        raise StoreError(
            f"the store's URL has more than one '@'; write '%40' inside a name or password; {EXPECTED}"
        )
    return _server(parsed)


def file_of(url: URL) -> Path | None:
    """Return the file of an SQLite store; None for a server."""
    if url.get_backend_name() != "sqlite" or not url.database:
        return None
    return Path(url.database.removeprefix("file:"))


def _server(url: URL) -> URL:
    """Name the driver, and put a password where SQLAlchemy hides it."""
    password = url.query.get("password")
    url = url.set(drivername=DRIVERS[-1]).difference_update_query(["password"])
    return url if password is None else url.set(password=str(password))


def is_read_only(url: URL) -> bool:
    """Say whether the URL itself forbids writing (`mode=ro`, or `immutable`, of an SQLite file)."""
    return url.query.get("mode") == "ro" or "immutable" in url.query


def prepare_folder(url: URL) -> None:
    """Make the folder of an SQLite store, kept out of version control when it is new.

    Raises:
        StoreError: something else is in the way, or the folder cannot be made.
    """
    file = file_of(url)
    if file is None:
        return
    if file.is_dir():
        raise StoreError(
            f"the store '{shown(url)}' is a folder; name a file in it: 'sqlite:///{file}/ragproof.db'"
        )
    if file.parent.is_dir():
        return
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        (file.parent / ".gitignore").write_text("*\n", encoding="utf-8")
    except (FileExistsError, NotADirectoryError) as error:
        raise StoreError(
            f"the store's folder '{file.parent}' cannot be made, a file is in the way;"
            f" move it, or set {VARIABLE}"
        ) from error
    except OSError as error:
        raise StoreError(
            f"the store's folder '{file.parent}' cannot be made: {error.strerror}; make it, or set {VARIABLE}"
        ) from error


def _refuse_unusable(url: URL) -> None:
    if (url.database or "") in IN_MEMORY or url.query.get("mode") == "memory":
        raise StoreError(
            "a store in memory is lost when the process ends, and no other process sees it;"
            f" name a file: '{DEFAULT_URL}'"
        )
    if url.query and "uri" not in url.query:
        names = ", ".join(f"'{name}'" for name in url.query)
        raise StoreError(
            f"the store's URL has parameters {names}, and a file takes none; expected 'sqlite:///FILE'"
        )
