"""Scores in the store: one row for each case, metric and trial of a run; putting twice is putting once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any

from pydantic import Field, TypeAdapter
from sqlalchemy import select

from ragproof.scores import Measured, Score
from ragproof.store.database import Database
from ragproof.store.leases import Leases
from ragproof.store.outages import outlasting
from ragproof.store.tables import SCORE
from ragproof.store.upserts import put

_COLUMNS = tuple(
    SCORE.c[name] for name in ("case_id", "metric", "trial", "outcome", "value", "reason", "details")
)
_KEY = ("case_id", "metric", "trial")
_FIELDS = set(Score.model_fields)
_RESULT: TypeAdapter[Measured] = TypeAdapter(Annotated[Measured, Field(discriminator="outcome")])


class Scores:
    """The score table."""

    def __init__(self, database: Database, leases: Leases) -> None:
        self._database = database
        self._leases = leases

    def put(self, run_id: str, scores: Iterable[Score]) -> None:
        """Keep scores, in place of those of the same case, metric and trial.

        Args:
            run_id: a run in the store.
            scores: all of them are kept, or none; empty does nothing.

        Raises:
            StoreError: there is no such run, or the database cannot be written.
        """
        rows = [_row(run_id, score) for score in scores]
        if rows:
            rows.sort(key=lambda row: tuple(row[name] for name in _KEY))  # two who lock rows do in one order
            self._put(run_id, rows)

    @outlasting
    def values(self, run_id: str) -> Sequence[tuple[str, str, float]]:
        """Read the numbers alone: of a run with many cases a tenth of the work that scores are.

        Args:
            run_id: the run; one that is not there has none.

        Returns:
            Case id, metric and value of everything scored, each trial by itself; in no order.
        """
        query = select(SCORE.c.case_id, SCORE.c.metric, SCORE.c.value)
        with self._database.read() as connection:
            rows = connection.execute(query.where(SCORE.c.run_id == run_id, SCORE.c.value.is_not(None)))
            return rows.all()

    @outlasting
    def get(self, run_id: str, case_id: str | None = None, metric: str | None = None) -> tuple[Score, ...]:
        """Read scores.

        Args:
            run_id: the run; one that is not there has none.
            case_id: one case; None is all.
            metric: one metric key; None is all.

        Returns:
            Scores by case id, metric and trial.
        """
        query = select(*_COLUMNS).where(SCORE.c.run_id == run_id)
        if case_id is not None:
            query = query.where(SCORE.c.case_id == case_id)
        if metric is not None:
            query = query.where(SCORE.c.metric == metric)
        with self._database.read() as connection:
            rows = connection.execute(query.order_by(SCORE.c.case_id, SCORE.c.metric, SCORE.c.trial))
            return tuple([_score(*row) for row in rows])

    @outlasting
    def _put(self, run_id: str, rows: Sequence[Mapping[str, Any]]) -> None:
        with self._database.write() as connection:
            self._leases.check(connection, [run_id])
            connection.execute(put(SCORE, self._database.dialect), rows)


def _row(run_id: str, score: Score) -> Mapping[str, Any]:
    return {
        "run_id": run_id,
        "case_id": score.case_id,
        "metric": score.metric,
        "trial": score.trial,
        "outcome": score.result.outcome,
        "value": score.value,
        "reason": score.reason,
        "details": score.details,
    }


def _score(
    case_id: str, metric: str, trial: int, outcome: str, value: float | None, reason: str | None, details: Any
) -> Score:
    """Make a score, not validated a second time: a run has hundreds of thousands."""
    result = _result(outcome, value, reason)
    return Score.model_construct(
        _FIELDS, case_id=case_id, metric=metric, trial=trial, result=result, details=details
    )


@lru_cache(maxsize=4096)
def _result(outcome: str, value: float | None, reason: str | None) -> Measured:
    told = {"value": value} if reason is None else {"reason": reason}
    return _RESULT.validate_python({"outcome": outcome, **told})
