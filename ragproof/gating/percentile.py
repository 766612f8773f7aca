"""`min` and `max` on a percentile: the share of cases on the right side of the threshold, counted exactly.

The 95th percentile is at most T exactly when at least 95 % of all cases are at most T, so the demand is one
on a proportion: Clopper-Pearson's one-sided bound of it, which supposes nothing of the values (Conover,
Practical Nonparametric Statistics, section 3.2). A missing value is on the wrong side. False friends: the
percentile of the cases seen, which is an estimate; a normal approximation, which a long tail defeats.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ragproof.gating.cluster_bound import cluster_bounds
from ragproof.gating.outcome import Outcome, with_groups
from ragproof.gating.sample import Sample
from ragproof.gating.verdict import Verdict
from ragproof.metric import Statistic
from ragproof.statistics.gate_bounds import MOST_MISSING
from ragproof.statistics.proportions import clopper_pearson_interval
from ragproof.statistics.samples import TIE_TOLERANCE

FRACTIONS: Mapping[Statistic, float] = {"p50": 0.50, "p95": 0.95, "p99": 0.99}
_SHARE = (0.0, 1.0)


def needed_share(statistic: Statistic, *, at_most: bool) -> float:
    """Return the share of cases that has to be on the right side of the threshold of a percentile.

    Args:
        statistic: a percentile.
        at_most: whether the percentile may be at most the threshold; False is at least.
    """
    return FRACTIONS[statistic] if at_most else 1.0 - FRACTIONS[statistic]


def judge_percentile(sample: Sample, threshold: float, fraction: float, confidence: float) -> Outcome:
    """Judge whether enough cases are on the right side of a threshold.

    Args:
        sample: at least one case, turned so that being at or over the threshold is right.
        threshold: oriented as the sample is.
        fraction: the share of cases that has to be right, in (0, 1): 0.95 for a `max` of the 95th percentile,
            0.05 for a `min` of it.
        confidence: one-sided, over one half.

    Returns:
        The outcome, whose value and bounds are shares of cases and are compared with `fraction`.
    """
    here = ~np.isnan(sample.values)
    # A value that is the threshold but for its last bit is at it.
    right = np.where(here, sample.values >= threshold - TIE_TOLERANCE * abs(threshold), np.nan)
    count, n, expected = int(np.nansum(right)), sample.n, sample.expected
    two_sided = 2.0 * confidence - 1.0
    upper = clopper_pearson_interval(count, n, confidence=two_sided).high
    lower = clopper_pearson_interval(count, expected, confidence=two_sided).low
    missing = expected - n
    if missing > MOST_MISSING or (missing and sample.span is None):
        lower = None
    verdict, because = _verdict(lower, upper, fraction, sample)
    outcome = Outcome(verdict, because, count / n if n else None, lower, upper, confidence)
    if sample.clusters is not None:
        ends = np.tile(np.array(_SHARE), (expected, 1))
        bounds = cluster_bounds(right, ends, sample.clusters, span=_SHARE, confidence=confidence)
        outcome = with_groups(outcome, bounds, fraction)
    units, fewest = outcome.groups or expected, cases_of_a_percentile(fraction, confidence)
    if outcome.verdict is Verdict.INCONCLUSIVE and not missing and count == n and units < fewest:
        what = "cases" if outcome.groups is None else "groups of cases"
        return replace(outcome, because=f"{units} {what} can show nothing of it, it takes {fewest}")
    return outcome


def cases_of_a_percentile(fraction: float, confidence: float) -> int:
    """Return the fewest independent cases that can show a percentile, all of them on the right side.

    Args:
        fraction: the share of cases that has to be right, in (0, 1).
        confidence: one-sided, in (0, 1).
    """
    return math.floor(math.log1p(-confidence) / math.log(fraction)) + 1


def _verdict(
    lower: float | None, upper: float | None, fraction: float, sample: Sample
) -> tuple[Verdict, str]:
    missing = sample.expected - sample.n
    if lower is not None and lower > fraction:
        return Verdict.PASS, ""
    if upper is not None and upper < fraction:
        return Verdict.FAIL, ""
    if missing > MOST_MISSING:
        return Verdict.INCONCLUSIVE, f"{missing} values are missing, over {MOST_MISSING}"
    if missing and sample.span is None:
        return Verdict.INCONCLUSIVE, "a value is missing and the metric has no range to bound it"
    return Verdict.INCONCLUSIVE, "the bounds reach both sides of the threshold"
