"""A run in a file: what `ragproof export` writes, so that a repository can hold a gate's baseline.

Numbers, case ids and tags; no question, answer or chunk. Strict JSON, columns by metric.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import numpy as np
from pydantic import Field, FiniteFloat, ValidationError, model_validator

from ragproof.cases import CaseKind
from ragproof.comparing.scored_run import CaseFacts, MetricScores, ScoredRun, Standing, Traits
from ragproof.errors import ConfigurationError, Fault
from ragproof.frozen import Frozen
from ragproof.metric import Direction
from ragproof.reports.strict_json import strict_json
from ragproof.runs import RunRecord
from ragproof.summaries import Summary

FORMAT = "ragproof-run"
VERSION = 1


class _Case(Frozen):
    id: str = Field(min_length=1)
    content_hash: str
    kind: CaseKind
    group: str | None = None
    tags: dict[str, str] = {}


class _Metric(Frozen):
    """`trials` has a row a case; null is a trial without a number."""

    direction: Direction
    low: FiniteFloat | None
    high: FiniteFloat | None
    version: int
    trials: tuple[tuple[FiniteFloat | None, ...], ...]
    standing: tuple[Literal["scored", "missing", "absent"], ...]
    reasons: tuple[str | None, ...]

    @model_validator(mode="after")
    def _in_step(self) -> _Metric:
        if not len(self.trials) == len(self.standing) == len(self.reasons):
            raise ValueError("expected a row of trials, a standing and a reason for each case")
        if len({len(row) for row in self.trials}) > 1:
            raise ValueError("expected the same number of trials in every row")
        for row, standing in zip(self.trials, self.standing, strict=True):
            if standing == "scored" and all(value is None for value in row):
                raise ValueError("a case is 'scored' and has no number; expected one")
        return self


class _File(Frozen):
    format: Literal["ragproof-run"] = "ragproof-run"
    version: Literal[1] = 1
    run: RunRecord
    cases: tuple[_Case, ...]
    metrics: dict[str, _Metric]
    summaries: tuple[Summary, ...]
    served: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _in_step(self) -> _File:
        for key, metric in self.metrics.items():
            if len(metric.trials) != len(self.cases):
                raise ValueError(
                    f"metric '{key}' has {len(metric.trials)} rows; expected {len(self.cases)}, one a case"
                )
        if len({case.id for case in self.cases}) < len(self.cases):
            raise ValueError("two cases have one id; expected each once")
        return self


def run_file(run: ScoredRun) -> str:
    """Write a run as the text of a file.

    Args:
        run: as read from a store.

    Returns:
        Strict JSON. The run's configuration is left out: it names files and hosts of its machine.
    """
    file = _File(
        run=run.record.model_copy(update={"config": {}}),
        cases=tuple(
            _Case(
                id=case.id,
                content_hash=case.content_hash,
                kind=case.kind,
                group=case.group,
                tags=dict(case.tags),
            )
            for case in run.cases
        ),
        metrics={key: _written(scores) for key, scores in run.scores.items()},
        summaries=tuple(run.summaries.values()),
        served=run.served,
    )
    return strict_json(file.model_dump(mode="json"))


def read_run_file(path: Path, only: Iterable[str] | None = None) -> ScoredRun:
    """Read a run from a file.

    Args:
        path: what `ragproof export` wrote.
        only: metric keys; None is all there are.

    Raises:
        ConfigurationError: there is no such file, or it is none of a run; all faults at once.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ConfigurationError(
            f"'{path}' cannot be read as a run: {reason}; 'ragproof export RUN' writes one"
        ) from error
    try:
        file = _File.model_validate_json(text)
    except ValidationError as error:
        raise ConfigurationError(_faults(path, error)) from error
    asked = None if only is None else frozenset(only)
    return ScoredRun(
        record=file.run,
        cases=tuple(
            CaseFacts(each.id, each.content_hash, each.kind, each.group, each.tags) for each in file.cases
        ),
        scores={key: _scores(each) for key, each in file.metrics.items() if asked is None or key in asked},
        summaries={summary.metric: summary for summary in file.summaries},
        served=file.served,
        source=str(path),
    )


def _written(scores: MetricScores) -> _Metric:
    traits = scores.traits
    return _Metric(
        direction=traits.direction,
        low=traits.low,
        high=traits.high,
        version=traits.version,
        trials=tuple(
            tuple(None if np.isnan(value) else float(value) for value in row) for row in scores.trials
        ),
        standing=tuple(Standing(each).name.lower() for each in scores.standing),
        reasons=scores.reasons,
    )


def _scores(metric: _Metric) -> MetricScores:
    width = len(metric.trials[0]) if metric.trials else 1
    rows = [[np.nan if value is None else value for value in row] for row in metric.trials]
    return MetricScores(
        Traits(metric.direction, metric.low, metric.high, metric.version),
        np.asarray(rows, dtype=np.float64).reshape(len(rows), width),
        np.asarray([Standing[each.upper()] for each in metric.standing], dtype=np.int8),
        metric.reasons,
    )


def _faults(path: Path, error: ValidationError) -> list[Fault]:
    cure = "expected a file of 'ragproof export RUN'"
    return [
        Fault(
            f"{each['msg'].removeprefix('Value error, ')}; {cure}",
            f"{path}: {'.'.join(str(part) for part in each['loc'])}".rstrip(": "),
        )
        for each in error.errors(include_url=False, include_input=False)[:20]
    ]
