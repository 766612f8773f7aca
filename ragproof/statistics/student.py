"""Student's t on paired differences: shown beside the sign flip, and the basis of the gate's bounds.

t = mean / (s / sqrt(n)) with n - 1 degrees of freedom (scipy.stats.ttest_rel). False friend: the unpaired t
test, which throws the pairing away.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from numpy.typing import ArrayLike

from ragproof.statistics.distributions import t_quantile, t_upper_tail
from ragproof.statistics.interval import Flag, Interval, equal_values_interval
from ragproof.statistics.samples import all_equal, ends, probability, sample


@dataclass(frozen=True)
class PairedT:
    """A paired t test.

    Attributes:
        mean: the mean difference.
        standard_error: of the mean; None for one case, and when all differences are equal.
        t: the statistic; None together with `standard_error`.
        df: n - 1.
        p: two-sided, in [0, 1]; None together with `t`.
        interval: of the mean difference, clipped to the range when one is given.
        n: cases.
    """

    mean: float
    standard_error: float | None
    t: float | None
    df: int
    p: float | None
    interval: Interval
    n: int


def paired_t(
    d: ArrayLike, *, confidence: float = 0.95, lowest: float | None = None, highest: float | None = None
) -> PairedT:
    """Test whether the mean of paired differences is zero, by Student's t.

    Args:
        d: B minus A, one number a case, shape (n,); empty is refused.
        confidence: of the interval, in (0, 1).
        lowest: the smallest difference possible; None when there is none.
        highest: the largest.

    Returns:
        The test; without spread its t and p are None and the interval carries a flag.

    Raises:
        ValueError: when `d` is empty or not finite, or the confidence or the range is none.
    """
    values, confidence = sample(d), probability(confidence, "confidence")
    span = ends(lowest, highest)
    n, mean = values.size, float(values.mean())
    if all_equal(values):
        flag = Flag.ONE_CASE if n == 1 else Flag.ALL_EQUAL
        held = equal_values_interval(mean, n, ends=span, confidence=confidence, flag=flag)
        return PairedT(mean, None, None, n - 1, None, held, n)
    error = float(values.std(ddof=1)) / math.sqrt(n)
    half = t_quantile(0.5 + confidence / 2, n - 1) * error
    low, high = clipped(mean - half, mean + half, span)
    return PairedT(
        mean=mean,
        standard_error=error,
        t=mean / error,
        df=n - 1,
        p=2.0 * t_upper_tail(abs(mean / error), n - 1),
        interval=Interval(low, high, confidence, "Student's t"),
        n=n,
    )


def clipped(low: float, high: float, span: tuple[float, float] | None) -> tuple[float, float]:
    """Cut an interval's ends to a range; None leaves them."""
    return (low, high) if span is None else (max(low, span[0]), min(high, span[1]))
