"""The databases that every promise of the store is held on."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine

from ragproof.store.opening import open_store
from tests.fakes import postgres

KINDS = ("sqlite", "postgresql")
ON_BOTH = pytest.mark.parametrize("kind", KINDS)


@contextmanager
def new_url(kind: str) -> Iterator[str]:
    """Have a database without anything in it while the block lasts; its value is the URL."""
    if kind == "sqlite":
        with tempfile.TemporaryDirectory() as folder:
            yield f"sqlite:///{Path(folder, 'store.db')}"
    else:
        with postgres.database() as name:
            yield postgres.text(postgres.server().url(name))


@contextmanager
def store_url(kind: str) -> Iterator[str]:
    """Have a store without runs while the block lasts; its value is the URL."""
    if kind == "sqlite":
        with new_url(kind) as url:
            open_store(url).close()
            yield url
    else:
        name = _emptied()
        yield postgres.text(postgres.server().url(name))


def execute(url: str, *statements: str) -> list[tuple[Any, ...]]:
    """Execute statements behind ragproof's back, in one transaction; return the rows of the last."""
    engine = create_engine(url)
    try:
        with engine.begin() as connection:
            for statement in statements:
                result = connection.exec_driver_sql(statement)
            return [tuple(row) for row in result] if result.returns_rows else []
    finally:
        engine.dispose()


def _emptied() -> str:
    """Empty the store that these tests share: a tenth of the time that making one takes."""
    name = _shared()
    postgres.server().execute("TRUNCATE run, dataset, account, calibration CASCADE", database=name)
    return name


@cache
def _shared() -> str:
    name = postgres.server().new_database()
    open_store(postgres.text(postgres.server().url(name))).close()
    return name
