"""Bringing a store's schema up to this code.

Loads alembic, which is slow: import this module only when there is work.
"""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import URL, Connection, func, select
from tenacity import Retrying, retry_if_exception, stop_after_delay, wait_random

from ragproof.store.database import BUSY_TIMEOUT_MS, Database
from ragproof.store.faults import is_busy
from ragproof.store.schema import Schema, schema_of

SCRIPTS = Path(__file__).parent / "migrations"
LOCK_KEY = 0x52_41_47_50
"""An arbitrary number, the same in every process: PostgreSQL's advisory lock for migrating."""


def configuration(connection: Connection | None = None) -> Config:
    """Build alembic's configuration in code.

    Args:
        connection: where to migrate, inside its open transaction; None to look at the scripts only.
    """
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def migrate(url: URL) -> None:
    """Create or upgrade the schema in one transaction; of several processes one does it and the others wait.

    Args:
        url: the store.

    Raises:
        StoreError: the database cannot be written, or is newer than this code.
    """
    database = Database(url, foreign_keys=False)
    try:
        _enter_wal(database)
        with database.write() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(select(func.pg_advisory_xact_lock(LOCK_KEY)))
            if schema_of(connection, database.name) is not Schema.CURRENT:
                command.upgrade(configuration(connection), "head")
    finally:
        database.close()


def _enter_wal(database: Database) -> None:
    # SQLite refuses this change at once while another process makes it, whatever the busy timeout
    for attempt in Retrying(
        retry=retry_if_exception(is_busy),
        stop=stop_after_delay(BUSY_TIMEOUT_MS / 1000),
        wait=wait_random(0.005, 0.05),
        reraise=True,
    ):
        with attempt:
            database.enter_wal()
