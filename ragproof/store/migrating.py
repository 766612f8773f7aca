"""Bringing a store's schema up to this code.

Loads alembic, which is slow: import this module only when there is work.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import URL, Connection, func, select
from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_random

from ragproof.errors import StoreError
from ragproof.store.database import LOCK_TIMEOUT_MS, Database
from ragproof.store.faults import StoreBusy
from ragproof.store.schema import REVISIONS, Schema, revision_of, schema_of

SCRIPTS = Path(__file__).parent / "migrations"
LOCK_KEY = 0x52_41_47_50
"""An arbitrary number, the same in every process: PostgreSQL's advisory lock for migrating."""
ENCODING = "UTF8"


@dataclass(frozen=True)
class Migration:
    """From which schema to which a store was brought."""

    before: str | None
    """None when there was none."""
    after: str


def configuration(connection: Connection | None = None) -> Config:
    """Build alembic's configuration in code.

    Args:
        connection: where to migrate, inside its open transaction; None to look at the scripts only.
    """
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def migrate(url: URL, *, upgrade: bool) -> Migration:
    """Create the schema, in one transaction; of several processes one does it and the others wait.

    Args:
        url: the store.
        upgrade: whether an old schema is brought up to date too; otherwise it is left as it is.

    Raises:
        StoreError: the database cannot be written, cannot hold every text, or is newer than this code.
    """
    database = Database(url, foreign_keys=False)
    try:
        if database.is_sqlite:
            _enter_wal(database)
        with database.write() as connection:
            if not database.is_sqlite:
                connection.execute(select(func.pg_advisory_xact_lock(LOCK_KEY)))
                _refuse_other_encodings(connection, database.name)
            schema = schema_of(connection, database.name)
            before = None if schema is Schema.ABSENT else revision_of(connection)
            if schema is Schema.ABSENT or (schema is Schema.OLD and upgrade):
                command.upgrade(configuration(connection), "head")
                return Migration(before, REVISIONS[-1])
            return Migration(before, before or REVISIONS[-1])
    finally:
        database.close()


def _enter_wal(database: Database) -> None:
    """Let readers and one writer work at the same time; kept in the file, so once is enough."""
    # SQLite refuses this change at once while another process makes it, whatever the lock timeout
    for attempt in Retrying(
        retry=retry_if_exception_type(StoreBusy),
        stop=stop_after_delay(LOCK_TIMEOUT_MS / 1000),
        wait=wait_random(0.005, 0.05),
        reraise=True,
    ):
        with attempt, database.bare() as connection:
            connection.exec_driver_sql("PRAGMA journal_mode = WAL")


def _refuse_other_encodings(connection: Connection, name: str) -> None:
    encoding = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
    if encoding != ENCODING:
        raise StoreError(
            f"the database '{name}' keeps text as {encoding}, which cannot hold every answer; expected"
            f" {ENCODING}: 'createdb --encoding {ENCODING} --template template0 NAME' makes one"
        )
