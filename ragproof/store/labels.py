"""Human labels in the store: kept once, found again by the run, and for runs that gave the same answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any

from pydantic import AwareDatetime
from sqlalchemy import Connection, Row, and_, select
from sqlalchemy import func as sql

from ragproof.errors import StoreError
from ragproof.frozen import Frozen
from ragproof.labels.human_label import HumanLabel
from ragproof.ledger import CallKind
from ragproof.runs import RunRecord
from ragproof.store.call_statements import portions
from ragproof.store.database import Database
from ragproof.store.label_tables import LABEL
from ragproof.store.outages import outlasting
from ragproof.store.tables import CALL, DATASET_CASE, RUN
from ragproof.store.upserts import put

_COLUMNS = tuple(LABEL.c[name] for name in HumanLabel.model_fields)
_KEY = tuple(LABEL.c[name] for name in ("run_id", "metric", "case_id", "trial", "labeller"))


class Kept(Frozen):
    """What importing labels changed."""

    new: int
    same: int
    """Labels that were there already, with the same value."""
    claimed: int
    """Those of them whose claim of having been drawn at random is another now."""


class Elsewhere(Frozen):
    """A label of another run on a case that this run has too."""

    label: HumanLabel
    content_hash: str
    """Of the case."""


class Group(Frozen):
    """The labels that one person gave one metric of one run."""

    run_id: str
    metric: str
    labeller: str
    labels: int
    at_random: int
    """Those said to have been drawn at random."""
    imported_at: AwareDatetime
    """The last of them."""


class Labels:
    """The label table."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    @outlasting
    def put(self, labels: Sequence[HumanLabel]) -> Kept:
        """Keep labels; one that is there already stays, with the claim about its drawing as it is made now.

        Args:
            labels: of answers in the store, each once; all of them are kept, or none; empty does nothing.

        Raises:
            StoreError: a run or an answer is gone, a label is there with another value, or the database
                cannot be written.
        """
        with self._database.write() as connection:
            _refuse_vanished(connection, labels)
            there = {label.of: label for label in _of_runs(connection, {each.run_id for each in labels})}
            for label in labels:
                if label.of in there and there[label.of].value != label.value:
                    raise StoreError(
                        f"case '{label.case_id}' of run '{label.run_id}' was given another label on"
                        f" '{label.metric}' meanwhile; import the file again to see which"
                    )
            new = [label for label in labels if label.of not in there]
            claimed = [label for label in labels if label.of in there and there[label.of] != label]
            rows = [{**label.model_dump(), "at": self._clock()} for label in (*new, *claimed)]
            if rows:
                connection.execute(put(LABEL, self._database.dialect), rows)
        return Kept(new=len(new), same=len(labels) - len(new), claimed=len(claimed))

    @outlasting
    def get(self, run_id: str) -> tuple[HumanLabel, ...]:
        """Read a run's labels, by metric, case, trial and labeller; a run that is not there has none."""
        with self._database.read() as connection:
            return tuple(_of_runs(connection, [run_id]))

    @outlasting
    def any_in(self, project: str) -> bool:
        """Say whether a project has any label: most have none, and nothing further is looked for then."""
        query = select(LABEL.c.run_id).join(RUN, RUN.c.id == LABEL.c.run_id).where(RUN.c.project == project)
        with self._database.read() as connection:
            return connection.execute(query.limit(1)).first() is not None

    @outlasting
    def elsewhere(self, run: RunRecord) -> tuple[Elsewhere, ...]:
        """Read the labels of a project's other runs on cases that a run has too, by the case's content.

        Args:
            run: whose cases; of a run without a dataset there are none.

        Returns:
            The latest import first.
        """
        of_case = and_(
            DATASET_CASE.c.dataset_hash == RUN.c.dataset_hash, DATASET_CASE.c.case_id == LABEL.c.case_id
        )
        ours = select(DATASET_CASE.c.content_hash).where(DATASET_CASE.c.dataset_hash == run.dataset_hash)
        query = (
            select(*_COLUMNS, DATASET_CASE.c.content_hash)
            .join(RUN, RUN.c.id == LABEL.c.run_id)
            .join(DATASET_CASE, of_case)
            .where(RUN.c.project == run.project, RUN.c.id != run.id, DATASET_CASE.c.content_hash.in_(ours))
            .order_by(LABEL.c.at.desc(), *_KEY)
        )
        with self._database.read() as connection:
            return tuple(
                Elsewhere(label=_label(row), content_hash=row.content_hash)
                for row in connection.execute(query)
            )

    @outlasting
    def groups(self, run_id: str | None = None, project: str | None = None) -> tuple[Group, ...]:
        """Count labels by run, metric and labeller, the latest run first.

        Args:
            run_id: one run's; None is every run's.
            project: one project's; None is any.
        """
        by = (LABEL.c.run_id, LABEL.c.metric, LABEL.c.labeller)
        drawn = sql.sum(LABEL.c.at_random.cast(LABEL.c.trial.type))
        last = sql.max(LABEL.c.at, type_=LABEL.c.at.type)
        query = select(*by, sql.count(), drawn, last, RUN.c.started_at).join(RUN, RUN.c.id == LABEL.c.run_id)
        if run_id is not None:
            query = query.where(LABEL.c.run_id == run_id)
        if project is not None:
            query = query.where(RUN.c.project == project)
        query = query.group_by(*by, RUN.c.started_at).order_by(RUN.c.started_at.desc(), *by)
        with self._database.read() as connection:
            return tuple(
                Group(
                    run_id=run,
                    metric=metric,
                    labeller=who,
                    labels=labels,
                    at_random=at_random,
                    imported_at=at,
                )
                for run, metric, who, labels, at_random, at, _ in connection.execute(query)
            )


def _of_runs(connection: Connection, run_ids: Iterable[str]) -> list[HumanLabel]:
    query = select(*_COLUMNS).where(LABEL.c.run_id.in_([*run_ids])).order_by(*_KEY)
    return [_label(row) for row in connection.execute(query)]


def _refuse_vanished(connection: Connection, labels: Sequence[HumanLabel]) -> None:
    """Hold the runs, and see that every answer is still there: what was erased must not come back."""
    by_run: dict[str, set[str]] = {}
    for label in labels:
        by_run.setdefault(label.run_id, set()).add(label.case_id)
    for run_id, case_ids in sorted(by_run.items()):
        held = select(RUN.c.id).where(RUN.c.id == run_id).with_for_update(key_share=True)
        if connection.execute(held).first() is None:
            raise StoreError(f"run '{run_id}' was removed meanwhile; nothing was imported")
        lost = case_ids - _asked(connection, run_id, case_ids)
        if lost:
            raise StoreError(
                f"case '{min(lost)}' of run '{run_id}' was erased meanwhile; nothing was imported"
            )


def _asked(connection: Connection, run_id: str, case_ids: Iterable[str]) -> set[str]:
    of_run = and_(CALL.c.run_id == run_id, CALL.c.kind == CallKind.PIPELINE.value)
    query = select(CALL.c.case_id).where(of_run)
    return {
        case_id
        for part in portions(case_ids)
        for case_id in connection.scalars(query.where(CALL.c.case_id.in_(part)))
    }


def _label(row: Row[*tuple[Any, ...]]) -> HumanLabel:
    return HumanLabel.model_validate({name: getattr(row, name) for name in HumanLabel.model_fields})
