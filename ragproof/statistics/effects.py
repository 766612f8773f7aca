"""Effect sizes of paired differences: how large, beside whether.

d_z = mean / standard deviation of the differences (Cohen 1988); g_z removes its small-sample bias with
Hedges' exact factor (1981, doi:10.3102/10769986006002107); the matched rank biserial is Kerby's (2014,
doi:10.2466/11.IT.3.1): favourable minus unfavourable share of the rank sum. False friends: d with the pooled
standard deviation of the two runs, which ignores the pairing; the factor 1 - 3/(4 df - 1), an approximation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ragproof.statistics.samples import TIE_TOLERANCE, FloatArray, all_equal, sample, without_dust


@dataclass(frozen=True)
class EffectSizes:
    """How large a paired difference is.

    Attributes:
        mean_difference: in the metric's unit; say it first, with its interval.
        d_z: the mean in standard deviations of the differences; None when they do not vary.
        g_z: d_z without its small-sample bias; None together with d_z, and for two cases.
        wins: cases where B is better.
        ties: cases where nothing differs.
        losses: cases where A is better.
        rank_biserial: from -1 (B always worse) to 1, zero differences left out; None when all are zero.
        n: cases.
    """

    mean_difference: float
    d_z: float | None
    g_z: float | None
    wins: int
    ties: int
    losses: int
    rank_biserial: float | None
    n: int


def effect_sizes(d: ArrayLike) -> EffectSizes:
    """Measure a paired difference.

    Args:
        d: B minus A, one number a case, shape (n,); empty is refused.

    Returns:
        The effect sizes.

    Raises:
        ValueError: when `d` is empty or not finite.
    """
    values = without_dust(sample(d))
    n = values.size
    d_z = None if all_equal(values) else float(values.mean() / values.std(ddof=1))
    return EffectSizes(
        mean_difference=float(values.mean()),
        d_z=d_z,
        g_z=None if d_z is None or n < 3 else d_z * hedges_factor(n - 1),
        wins=int((values > 0).sum()),
        ties=int((values == 0).sum()),
        losses=int((values < 0).sum()),
        rank_biserial=_rank_biserial(values[values != 0.0]),
        n=n,
    )


def hedges_factor(df: int) -> float:
    """Return what a standardised mean must be multiplied by to be unbiased.

    Args:
        df: degrees of freedom, at least 2; with fewer the bias is infinite.

    Returns:
        gamma(df/2) / (sqrt(df/2) gamma((df-1)/2)), in (0, 1).

    Raises:
        ValueError: when df is under 2.
    """
    if df < 2:
        raise ValueError(f"'df' is {df}; expected at least 2, that is three cases")
    return math.exp(math.lgamma(df / 2) - math.lgamma((df - 1) / 2)) / math.sqrt(df / 2)


def _rank_biserial(moving: FloatArray) -> float | None:
    if moving.size == 0:
        return None
    ranks = _ranks(np.abs(moving))
    return float((ranks * np.sign(moving)).sum() / ranks.sum())


def _ranks(sizes: FloatArray) -> FloatArray:
    """Ranks from 1, tied sizes sharing their mean rank; sizes that rounding alone separates are tied."""
    order = np.argsort(sizes, kind="stable")
    ascending = sizes[order]
    steps = np.diff(ascending) > TIE_TOLERANCE * ascending[-1]
    group = np.concatenate([[0], np.cumsum(steps)])
    last = np.cumsum(np.bincount(group))
    middle = last - (np.bincount(group) - 1) / 2
    ranks = np.empty(sizes.size)
    ranks[order] = middle[group]
    return ranks
