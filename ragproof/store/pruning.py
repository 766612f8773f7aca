"""Removing what is old: runs that ended long ago, and datasets that no run names any more."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, Connection, exists, func, or_, select

from ragproof.frozen import Frozen
from ragproof.runs import RunStatus
from ragproof.store.attempt_statements import lose
from ragproof.store.checking import size_bytes
from ragproof.store.cost_tables import ACCOUNT
from ragproof.store.leases import HeldLease
from ragproof.store.reclaiming import overwrite_deleted, reclaim
from ragproof.store.store import Store
from ragproof.store.tables import DATASET, RUN


class Pruned(Frozen):
    """What is, or would be, removed."""

    before: datetime
    """Runs that ended after it stay."""
    runs: tuple[str, ...] = ()
    """Oldest first."""
    datasets: tuple[str, ...] = ()
    """Hashes."""
    running: tuple[str, ...] = ()
    """Runs that are old enough and that somebody works on, or may: they stay."""
    freed_bytes: int = 0
    not_reclaimed: str | None = None
    """Why the room was not given back; None when it was, or nothing was removed."""


def plan(store: Store, before: datetime, project: str | None = None) -> Pruned:
    """Say what `prune` would remove; nothing is changed.

    Args:
        store: an open store.
        before: runs that ended, or else began, before it are old.
        project: one project's runs and their datasets alone; None is all.
    """
    leases = {lease.run_id: lease for lease in store.leases.all_held()}
    old = func.coalesce(RUN.c.finished_at, RUN.c.started_at, type_=RUN.c.started_at.type) < before
    query = select(RUN.c.id, RUN.c.status).where(old).order_by(RUN.c.started_at, RUN.c.id)
    if project is not None:
        query = query.where(RUN.c.project == project)
    with store.database.read() as connection:
        rows = connection.execute(query).all()
        busy = {row.id for row in rows if _is_busy(row.status, leases.get(row.id))}
        runs = tuple(row.id for row in rows if row.id not in busy)
        datasets = _unnamed(connection, before, runs, of_these_alone=project is not None)
    return Pruned(
        before=before,
        runs=runs,
        datasets=datasets,
        running=tuple(row.id for row in rows if row.id in busy),
    )


def prune(store: Store, planned: Pruned) -> Pruned:
    """Remove what was planned, each run by itself: whoever works meanwhile waits for no more than one.

    Args:
        store: an open store.
        planned: by `plan`; what is in use by now stays.

    Returns:
        What was removed.

    Raises:
        StoreError: the database cannot be written; what was removed so far is gone, each run as a whole.
    """
    before = _size(store)
    runs = tuple(run_id for run_id in planned.runs if _removed(store, run_id))
    datasets = tuple(hash for hash in planned.datasets if _forgotten(store, hash, planned.before))
    told = reclaim(store.database, store.leases)
    return planned.model_copy(
        update={
            "runs": runs,
            "datasets": datasets,
            "freed_bytes": max(0, before - _size(store)),
            "not_reclaimed": told,
        }
    )


def _is_busy(status: str, lease: HeldLease | None) -> bool:
    if lease is None:
        return status == RunStatus.RUNNING.value
    return not lease.abandoned


def _unnamed(
    connection: Connection, before: datetime, pruned: tuple[str, ...], of_these_alone: bool
) -> tuple[str, ...]:
    """Find the old datasets that no run names once these are gone."""
    going = set(pruned)
    named: set[str | None] = set()
    left: set[str | None] = set()
    for run_id, hash in connection.execute(select(RUN.c.id, RUN.c.dataset_hash)):
        (left if run_id in going else named).add(hash)
    query = select(DATASET.c.hash).where(_unused_since(before)).order_by(DATASET.c.hash)
    found = (hash for hash in connection.scalars(query) if hash not in named)
    return tuple(hash for hash in found if hash in left or not of_these_alone)


def _unused_since(before: datetime) -> ColumnElement[bool]:
    return or_(DATASET.c.used_at.is_(None), DATASET.c.used_at < before)


def _removed(store: Store, run_id: str) -> bool:
    """Remove one run with all its rows, unless somebody took it meanwhile."""
    with store.database.write() as connection:
        overwrite_deleted(connection)
        held = store.leases.block(connection, [run_id])
        status = connection.scalar(select(RUN.c.status).where(RUN.c.id == run_id).with_for_update())
        if status is None or _is_busy(status, next(iter(held), None)):
            return False
        lose(connection, [run_id], store.clock())  # else its project would hold the money back for ever
        connection.execute(RUN.delete().where(RUN.c.id == run_id))
        connection.execute(ACCOUNT.delete().where(ACCOUNT.c.name == f"run:{run_id}"))
    return True


def _forgotten(store: Store, hash: str, before: datetime) -> bool:
    """Remove one dataset, unless it came into use meanwhile."""
    unnamed = ~exists().where(RUN.c.dataset_hash == DATASET.c.hash)
    with store.database.write() as connection:
        overwrite_deleted(connection)
        query = DATASET.delete().where(DATASET.c.hash == hash, _unused_since(before), unnamed)
        return connection.execute(query).rowcount > 0


def _size(store: Store) -> int:
    with store.database.read() as connection:
        return size_bytes(store.database, connection)
