"""Intervals of one proportion: Wilson for reports, Clopper-Pearson where the level must always hold.

Wilson 1927 (doi:10.1080/01621459.1927.10502953) and Clopper and Pearson 1934; both agree with
statsmodels.stats.proportion.proportion_confint. False friend: Wald, p -+ z sqrt(p(1-p)/n), of zero width at
0 and 1.
"""

from __future__ import annotations

import math

from ragproof.statistics.distributions import beta_quantile, normal_quantile
from ragproof.statistics.interval import Flag, Interval
from ragproof.statistics.samples import probability


def wilson_interval(successes: int, n: int, *, confidence: float = 0.95) -> Interval:
    """Return Wilson's score interval of a proportion.

    Args:
        successes: from 0 to n.
        n: cases; 0 gives an absent, flagged interval.
        confidence: in (0, 1); for a one-sided bound of 95 % ask for 0.90.

    Returns:
        An interval inside [0, 1], never of zero width.

    Raises:
        ValueError: when the successes are negative or more than n.
    """
    _counts(successes, n)
    if n == 0:
        return Interval(None, None, confidence, "none", Flag.NO_CASE)
    z2 = normal_quantile(0.5 + probability(confidence, "confidence") / 2) ** 2
    share = successes / n
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = math.sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == n else min(1.0, centre + half)
    return Interval(low, high, confidence, "Wilson")


def clopper_pearson_interval(successes: int, n: int, *, confidence: float = 0.95) -> Interval:
    """Return the exact interval of a proportion; of a Monte Carlo p it says how far the draws can be trusted.

    Args:
        successes: from 0 to n; for a Monte Carlo p, the draws at least as extreme as the observed.
        n: cases, or draws; 0 gives an absent, flagged interval.
        confidence: in (0, 1).

    Returns:
        An interval inside [0, 1], never of zero width.

    Raises:
        ValueError: when the successes are negative or more than n.
    """
    _counts(successes, n)
    if n == 0:
        return Interval(None, None, confidence, "none", Flag.NO_CASE)
    tail = (1.0 - probability(confidence, "confidence")) / 2
    low = 0.0 if successes == 0 else beta_quantile(tail, successes, n - successes + 1)
    high = 1.0 if successes == n else beta_quantile(1.0 - tail, successes + 1, n - successes)
    return Interval(low, high, confidence, "Clopper-Pearson")


def _counts(successes: int, n: int) -> None:
    if not 0 <= successes <= n:
        raise ValueError(f"'successes' is {successes} of {n}; expected a whole number from 0 to {n}")
