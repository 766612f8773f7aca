"""Who works on a run: one process at a time, and one that lost its lease can write nothing more.

A lease has an end, which its holder keeps moving, and a fence: a number that grows each time the run changes
hands. Every write of a holder is checked against the fence inside its own transaction, so a process that
slept through its lease (a stopped laptop, a long pause) is told so by the database, not by a clock.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, Select, Update, select

from ragproof.errors import StoreError
from ragproof.frozen import Frozen
from ragproof.holders import Holder
from ragproof.store.database import Database
from ragproof.store.outages import outlasting
from ragproof.store.tables import LEASE
from ragproof.store.upserts import insert_new

LEASE_SECONDS = 30.0
"""How long a holder may be silent before another process may go on with its run."""


class LeaseLost(StoreError):
    """Another process works on the run by now; this one has to stop."""


class HeldLease(Frozen):
    """Somebody's hold on a run."""

    run_id: str
    holder: str
    until: datetime
    abandoned: bool
    """The holder is gone, or has been silent for too long: another process may take the run."""


class Leases:
    """The lease table, and the leases this process holds."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock
        self._held: dict[str, int] = {}

    def acquire(self, run_id: str, holder: Holder, seconds: float = LEASE_SECONDS) -> int:
        """Take a run, when nobody works on it.

        Args:
            run_id: a run in the store.
            holder: who takes it.
            seconds: how long the lease lasts without being renewed.

        Returns:
            The fence: larger than every earlier holder's.

        Raises:
            StoreError: somebody holds it, or there is no such run.
        """
        now = self._clock()
        taken = {"until": now + timedelta(seconds=seconds), **holder.model_dump()}
        self._held[run_id] = self._take(run_id, now, taken)
        return self._held[run_id]

    @outlasting
    def _take(self, run_id: str, now: datetime, taken: Mapping[str, Any]) -> int:
        with self._database.write() as connection:
            connection.execute(insert_new(LEASE, self._database.dialect), [{"run_id": run_id, "fence": 0}])
            query = select(LEASE).where(LEASE.c.run_id == run_id).with_for_update()
            row = connection.execute(query).one_or_none()
            if row is None:
                raise StoreError(f"run '{run_id}' was removed just now; start a new one")
            if all(getattr(row, name) == value for name, value in taken.items()):
                return int(row.fence)  # written by the attempt before, whose commit broke off unheard
            if row.until is not None and row.until > now and not _holder(row).is_gone():
                raise StoreError(
                    f"run '{run_id}' is being worked on by {_holder(row)}; wait for it, or stop it and"
                    f" try again after {row.until:%H:%M:%S %Z}"
                )
            fence = int(row.fence) + 1
            connection.execute(LEASE.update().where(LEASE.c.run_id == run_id).values(fence=fence, **taken))
        return fence

    def adopt(self, run_id: str, fence: int) -> None:
        """Write for a lease that another process of the same run acquired (a distributed worker's)."""
        self._held[run_id] = max(fence, self._held.get(run_id, 0))

    @outlasting
    def renew(self, run_id: str, seconds: float = LEASE_SECONDS) -> None:
        """Move the end of a held lease.

        Raises:
            LeaseLost: another process has taken the run.
        """
        until = self._clock() + timedelta(seconds=seconds)
        with self._database.write() as connection:
            if not connection.execute(
                self._mine(run_id, self._held.get(run_id)).values(until=until)
            ).rowcount:
                raise _lost(run_id)

    def release(self, run_id: str) -> None:
        """Let others take the run at once; nothing happens when the lease is lost already."""
        fence = self._held.pop(run_id, None)
        if fence is not None:
            self._give_up(run_id, fence)

    @outlasting
    def _give_up(self, run_id: str, fence: int) -> None:
        with self._database.write() as connection:
            connection.execute(self._mine(run_id, fence).values(until=None))

    @staticmethod
    def _mine(run_id: str, fence: int | None) -> Update:
        return LEASE.update().where(LEASE.c.run_id == run_id, LEASE.c.fence == fence)

    def abandoned(self, run_ids: Iterable[str]) -> frozenset[str]:
        """Return which of these runs have a holder that is gone, or has been silent for too long."""
        return frozenset(lease.run_id for lease in self.all_held() if lease.abandoned) & frozenset(run_ids)

    @outlasting
    def all_held(self) -> tuple[HeldLease, ...]:
        """Read every lease that was not given back, by run id."""
        with self._database.read() as connection:
            return self._standing(connection, select(LEASE).where(LEASE.c.until.is_not(None)))

    def block(self, connection: Connection, run_ids: Collection[str]) -> tuple[HeldLease, ...]:
        """Keep runs from being taken until a transaction ends; return the leases that are held on them.

        Args:
            connection: a transaction that writes.
            run_ids: those that exist and were ever taken are kept from others.
        """
        return self._standing(connection, select(LEASE).where(LEASE.c.run_id.in_(run_ids)).with_for_update())

    def _standing(self, connection: Connection, query: Select[Any]) -> tuple[HeldLease, ...]:
        now = self._clock()
        return tuple(
            HeldLease(
                run_id=row.run_id,
                holder=str(_holder(row)),
                until=row.until,
                abandoned=row.until < now or _holder(row).is_gone(),
            )
            for row in connection.execute(query.order_by(LEASE.c.run_id))
            if row.until is not None
        )

    def check(self, connection: Connection, run_ids: Iterable[str]) -> None:
        """Refuse a transaction of a process whose lease has passed to another, and hold it until its end.

        Args:
            connection: the transaction about to write.
            run_ids: the runs it writes of; those this process holds no lease on are not looked at.

        Raises:
            LeaseLost: the run has a larger fence by now.
        """
        for run_id in {run_id for run_id in run_ids if run_id in self._held}:
            fence = connection.scalar(
                select(LEASE.c.fence).where(LEASE.c.run_id == run_id).with_for_update(read=True)
            )
            if fence != self._held[run_id]:
                raise _lost(run_id)

    def lost(self, connection: Connection, run_ids: Sequence[str]) -> dict[int, StoreError]:
        """Find, by position, the runs that have passed to another process; as `check`, one error each."""
        faults: dict[str, str] = {}
        for run_id in dict.fromkeys(run_ids):
            try:
                self.check(connection, [run_id])
            except LeaseLost as error:
                faults[run_id] = str(error)
        return {at: LeaseLost(faults[run_id]) for at, run_id in enumerate(run_ids) if run_id in faults}


def _lost(run_id: str) -> LeaseLost:
    return LeaseLost(f"run '{run_id}' was taken over by another process; this one stops and writes no more")


def _holder(row: Row[*tuple[Any, ...]]) -> Holder:
    return Holder(process=row.process, machine=row.machine)
