"""Runs in the store: started, updated, and found again by id, by the beginning of one, or as the latest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, Update, select
from sqlalchemy import func as sql

from ragproof.errors import StoreError, nearest
from ragproof.runs import CALIBRATION, CaseCounts, RunRecord, RunStatus, Spend
from ragproof.store.database import Database
from ragproof.store.leases import Leases
from ragproof.store.outages import outlasting
from ragproof.store.tables import CALL, DATASET, RUN
from ragproof.store.upserts import is_new

LATEST = "latest"
SHOWN = 5


class Runs:
    """The run table."""

    def __init__(self, database: Database, leases: Leases) -> None:
        self._database = database
        self._leases = leases

    @outlasting
    def start(self, record: RunRecord) -> None:
        """Keep a new run; the very same run is kept once.

        Raises:
            StoreError: another run of that id is there already, or the database cannot be written.
        """
        with self._database.write() as connection:
            if is_new(connection, RUN, _row(record)):
                connection.execute(_used(record.dataset_hash, record.started_at))
            elif _one(connection, select(RUN).where(RUN.c.id == record.id)) != record:
                raise StoreError(f"there is a run '{record.id}' already; start a new run under a new id")

    @outlasting
    def update(self, run_id: str, /, **changes: object) -> RunRecord:
        """Change fields of a run; those not named stay as anyone else has left them.

        Args:
            run_id: its full id.
            changes: fields of RunRecord.

        Returns:
            The run as it now stands.

        Raises:
            StoreError: there is no such run, or the database cannot be written.
            ValidationError: a field or its value is none of RunRecord's.
        """
        with self._database.write() as connection:
            self._leases.check(connection, [run_id])
            before = _one(connection, select(RUN).where(RUN.c.id == run_id).with_for_update(key_share=True))
            if before is None:
                raise _unknown(connection, run_id)
            fields = {name: getattr(before, name) for name in RunRecord.model_fields}
            after = RunRecord.model_validate({**fields, **changes})
            connection.execute(RUN.update().where(RUN.c.id == run_id).values(_row(after)))
        return after

    @outlasting
    def get(self, reference: str, project: str | None = None) -> RunRecord:
        """Find one run.

        Args:
            reference: a full id, the beginning of exactly one, or `latest`.
            project: the project whose latest run is meant; None is any.

        Returns:
            The run; `latest` is the evaluation that started last, whatever became of it.

        Raises:
            StoreError: no run is meant, or more than one.
        """
        with self._database.read() as connection:
            found = _meant(connection, reference, project)
        return self._as_they_stand([found])[0]

    @outlasting
    def find(self, run_id: str) -> RunRecord | None:
        """Return the run of exactly this id, or None when there is none."""
        with self._database.read() as connection:
            return _one(connection, select(RUN).where(RUN.c.id == run_id))

    @outlasting
    def by_flow_run(self, flow_run_id: str) -> RunRecord | None:
        """Find the run that a Prefect flow run made; the latest of several, None when it made none."""
        with self._database.read() as connection:
            return _one(connection, _newest_first(select(RUN).where(RUN.c.flow_run_id == flow_run_id)))

    @outlasting
    def last_call_at(self, run_id: str) -> datetime | None:
        """Return when a call of a run was last sent or ended; None when none was ever sent."""
        last = [select(sql.max(moment, type_=moment.type)) for moment in (CALL.c.sent_at, CALL.c.ended_at)]
        with self._database.read() as connection:
            found = [connection.scalar(query.where(CALL.c.run_id == run_id)) for query in last]
        return max((moment for moment in found if moment is not None), default=None)

    @outlasting
    def list(
        self, project: str | None = None, limit: int | None = 20, label: str | None = None
    ) -> tuple[RunRecord, ...]:
        """Read runs, the latest first.

        Args:
            project: one project's; None is all.
            limit: how many at most; None is all.
            label: those with it; None is any.
        """
        query = _of(project) if label is None else _of(project).where(RUN.c.label == label)
        with self._database.read() as connection:
            rows = connection.execute(_newest_first(query).limit(limit))
            found = [_record(row) for row in rows]
        return tuple(self._as_they_stand(found))

    def _as_they_stand(self, records: Sequence[RunRecord]) -> Sequence[RunRecord]:
        """Call a run whose process fell silent what it is; nobody was left to write it down."""
        running = [record.id for record in records if record.status is RunStatus.RUNNING]
        silent = self._leases.abandoned(running) if running else frozenset()
        return [
            record.model_copy(
                update={
                    "status": RunStatus.INTERRUPTED,
                    "status_reason": "its process ended without a word;"
                    f" 'ragproof run --resume {record.id}' goes on with it",
                }
            )
            if record.id in silent
            else record
            for record in records
        ]


def _used(dataset_hash: str | None, at: datetime) -> Update:
    """Note that a dataset is in use: what was used lately is not pruned."""
    return DATASET.update().where(DATASET.c.hash == dataset_hash).values(used_at=at)


def _of(project: str | None) -> Select[Any]:
    query = select(RUN)
    return query if project is None else query.where(RUN.c.project == project)


def _newest_first(query: Select[Any]) -> Select[Any]:
    return query.order_by(RUN.c.started_at.desc(), RUN.c.id.desc())


def _one(connection: Connection, query: Select[Any]) -> RunRecord | None:
    row = connection.execute(query.limit(1)).first()
    return None if row is None else _record(row)


def _meant(connection: Connection, reference: str, project: str | None) -> RunRecord:
    if reference == LATEST:
        return _latest(connection, project)
    exact = _one(connection, select(RUN).where(RUN.c.id == reference))
    if exact is not None:
        return exact
    begun = select(RUN).where(sql.substr(RUN.c.id, 1, len(reference), type_=RUN.c.id.type) == reference)
    found = connection.execute(_newest_first(begun).limit(SHOWN + 1)).all() if reference else []
    if len(found) == 1:
        return _record(found[0])
    raise _ambiguous(reference, found) if found else _unknown(connection, reference)


def _latest(connection: Connection, project: str | None) -> RunRecord:
    query = _newest_first(_of(project))
    latest = _one(connection, query if project else query.where(RUN.c.project != CALIBRATION))
    if latest is not None:
        return latest
    if project is None:
        raise StoreError("the store has no runs yet; 'ragproof run CONFIG' makes one")
    projects = connection.scalars(select(RUN.c.project).distinct())
    raise StoreError(
        f"project '{project}' has no runs; 'ragproof runs' lists those there are{nearest(project, projects)}"
    )


def _ambiguous(reference: str, found: Sequence[Row[*tuple[Any, ...]]]) -> StoreError:
    ids = ", ".join(f"'{row.id}'" for row in found[:SHOWN])
    more = " and more" if len(found) > SHOWN else ""
    return StoreError(f"more than one run begins with '{reference}': {ids}{more}; give more of the id")


def _unknown(connection: Connection, reference: str) -> StoreError:
    ids = connection.scalars(_newest_first(select(RUN.c.id)).limit(1000))
    hint = nearest(reference, ids)
    return StoreError(f"no run is called '{reference}'; 'ragproof runs' lists them{hint}")


def _row(record: RunRecord) -> Mapping[str, Any]:
    fields = record.model_dump()
    cases, spend = fields.pop("cases"), fields.pop("spend")
    return {**fields, **{f"cases_{name}": number for name, number in cases.items()}, **spend}


def _record(row: Row[*tuple[Any, ...]]) -> RunRecord:
    fields = dict(row._mapping)
    cases = {name: fields.pop(f"cases_{name}") for name in CaseCounts.model_fields}
    spend = {name: fields.pop(name) for name in Spend.model_fields}
    return RunRecord.model_validate({**fields, "cases": cases, "spend": spend})
