"""Opening the store: found, or created when there is none; refused with the cure when it cannot be used.

Only `migrate_store` changes the schema of a store that is there. Whoever runs, reads or writes refuses an old
one: a process must not change tables under the feet of others that work with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import URL, select

from ragproof.errors import StoreError
from ragproof.store.database import Database
from ragproof.store.faults import shown
from ragproof.store.locations import VARIABLE, file_of, is_read_only, locate, prepare_folder
from ragproof.store.schema import Schema, schema_of
from ragproof.store.store import Store
from ragproof.store.tables import STORE_META

if TYPE_CHECKING:
    from ragproof.store.migrating import Migration


def open_store(url: str | None = None, *, create: bool = True) -> Store:
    """Open the store, making a new one where there is none.

    Several processes may open a new store at the same moment: one creates it, the others wait.

    Args:
        url: `sqlite:///FILE` or `postgresql+psycopg://...`; None takes RAGPROOF_STORE_URL, and then
            `.ragproof/ragproof.db` under the working directory.
        create: False makes nothing: no folder, no file and no table.

    Returns:
        An open store; close it, or use it in a `with` block.

    Raises:
        StoreError: the store cannot be reached, has an old schema or that of a newer ragproof, or is absent
            and `create` is False.
    """
    location = locate(url)
    create = create and not is_read_only(location)
    if create:
        prepare_folder(location)
    else:
        _refuse_absent(location)
    database = Database(location)
    try:
        schema = _schema(database)
        if schema is Schema.ABSENT and create:
            from ragproof.store import migrating  # alembic takes longer to load than most commands to run

            migrating.migrate(location, upgrade=False)
            schema = _schema(database)
        if schema is not Schema.CURRENT:
            told = "an old schema" if schema is Schema.OLD else "no schema yet"
            raise StoreError(f"the store '{database.name}' has {told}; run 'ragproof store migrate' first")
        return Store(database, _identity(database))
    except BaseException:
        database.close()
        raise


def migrate_store(url: str | None = None) -> tuple[str, Migration]:
    """Create the store, or bring its schema up to date.

    Args:
        url: as for `open_store`.

    Returns:
        The store's name, and from which schema to which it was brought.

    Raises:
        StoreError: the store cannot be reached or written, or was made by a newer ragproof.
    """
    from ragproof.store import migrating

    location = locate(url)
    if not is_read_only(location):
        prepare_folder(location)
    return shown(location), migrating.migrate(location, upgrade=True)


def _schema(database: Database) -> Schema:
    with database.read() as connection:
        return schema_of(connection, database.name)


def _identity(database: Database) -> str:
    with database.read() as connection:
        return str(connection.scalar(select(STORE_META.c.identity)))


def _refuse_absent(location: URL) -> None:
    file = file_of(location)
    if file is not None and not file.is_file():
        raise StoreError(
            f"there is no store '{file}'; 'ragproof run' or 'ragproof store migrate' makes one,"
            f" and {VARIABLE} names one elsewhere"
        )
