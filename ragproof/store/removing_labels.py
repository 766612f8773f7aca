"""Removing human labels: those of a run, or those that one person gave, wherever they are."""

from __future__ import annotations

from sqlalchemy import ColumnElement, func, select

from ragproof.frozen import Frozen
from ragproof.store.label_tables import LABEL
from ragproof.store.reclaiming import overwrite_deleted, reclaim
from ragproof.store.store import Store


class Unwanted(Frozen):
    """Which labels; all that is named has to hold, and something has to be named."""

    run_id: str | None = None
    metric: str | None = None
    labeller: str | None = None

    def conditions(self) -> list[ColumnElement[bool]]:
        """Return what picks them out."""
        named = {name: value for name, value in self.model_dump().items() if value is not None}
        if not named:
            raise ValueError("no label is meant; expected a run, a metric or a labeller")
        return [LABEL.c[name] == value for name, value in named.items()]


class Removed(Frozen):
    """What is, or would be, removed."""

    labels: int
    runs: tuple[str, ...]
    """Those that lose labels, by id."""
    not_reclaimed: str | None = None
    """Why the room was not given back; None when it was, or nothing was removed."""


def plan(store: Store, unwanted: Unwanted) -> Removed:
    """Say what `remove` would remove; nothing is changed."""
    counted = select(LABEL.c.run_id, func.count().label("labels")).where(*unwanted.conditions())
    with store.database.read() as connection:
        found = {row.run_id: row.labels for row in connection.execute(counted.group_by(LABEL.c.run_id))}
    return Removed(labels=sum(found.values()), runs=tuple(sorted(found)))


def remove(store: Store, unwanted: Unwanted) -> Removed:
    """Remove labels, and what the database kept of them: a labeller's name is a person's.

    Args:
        store: an open store.
        unwanted: which.

    Raises:
        StoreError: the database cannot be written; nothing is removed.
    """
    planned = plan(store, unwanted)
    with store.database.write() as connection:
        overwrite_deleted(connection)
        removed = connection.execute(LABEL.delete().where(*unwanted.conditions())).rowcount
    told = reclaim(store.database, store.leases) if removed else None
    return planned.model_copy(update={"labels": removed, "not_reclaimed": told})
