"""One-sided bounds of a mean of which some values are missing: what a gate compares with its margin.

Student's t at 95 % one-sided. A missing value could be anything in the metric's range, so the lower bound is
the smallest over every assignment of the missing values to the range's ends; the ends suffice because mean -
t * s is concave in each value. Equal values get the bound that n equal values carry, never one of zero
width.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ragproof.statistics.distributions import t_quantile
from ragproof.statistics.interval import Flag, share_elsewhere
from ragproof.statistics.samples import (
    FLOAT_DUST,
    TIE_TOLERANCE,
    FloatArray,
    all_equal,
    ends,
    probability,
    sample,
)

MOST_MISSING = 12

Span = tuple[float, float] | None


@dataclass(frozen=True)
class Bounds:
    """One-sided bounds of a mean, each at the stated confidence.

    Attributes:
        mean: of the values there are.
        lower: the mean is above it; None when the data carry no bound.
        upper: the mean is below it; None when the data carry no bound.
        confidence: of each side on its own, in (0, 1).
        n: values there are.
        flag: why a bound is absent or is not Student's t; None when it is.
    """

    mean: float
    lower: float | None
    upper: float | None
    confidence: float
    n: int
    flag: Flag | None = None


def one_sided_bounds(
    d: ArrayLike, *, confidence: float = 0.95, lowest: float | None = None, highest: float | None = None
) -> Bounds:
    """Return the one-sided bounds of a mean.

    Args:
        d: differences, or the values of one run, one a case, shape (n,); empty is refused.
        confidence: of each side on its own, in (0, 1).
        lowest: the smallest value possible; None when there is none.
        highest: the largest.

    Returns:
        Student's t bounds; without spread the bounds that equal values carry when the range is known, else
        none.

    Raises:
        ValueError: when `d` is empty or not finite, or confidence or range is none.
    """
    values, confidence = sample(d), probability(confidence, "confidence")
    span, n, mean = ends(lowest, highest), values.size, float(values.mean())
    if not all_equal(values):
        reach = t_quantile(confidence, n - 1) * float(values.std(ddof=1)) / math.sqrt(n)
        return Bounds(mean, mean - reach, mean + reach, confidence, n)
    flag = Flag.ONE_CASE if n == 1 else Flag.ALL_EQUAL
    if span is None or n == 1:
        return Bounds(mean, None, None, confidence, n, flag)
    share = share_elsewhere(n, confidence)
    return Bounds(mean, mean - share * (mean - span[0]), mean + share * (span[1] - mean), confidence, n, flag)


def lowest_lower_bound(
    observed: FloatArray,
    missing: Sequence[tuple[float, float]],
    *,
    span: Span,
    confidence: float = 0.95,
) -> float | None:
    """Return the smallest one-sided lower bound over every assignment of the missing values.

    Args:
        observed: the values there are, shape (n,).
        missing: for every missing value the lowest and highest it could be; empty when none is missing.
        span: the ends of the range of one value; None when it is open.
        confidence: one-sided, in (0, 1).

    Returns:
        The bound; None when there is none: under two values, an open range with something missing or without
        spread, or over 12 missing values.
    """
    if observed.size < 2 or len(missing) > MOST_MISSING or (span is None and missing):
        return None
    centre = float(observed.mean())
    sums, squares = np.zeros(1), np.full(1, float(((observed - centre) ** 2).sum()))
    for low, high in missing:
        sums = np.concatenate([sums + (low - centre), sums + (high - centre)])
        squares = np.concatenate([squares + (low - centre) ** 2, squares + (high - centre) ** 2])
    n = observed.size + len(missing)
    variance = (squares - sums**2 / n) / (n - 1)
    means = centre + sums / n
    bounds = means - t_quantile(confidence, n - 1) * np.sqrt(np.maximum(variance, 0.0) / n)
    equal = variance <= _rounding(observed, n)
    if not equal.any():
        least = float(bounds.min())
    elif span is None:
        return None
    else:
        held = means - share_elsewhere(n, confidence) * (means - span[0])
        least = float(np.where(equal, held, bounds).min())
    # What equal values carry must not look better once one of them is lost and filled with something else.
    if missing and span is not None and all_equal(observed):
        share = share_elsewhere(observed.size, confidence)
        least = min(least, centre - share * (centre - span[0]))
    return least


def _rounding(observed: FloatArray, n: int) -> float:
    """The variance that equal values show through rounding alone; agrees with `all_equal`."""
    slack = max(TIE_TOLERANCE * float(np.abs(observed).max()), FLOAT_DUST)
    return slack**2 / (4 * n)
