"""Whether a store is sound: what the database itself says, its tables, and rows that belong to nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import Connection, ForeignKeyConstraint, Table, and_, exists, func, inspect, select

from ragproof.errors import StoreError
from ragproof.frozen import Frozen
from ragproof.runs import RunStatus
from ragproof.store.database import Database
from ragproof.store.leases import HeldLease
from ragproof.store.locations import file_of
from ragproof.store.schema import REVISIONS
from ragproof.store.store import Store
from ragproof.store.tables import DATASET, DATASET_CASE, METADATA, RUN

SHOWN_FAULTS = 20


class Checked(Frozen):
    """What was found in a store; empty where damage left nothing to be found."""

    store: str
    identity: str
    schema_revision: str = REVISIONS[-1]
    size_bytes: int = 0
    """Of the file and its log, or of the tables and their indexes on a server."""
    rows: dict[str, int] = {}
    """By table."""
    faults: tuple[str, ...]
    """What is damaged, or not as this ragproof made it; empty is sound."""
    erased_cases: int = 0
    """Cases of datasets that were erased on request."""
    leases: tuple[HeldLease, ...] = ()
    interrupted_runs: tuple[str, ...] = ()
    """Runs that say they are running and whose process is gone."""
    unled_runs: tuple[str, ...] = ()
    """Runs that say they are running and that no process ever took, or one gave back."""

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


def check(store: Store) -> Checked:
    """Look through the whole store; nothing is changed.

    Args:
        store: an open one, so its schema is current.

    Raises:
        StoreError: the database is damaged so far that it cannot be read.
    """
    with store.database.read() as connection:
        faults = tuple(_integrity(connection))
    try:
        return _looked_through(store, faults)
    except StoreError as error:
        if not faults:
            raise
        return Checked(store=store.name, identity=store.identity, faults=(*faults, str(error)))


def _looked_through(store: Store, damage: tuple[str, ...]) -> Checked:
    leases = store.leases.all_held()
    silent = {lease.run_id for lease in leases if lease.abandoned}
    with store.database.read() as connection:
        running = set(connection.scalars(select(RUN.c.id).where(RUN.c.status == RunStatus.RUNNING.value)))
        tables = [table for table in METADATA.sorted_tables if inspect(connection).has_table(table.name)]
        return Checked(
            store=store.name,
            identity=store.identity,
            size_bytes=size_bytes(store.database, connection),
            rows={table.name: _count(connection, table) for table in tables},
            faults=(*damage, *_schema(connection), *_orphans(connection, tables)),
            erased_cases=_erased(connection) if {DATASET, DATASET_CASE} <= set(tables) else 0,
            leases=leases,
            interrupted_runs=tuple(sorted(running & silent)),
            unled_runs=tuple(sorted(running - {lease.run_id for lease in leases})),
        )


def size_bytes(database: Database, connection: Connection) -> int:
    """Return how much room a store takes on its disk."""
    file = file_of(database.url)
    if file is not None:
        parts = [file, *(file.with_name(f"{file.name}{ending}") for ending in ("-wal", "-shm"))]
        return sum(part.stat().st_size for part in parts if part.is_file())
    sizes = [
        connection.scalar(select(func.pg_total_relation_size(func.to_regclass(name))))
        for name in METADATA.tables
    ]
    return sum(int(size or 0) for size in sizes)


def _integrity(connection: Connection) -> Iterator[str]:
    """What the database says of its own pages and indexes."""
    if connection.dialect.name == "sqlite":
        told = connection.exec_driver_sql(f"PRAGMA integrity_check({SHOWN_FAULTS})").scalars()
        yield from (f"the database says: {line}" for line in told if line != "ok")
        return
    broken = connection.exec_driver_sql(
        "SELECT indexrelid::regclass::text FROM pg_index JOIN pg_class ON pg_class.oid = indrelid"
        " WHERE NOT indisvalid AND relnamespace = current_schema()::regnamespace ORDER BY 1"
    ).scalars()
    yield from (f"the index '{name}' is not valid; 'REINDEX INDEX {name}' makes it again" for name in broken)
    failed = connection.exec_driver_sql(
        "SELECT checksum_failures FROM pg_stat_database WHERE datname = current_database()"
    ).scalar()
    if failed:
        yield f"the server found {failed} damaged pages in this database; restore a copy of it"


def _schema(connection: Connection) -> Iterator[str]:
    """Tables, columns and indexes that are missing."""
    inspector = inspect(connection)
    present = set(inspector.get_table_names())
    for table in METADATA.sorted_tables:
        if table.name not in present:
            yield f"the table '{table.name}' is missing; restore a copy of the store"
            continue
        columns = {column["name"] for column in inspector.get_columns(table.name)}
        for column in (column.name for column in table.columns):
            if column not in columns:
                yield f"the table '{table.name}' has no column '{column}'; restore a copy of the store"
        indexes = {index["name"] for index in inspector.get_indexes(table.name)}
        for index in sorted(str(index.name) for index in table.indexes):
            if index not in indexes:
                yield f"the table '{table.name}' has no index '{index}'; reading it will be slow"


def _orphans(connection: Connection, tables: Sequence[Table]) -> Iterator[str]:
    """Rows whose run or dataset is not there."""
    for table in tables:
        for key in sorted(table.foreign_key_constraints, key=lambda key: str(key.name)):
            parent = key.referred_table
            lost = _orphaned(connection, key) if parent in tables else 0
            if lost:
                yield f"{lost:,} rows of '{table.name}' belong to a {parent.name} that is not there"
    if not {RUN, DATASET} <= set(tables):
        return
    named = exists().where(DATASET.c.hash == RUN.c.dataset_hash)
    query = select(func.count()).select_from(RUN).where(RUN.c.dataset_hash.is_not(None), ~named)
    lost = connection.scalar(query) or 0
    if lost:
        yield f"{lost:,} runs name a dataset that is not there; their cases cannot be shown, nor they resumed"


def _orphaned(connection: Connection, key: ForeignKeyConstraint) -> int:
    parent = and_(*(element.parent == element.column for element in key.elements))
    query = select(func.count()).select_from(key.table).where(~exists().where(parent))
    return connection.scalar(query) or 0


def _erased(connection: Connection) -> int:
    told = connection.scalar(select(func.sum(DATASET.c.cases))) or 0
    return int(told) - _count(connection, DATASET_CASE)


def _count(connection: Connection, table: Table) -> int:
    return connection.scalar(select(func.count()).select_from(table)) or 0
