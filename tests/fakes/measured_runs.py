"""A run as numbers, made of cases and outcomes by the real metrics: no store."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import numpy as np
from pydantic import JsonValue

from ragproof.cases import Case
from ragproof.comparability import comparability, key
from ragproof.comparing.scored_run import CaseFacts, MetricScores, ScoredRun, Standing, Traits
from ragproof.evidence import Settings
from ragproof.metric import Metric
from ragproof.outputs import Outcome
from ragproof.runs import CaseCounts, RunRecord, RunStatus
from ragproof.scores import Measured, Scored
from ragproof.scoring import out_of_reach, score

AT = datetime(2026, 1, 1, tzinfo=UTC)
Judge = Callable[[Metric, Case, Outcome], Measured]
"""Stands for a judge: what it makes of a case on one of its metrics."""


def measured_run(
    cases: Sequence[Case],
    outcomes: Sequence[Outcome],
    metrics: Sequence[Metric],
    *,
    id: str,
    pipeline: str,
    settings: Settings,
    judge: Judge | None = None,
    corpus_version: str | None = None,
) -> ScoredRun:
    """Score outcomes, one a case and in their order, and lay the numbers out as a store would."""
    fields: dict[str, JsonValue] = comparability(settings, metrics, retrieve_k=10)
    return ScoredRun(
        record=RunRecord(
            id=id,
            project="handbook",
            pipeline=pipeline,
            status=RunStatus.COMPLETED,
            comparability=fields,
            comparability_key=key(fields),
            corpus_version=corpus_version,
            cases=CaseCounts(total=len(cases), ok=len(cases)),
            started_at=AT,
            finished_at=AT,
        ),
        cases=tuple(
            CaseFacts(case.id, case.content_hash(), case.kind, case.group, case.tags) for case in cases
        ),
        scores={metric.key: _scores(metric, cases, outcomes, settings, judge) for metric in metrics},
        summaries={},
        source=id,
    )


def _scores(
    metric: Metric,
    cases: Sequence[Case],
    outcomes: Sequence[Outcome],
    settings: Settings,
    judge: Judge | None,
) -> MetricScores:
    asked = judge if judge is not None and metric.measure is None else None
    results = [
        asked(metric, case, outcome) if asked else score(metric, case, outcome, settings).result
        for case, outcome in zip(cases, outcomes, strict=True)
    ]
    return MetricScores(
        Traits(metric.direction, metric.range.low, metric.range.high, metric.version),
        np.array([[each.value if isinstance(each, Scored) else np.nan] for each in results]),
        np.array(
            [_standing(metric, case, each, settings) for case, each in zip(cases, results, strict=True)],
            dtype=np.int8,
        ),
        tuple(None if isinstance(each, Scored) else each.reason for each in results),
    )


def _standing(metric: Metric, case: Case, result: Measured, settings: Settings) -> Standing:
    if isinstance(result, Scored):
        return Standing.SCORED
    erred = result.outcome in ("case_failed", "judge_error")
    return Standing.MISSING if erred and out_of_reach(metric, case, settings) is None else Standing.ABSENT
