"""INSERT ... ON CONFLICT, which SQLite and PostgreSQL spell alike and SQLAlchemy keeps per dialect."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Insert, Table
from sqlalchemy.dialects import sqlite

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql


def _insert(table: Table, dialect: str) -> sqlite.Insert | postgresql.Insert:
    if dialect == "postgresql":
        from sqlalchemy.dialects import postgresql  # slow to load, and most stores are files

        return postgresql.insert(table)
    return sqlite.insert(table)


@cache
def insert_new(table: Table, dialect: str) -> Insert:
    """Return an insert that leaves rows alone whose key is there already."""
    return _insert(table, dialect).on_conflict_do_nothing()


def is_new(connection: Connection, table: Table, row: Mapping[str, object]) -> bool:
    """Insert a row and say whether it was new; one whose key is there already is left alone."""
    insert = insert_new(table, connection.dialect.name).returning(*table.primary_key)
    return connection.execute(insert, row).first() is not None


@cache
def put(table: Table, dialect: str) -> Insert:
    """Return an insert that replaces every other column of a row whose primary key is there already."""
    insert = _insert(table, dialect)
    key = [column.name for column in table.primary_key]
    replaced = {
        column.name: insert.excluded[column.name] for column in table.columns if column.name not in key
    }
    return insert.on_conflict_do_update(index_elements=key, set_=replaced)
