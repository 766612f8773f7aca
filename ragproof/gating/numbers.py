"""The numbers of a ruling, turned back from "more is better" to how the metric stands."""

from __future__ import annotations

import numpy as np

from ragproof.gating.demands import Demand, Kind
from ragproof.gating.drop import Drop
from ragproof.gating.outcome import Outcome
from ragproof.gating.percentile import FRACTIONS, needed_share
from ragproof.gating.ruling import Numbers
from ragproof.gating.sample import Sample
from ragproof.gating.sensitivity import cases_to_decide, detectable_drop
from ragproof.gating.verdict import Verdict
from ragproof.summarising import mean, nearest_rank


def numbers_of(demand: Demand, sample: Sample, drop: Drop | None, outcome: Outcome, sign: float) -> Numbers:
    """Return what was measured and what decided.

    Args:
        demand: what was demanded.
        sample: what it was judged on, oriented.
        drop: both runs' numbers when it is about a difference.
        outcome: how it was judged, oriented.
        sign: what oriented the sample.
    """
    if drop is not None:
        return _of_drop(demand, drop, outcome, sign)
    if demand.kind is Kind.MAX_ERROR_RATE:
        rate = 1.0 - sample.coverage
        return Numbers(rate, None, rate, demand.limit, None, None, outcome.confidence)
    values = sorted((sign * sample.values[~np.isnan(sample.values)]).tolist())
    if demand.statistic == "mean":
        limit = sign * demand.limit
        distance = 0.0 if outcome.value is None else outcome.value - limit
        return Numbers(
            measured=mean(values) if values else None,
            baseline=None,
            compared=_times(sign, outcome.value),
            threshold=demand.limit,
            pass_bound=_times(sign, outcome.lower),
            fail_bound=_times(sign, outcome.upper),
            confidence=outcome.confidence,
            cases_needed=cases_to_decide(sample, outcome, distance) if _open(outcome, limit) else None,
        )
    share = needed_share(demand.statistic, at_most=demand.kind is Kind.MAX)
    return Numbers(
        measured=nearest_rank(values, FRACTIONS[demand.statistic]) if values else None,
        baseline=None,
        compared=outcome.value,
        threshold=share,
        pass_bound=outcome.lower,
        fail_bound=outcome.upper,
        confidence=outcome.confidence,
    )


def _of_drop(demand: Demand, drop: Drop, outcome: Outcome, sign: float) -> Numbers:
    pairs = ~np.isnan(drop.sample.values)
    means = [mean((sign * each[pairs]).tolist()) for each in (drop.before, drop.after)] if pairs.any() else []
    margin = -demand.limit
    return Numbers(
        measured=means[1] if means else None,
        baseline=means[0] if means else None,
        compared=outcome.value,
        threshold=margin,
        pass_bound=outcome.lower,
        fail_bound=outcome.upper,
        confidence=outcome.confidence,
        detectable=detectable_drop(drop.sample, outcome),
        cases_needed=cases_to_decide(drop.sample, outcome, margin) if _open(outcome, margin) else None,
    )


def _open(outcome: Outcome, threshold: float) -> bool:
    """Say whether it is open for want of cases, and not because of what is missing or does not differ."""
    if outcome.verdict is not Verdict.INCONCLUSIVE or outcome.lower is None or outcome.upper is None:
        return False
    return outcome.lower <= threshold <= outcome.upper


def _times(sign: float, number: float | None) -> float | None:
    return None if number is None else sign * number
