"""What a run over so many cases costs: calls to the pipeline, questions to the judge, dollars for both.

From the estimate of a run over the present cases, scaled. Nothing counts as judged before, for new cases are
not. A comparison takes two such runs, unless the baseline has answered the same cases already.
"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.comparing.scored_run import ScoredRun
from ragproof.leaderboards.expenses import COST
from ragproof.run_estimates import RunEstimate


@dataclass(frozen=True)
class Cost:
    """Of one run.

    Attributes:
        cases: that it asks.
        pipeline_calls: each case as often as it is repeated.
        pipeline_usd: None without prices, or without a run that showed its usage.
        judge_calls: lowest and highest number; None without a judge.
        judge_usd: lowest and highest; None without a judge, and when it has no price.
    """

    cases: int
    pipeline_calls: int
    pipeline_usd: float | None
    judge_calls: tuple[int, int] | None
    judge_usd: tuple[float, float] | None


def cost_of(cases: int, repeats: int, estimate: RunEstimate | None, usd_a_call: float | None) -> Cost:
    """Scale an estimate.

    Args:
        cases: that the run asks.
        repeats: how often each.
        estimate: of one trial of each present case; None without a judge.
        usd_a_call: of the pipeline; None is not known.
    """
    calls = cases * repeats
    judge_calls, judge_usd = None, None
    if estimate is not None and estimate.estimate.cases:
        seen = estimate.estimate
        scale = calls / seen.cases
        judge_calls = (round(seen.calls_low * scale), round(seen.calls_high * scale))
        if seen.usd_low is not None and seen.usd_high is not None:
            judge_usd = (seen.usd_low * scale, seen.usd_high * scale)
    return Cost(
        cases=cases,
        pipeline_calls=calls,
        pipeline_usd=None if usd_a_call is None else usd_a_call * calls,
        judge_calls=judge_calls,
        judge_usd=judge_usd,
    )


def usd_a_call(run: ScoredRun | None) -> float | None:
    """Return what one call to the pipeline of a run cost on average; None when it is not known."""
    summary = None if run is None else run.summaries.get(COST)
    return None if summary is None else summary.mean
