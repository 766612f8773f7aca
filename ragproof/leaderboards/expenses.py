"""What a run cost beside its quality: the pipeline's dollars and milliseconds a case, and its judge.

Pipeline numbers are over the cases that every run reporting them has, for a run that failed on the slow cases
would look fast. What is not known is None, never 0. False friend: the judge's cost, which is the evaluation's
and no property of the pipeline; verdicts that an earlier run paid for cost nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ragproof.comparing.scored_run import ScoredRun
from ragproof.statistics.samples import FloatArray
from ragproof.summarising import nearest_rank

COST = "cost_usd_estimate"
LATENCY = "latency_ms"
BESIDE = (COST, LATENCY)
"""Keys of metrics that are read with the one that ranks."""


@dataclass(frozen=True)
class Expense:
    """What one run cost.

    Attributes:
        usd_a_case: the pipeline's, at the configured prices; None without prices or usage.
        p50_ms: nearest rank; None when no latency is known.
        p95_ms: likewise.
        judged: whether it had a judge.
        judge_calls: that it made.
        judge_usd: for all of it; None when the judge has no price.
    """

    usd_a_case: float | None
    p50_ms: float | None
    p95_ms: float | None
    judged: bool
    judge_calls: int
    judge_usd: float | None


def expenses(runs: Sequence[ScoredRun]) -> tuple[Expense, ...]:
    """Return what each run cost.

    Args:
        runs: over the same cases in the same order, at least one.
    """
    costs, latencies = (_over_common(runs, key) for key in (COST, LATENCY))
    return tuple(
        Expense(
            usd_a_case=None if cost is None else float(cost.mean()),
            p50_ms=None if latency is None else nearest_rank(np.sort(latency).tolist(), 0.5),
            p95_ms=None if latency is None else nearest_rank(np.sort(latency).tolist(), 0.95),
            judged=run.record.comparability.get("judge") is not None,
            judge_calls=run.record.spend.eval_llm_calls,
            judge_usd=run.record.spend.eval_cost_usd,
        )
        for run, cost, latency in zip(runs, costs, latencies, strict=True)
    )


def _over_common(runs: Sequence[ScoredRun], key: str) -> list[FloatArray | None]:
    reporting = [key in run.scores and bool(run.scores[key].scored.any()) for run in runs]
    scores = [run.scores[key] for run, reports in zip(runs, reporting, strict=True) if reports]
    if not scores:
        return [None] * len(runs)
    common = np.logical_and.reduce([each.scored for each in scores])
    return [
        run.scores[key].values()[common] if reports and common.any() else None
        for run, reports in zip(runs, reporting, strict=True)
    ]
