"""INSERT ... ON CONFLICT, which SQLite and PostgreSQL spell alike and SQLAlchemy keeps per dialect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Insert, Table, bindparam
from sqlalchemy.dialects import registry, sqlite

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql

ROWS_A_STATEMENT = 100
"""SQLite prepares a table's checks once a statement, and takes 32,766 values in one."""


def inserting(table: Table, dialect: str) -> sqlite.Insert | postgresql.Insert:
    """Return an insert of the dialect, to say what happens where a row is there already."""
    if dialect == "postgresql":
        from sqlalchemy.dialects import postgresql  # slow to load, and most stores are files

        return postgresql.insert(table)
    return sqlite.insert(table)


@cache
def insert_new(table: Table, dialect: str) -> Insert:
    """Return an insert that leaves rows alone whose key is there already."""
    return inserting(table, dialect).on_conflict_do_nothing()


def is_new(connection: Connection, table: Table, row: Mapping[str, object]) -> bool:
    """Insert a row and say whether it was new; one whose key is there already is left alone."""
    insert = insert_new(table, connection.dialect.name).returning(*table.primary_key)
    return connection.execute(insert, row).first() is not None


@cache
def put(table: Table, dialect: str) -> Insert:
    """Return an insert that replaces every other column of a row whose primary key is there already."""
    insert = inserting(table, dialect)
    key = [column.name for column in table.primary_key]
    replaced = {
        column.name: insert.excluded[column.name] for column in table.columns if column.name not in key
    }
    return insert.on_conflict_do_update(index_elements=key, set_=replaced)


def put_all(connection: Connection, table: Table, rows: Sequence[tuple[Any, ...]]) -> None:
    """Put many rows through the driver itself: SQLAlchemy takes as long for a row as the database does.

    Args:
        connection: a transaction that writes.
        table: where to.
        rows: values in the table's order of columns, as the database keeps them; no key twice; empty does
            nothing.
    """
    dialect = connection.dialect.name
    whole = len(rows) - len(rows) % ROWS_A_STATEMENT
    for start in range(0, whole, ROWS_A_STATEMENT):
        values = tuple(chain.from_iterable(rows[start : start + ROWS_A_STATEMENT]))
        connection.exec_driver_sql(_put_by_place(table, dialect, ROWS_A_STATEMENT), values)
    if rest := [*rows[whole:]]:
        connection.exec_driver_sql(_put_by_place(table, dialect, 1), rest)


@cache
def _put_by_place(table: Table, dialect: str, rows: int) -> str:
    """Write `put` out for so many rows, with values by their place, as both drivers take them."""
    driver, style = ("postgresql.psycopg", "format") if dialect == "postgresql" else ("sqlite", "qmark")
    values = [
        {column.name: bindparam(f"{column.name}_{row}", type_=column.type) for column in table.columns}
        for row in range(rows)
    ]
    return str(put(table, dialect).values(values).compile(dialect=registry.load(driver)(paramstyle=style)))
