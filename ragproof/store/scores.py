"""Scores in the store: one row for each case, metric and trial of a run; putting twice is putting once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Annotated, Any, TypeAlias

from pydantic import Field, TypeAdapter
from sqlalchemy import select

from ragproof.scores import Measured, Results, Score, Scored
from ragproof.store.call_statements import portions
from ragproof.store.columns import stored, to_json
from ragproof.store.database import Database
from ragproof.store.leases import Leases
from ragproof.store.outages import outlasting
from ragproof.store.tables import SCORE
from ragproof.store.upserts import put_all

_COLUMNS = tuple(
    SCORE.c[name] for name in ("case_id", "metric", "trial", "outcome", "value", "reason", "details")
)
_RESULT_COLUMNS = tuple(SCORE.c[name] for name in ("case_id", "metric", "outcome", "value", "reason"))
_ROW_COLUMNS = tuple(SCORE.c[name] for name in ("metric", "case_id", "trial", "outcome", "value", "reason"))
Row: TypeAlias = tuple[str, str, int, str, float | None, str | None]
KEY_COLUMNS = len(SCORE.primary_key)
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
        texts = _Stored()
        rows = {row[:KEY_COLUMNS]: row for row in (_row(texts, run_id, score) for score in scores)}
        if rows:
            self._put(run_id, [rows[key] for key in sorted(rows)])  # two who lock rows do it in one order

    @outlasting
    def results(self, run_id: str, case_ids: Sequence[str]) -> dict[str, Results]:
        """Read what came of cases, without details: a tenth of the work that scores are.

        Args:
            run_id: the run; one that is not there has none.
            case_ids: whose; of a long run a few hundred at a time, so that they take little memory.

        Returns:
            Results by case id, each trial by itself; a case without any is absent.
        """
        query = select(*_RESULT_COLUMNS).where(SCORE.c.run_id == run_id)
        found: dict[str, Results] = {}
        with self._database.read() as connection:
            for ids in portions(case_ids):
                rows = connection.execute(query.where(SCORE.c.case_id.in_(ids)))
                for case_id, metric, outcome, value, reason in rows:
                    found.setdefault(case_id, []).append((metric, _result(outcome, value, reason)))
        return found

    def rows(self, run_id: str, case_ids: Sequence[str], metrics: Sequence[str]) -> Iterator[Row]:
        """Read results on some metrics as bare rows, which is what a comparison takes.

        Args:
            run_id: the run; one that is not there has none.
            case_ids: whose; a few hundred of them are in memory at once.
            metrics: keys; empty reads nothing.

        Yields:
            Metric key, case id, trial, outcome, value and reason, in no order.
        """
        for ids in portions(case_ids):
            yield from self._rows(run_id, ids, metrics)

    @outlasting
    def _rows(self, run_id: str, case_ids: Sequence[str], metrics: Sequence[str]) -> Sequence[Row]:
        query = select(*_ROW_COLUMNS).where(
            SCORE.c.run_id == run_id, SCORE.c.case_id.in_(case_ids), SCORE.c.metric.in_(metrics)
        )
        with self._database.read() as connection:
            return [tuple(row) for row in connection.execute(query)]

    @outlasting
    def values(self, run_id: str, case_ids: Sequence[str]) -> dict[str, list[tuple[str, float]]]:
        """Read the numbers of cases alone: metric keys and values by case id; else as `results`."""
        query = select(SCORE.c.case_id, SCORE.c.metric, SCORE.c.value)
        query = query.where(SCORE.c.run_id == run_id, SCORE.c.value.is_not(None))
        found: dict[str, list[tuple[str, float]]] = {}
        with self._database.read() as connection:
            for ids in portions(case_ids):
                for case_id, metric, value in connection.execute(query.where(SCORE.c.case_id.in_(ids))):
                    found.setdefault(case_id, []).append((metric, value))
        return found

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
    def _put(self, run_id: str, rows: Sequence[tuple[Any, ...]]) -> None:
        with self._database.write() as connection:
            self._leases.check(connection, [run_id])
            put_all(connection, SCORE, rows)


class _Stored(dict[str, str]):
    """Texts as the database keeps them; the same few stand in many rows."""

    def __missing__(self, text: str) -> str:
        self[text] = stored(text)
        return self[text]


def _row(texts: _Stored, run_id: str, score: Score) -> tuple[Any, ...]:
    """Return the row as the database keeps it, in the table's order of columns."""
    result = score.result
    value, reason = (result.value, None) if isinstance(result, Scored) else (None, texts[result.reason])
    return (
        texts[run_id],
        texts[score.case_id],
        texts[score.metric],
        score.trial,
        result.outcome,
        value,
        reason,
        to_json(score.details),
    )


def _score(
    case_id: str, metric: str, trial: int, outcome: str, value: float | None, reason: str | None, details: Any
) -> Score:
    """Make a score, not validated a second time: a run has hundreds of thousands."""
    result = _result(outcome, value, reason)
    return Score.model_construct(
        _FIELDS, case_id=case_id, metric=metric, trial=trial, result=result, details=details
    )


def _result(outcome: str, value: float | None, reason: str | None) -> Measured:
    return _unmeasured(outcome, reason) if value is None else Scored(value=value)


@lru_cache(maxsize=4096)
def _unmeasured(outcome: str, reason: str | None) -> Measured:
    """Return what has no number: a run has hundreds of thousands, for a few reasons."""
    return _RESULT.validate_python({"outcome": outcome, "reason": reason})
