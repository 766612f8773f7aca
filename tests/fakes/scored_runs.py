"""Runs as numbers, written down in a test: no store, no dataset, no pipeline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import numpy as np
from pydantic import JsonValue

from ragproof import comparability
from ragproof.cases import CaseKind
from ragproof.comparing.scored_run import CaseFacts, MetricScores, ScoredRun, Standing, Traits
from ragproof.metric import Direction
from ragproof.runs import CaseCounts, RunRecord, RunStatus
from ragproof.summaries import Summary

AT = datetime(2026, 1, 1, tzinfo=UTC)
ERROR = "error"
"""Stands where a number should have been and the case failed."""
NONE = None
"""Stands where the metric has nothing to say of the case."""

Cell = float | None | str | Sequence[float | str | None]
"""A number; `ERROR`; None for not applicable; or one of these for each trial."""


def scored_run(
    values: Mapping[str, Sequence[Cell]],
    *,
    id: str = "aaaaaaaaaaaa",
    project: str = "handbook",
    pipeline: str = "baseline",
    status: RunStatus = RunStatus.COMPLETED,
    span: tuple[float | None, float | None] = (0.0, 1.0),
    spans: Mapping[str, tuple[float | None, float | None]] | None = None,
    directions: Mapping[str, Direction] | None = None,
    cases: Sequence[str] | None = None,
    contents: Mapping[str, str] | None = None,
    groups: Sequence[str | None] | None = None,
    tags: Sequence[Mapping[str, str]] | None = None,
    fields: Mapping[str, JsonValue] | None = None,
    served: tuple[str, ...] = (),
    **record: object,
) -> ScoredRun:
    """Build a run.

    Args:
        values: a cell a case for each metric.
        span: the range of every metric.
        spans: other ranges by metric.
        directions: by metric; without it higher is better.
        cases: ids; without them `c0`, `c1`, ...
        contents: content hashes by id; without one a case's id stands for its content.
        groups: one a case.
        tags: one a case.
        fields: of comparability, over the metrics' versions.
        record: more fields of the run's record.
    """
    n = len(next(iter(values.values()), cases or ()))
    ids = tuple(cases) if cases is not None else tuple(f"c{place}" for place in range(n))
    meaning: dict[str, JsonValue] = {"k": 5, "metrics": dict.fromkeys(values, 1), **(fields or {})}
    traits = {
        key: Traits((directions or {}).get(key, Direction.HIGHER), *((spans or {}).get(key, span)), version=1)
        for key in values
    }
    scores = {key: _scores(traits[key], cells) for key, cells in values.items()}
    return ScoredRun(
        record=RunRecord.model_validate(
            {
                "id": id,
                "project": project,
                "pipeline": pipeline,
                "status": status,
                "comparability": meaning,
                "comparability_key": comparability.key(meaning),
                "cases": CaseCounts(total=n, ok=n),
                "started_at": AT,
                "finished_at": AT,
                **record,
            }
        ),
        cases=tuple(
            CaseFacts(
                id=each,
                content_hash=(contents or {}).get(each, each),
                kind=CaseKind.QA,
                group=groups[place] if groups else None,
                tags=dict(tags[place]) if tags else {},
            )
            for place, each in enumerate(ids)
        ),
        scores=scores,
        summaries={key: _summary(key, each) for key, each in scores.items()},
        served=served,
        source=id,
    )


def _scores(traits: Traits, cells: Sequence[Cell]) -> MetricScores:
    rows = [[cell] if isinstance(cell, str | float | int | None) else list(cell) for cell in cells]
    width = max((len(row) for row in rows), default=1)
    trials = np.full((len(rows), width), np.nan)
    standing = np.zeros(len(rows), dtype=np.int8)
    told: list[str | None] = [None] * len(rows)
    for at, row in enumerate(rows):
        for trial, cell in enumerate(row):
            if isinstance(cell, float | int):
                trials[at, trial] = cell
        if ERROR in row:
            standing[at], told[at] = Standing.MISSING, "timeout: no answer in time"
        elif np.isnan(trials[at]).all():
            standing[at], told[at] = Standing.ABSENT, "the answer declines"
    return MetricScores(traits, trials, standing, tuple(told))


def _summary(key: str, scores: MetricScores) -> Summary:
    values = scores.values()[scores.scored]
    return Summary(
        metric=key,
        direction=scores.traits.direction,
        mean=float(values.mean()) if values.size else None,
        scored=int(scores.scored.sum()),
        case_failed=int(scores.missing.sum()),
        not_applicable=int((scores.standing == Standing.ABSENT).sum()),
    )
