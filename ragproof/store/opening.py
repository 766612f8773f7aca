"""Opening the store: found, created or migrated when needed; refused with the cure when it cannot be used."""

from __future__ import annotations

from sqlalchemy import URL, select

from ragproof.errors import StoreError
from ragproof.store.database import Database
from ragproof.store.locations import VARIABLE, file_of, locate, prepare_folder
from ragproof.store.schema import Schema, schema_of
from ragproof.store.store import Store
from ragproof.store.tables import STORE_META


def open_store(url: str | None = None, *, migrate: bool = True) -> Store:
    """Open the store, creating it or bringing its schema up to date first.

    Several processes may open a new store at the same moment: one creates it, the others wait.

    Args:
        url: `sqlite:///FILE` or `postgresql+psycopg://...`; None takes RAGPROOF_STORE_URL, and then
            `.ragproof/ragproof.db` under the working directory.
        migrate: False leaves the database as it is: nothing is created, and an old schema is refused.

    Returns:
        An open store; close it, or use it in a `with` block.

    Raises:
        StoreError: the store cannot be reached, was made by a newer ragproof, or is absent or old and
            `migrate` is False.
    """
    location = locate(url)
    if migrate:
        prepare_folder(location)
    else:
        _refuse_absent(location)
    database = Database(location)
    try:
        if _schema(database) is not Schema.CURRENT:
            _bring_up_to_date(database, migrate)
        return Store(database, _identity(database))
    except BaseException:
        database.close()
        raise


def _schema(database: Database) -> Schema:
    with database.read() as connection:
        return schema_of(connection, database.name)


def _identity(database: Database) -> str:
    with database.read() as connection:
        return str(connection.scalar(select(STORE_META.c.identity)))


def _bring_up_to_date(database: Database, migrate: bool) -> None:
    if not migrate:
        raise StoreError(
            f"the store '{database.name}' has no schema, or an old one; run 'ragproof store migrate' first"
        )
    from ragproof.store import migrating  # alembic takes longer to load than most commands take to run

    migrating.migrate(database.url)


def _refuse_absent(location: URL) -> None:
    file = file_of(location)
    if file is not None and not file.is_file():
        raise StoreError(
            f"there is no store '{file}'; 'ragproof run' or 'ragproof store migrate' makes one,"
            f" and {VARIABLE} names one elsewhere"
        )
