"""Giving the room of deleted rows back, and leaving nothing of them to be read in what is left.

SQLite keeps the text of a deleted row in its file and in its log until something else is written there.
`PRAGMA secure_delete` writes zeros over it, a checkpoint brings them from the log into the file and empties
the log, and VACUUM makes the file anew, smaller, without what earlier changes left in it.
On PostgreSQL VACUUM FULL makes the tables anew; its own log, backups and replicas are the server's.
"""

from __future__ import annotations

from sqlalchemy import Connection

from ragproof.errors import StoreError
from ragproof.store.database import Database
from ragproof.store.leases import Leases
from ragproof.store.tables import METADATA


def overwrite_deleted(connection: Connection) -> None:
    """Let this connection's deletions be overwritten at once, where the database can."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA secure_delete = ON")


def reclaim(database: Database, leases: Leases) -> str | None:
    """Make the store as small as its rows are.

    Args:
        database: what was deleted from.
        leases: who works with it; making a store anew would hold them up.

    Returns:
        None when it is done, otherwise why it was not, with what to do.
    """
    at_work = [lease for lease in leases.all_held() if not lease.abandoned]
    if at_work:
        _checkpoint(database, "PASSIVE")
        return (
            f"the room is not given back while run '{at_work[0].run_id}' is being worked on;"
            " 'ragproof store prune' does it later"
        )
    try:
        return _reclaim(database)
    except StoreError as error:
        return f"the room is not given back: {error}"


def _reclaim(database: Database) -> str | None:
    with database.bare() as connection:
        if database.is_sqlite:
            connection.exec_driver_sql("VACUUM")
        else:
            connection.exec_driver_sql(f"VACUUM (FULL) {', '.join(map(_quoted, METADATA.tables))}")
    if not _checkpoint(database, "TRUNCATE"):
        return "its log is emptied once nobody reads the store; 'ragproof store prune' does it later"
    return None


def _checkpoint(database: Database, how: str) -> bool:
    """Bring what SQLite's log holds into the file; say whether it could be done to the end.

    Args:
        database: the store.
        how: PASSIVE waits for nobody, TRUNCATE empties the log and waits for those who read.
    """
    if not database.is_sqlite:
        return True
    with database.bare() as connection:
        blocked, _, _ = connection.exec_driver_sql(f"PRAGMA wal_checkpoint({how})").one()
    return not blocked


def _quoted(table: str) -> str:
    return f'"{table}"'
