"""Which schema a database has, told without loading the migration tool."""

from __future__ import annotations

from enum import Enum

from sqlalchemy import Connection, String, column, inspect, select, table

from ragproof.errors import StoreError
from ragproof.store.tables import METADATA

VERSION_TABLE = "ragproof_version"
"""Our own name: a database may also hold someone else's tables and their `alembic_version`."""
REVISIONS = ("0001", "0002", "0003", "0004", "0005", "0006")
"""Every revision in `migrations/versions`, oldest first."""


class Schema(Enum):
    """Where a database stands against this code."""

    ABSENT = "absent"
    OLD = "old"
    CURRENT = "current"


def schema_of(connection: Connection, name: str) -> Schema:
    """Read a database's schema version.

    Args:
        connection: to the database.
        name: how messages call it.

    Returns:
        How it stands against this code.

    Raises:
        StoreError: it was made by a newer ragproof, or the tables in it are someone else's.
    """
    present = set(inspect(connection).get_table_names())
    if VERSION_TABLE not in present:
        foreign = sorted(present & set(METADATA.tables))
        if foreign:
            raise StoreError(
                f"the database '{name}' has a table '{foreign[0]}' that ragproof did not make;"
                " name another database in RAGPROOF_STORE_URL"
            )
        return Schema.ABSENT
    revision = revision_of(connection)
    if revision is None:
        return Schema.ABSENT
    if revision not in REVISIONS:
        raise StoreError(
            f"the store '{name}' has schema '{revision}', newer than '{REVISIONS[-1]}' of this ragproof;"
            " update ragproof"
        )
    return Schema.CURRENT if revision == REVISIONS[-1] else Schema.OLD


def revision_of(connection: Connection) -> str | None:
    """Read the revision of a database that has our version table; None when it holds none."""
    return connection.scalar(select(column("version_num", String)).select_from(table(VERSION_TABLE)))
