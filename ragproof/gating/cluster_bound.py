"""One-sided bounds of a mean over cases that come in groups, some of their values missing.

Student's t on G - 1 with the cluster-robust (CR1) standard error, as `ragproof.statistics.clusters` has it. A
missing value could be anything between its own ends, and mean - t * CR1 is concave in each value, so the
smallest bound over every assignment of the missing values to their ends is the smallest there is. A case that
is lost stays in its group, so losing one never moves the bound up. False friend: dropping the cases that are
missing, which makes the groups smaller and the bound as good as the luck of who is left.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragproof.comparing.clustering import Clusters
from ragproof.statistics.clusters import cluster_interval
from ragproof.statistics.distributions import t_quantile
from ragproof.statistics.gate_bounds import MOST_MISSING, Span
from ragproof.statistics.interval import share_elsewhere
from ragproof.statistics.samples import FloatArray, all_equal


@dataclass(frozen=True)
class ClusterBounds:
    """What groups leave of a sample's bounds.

    Attributes:
        lower: one-sided, with every missing value at its worst; None when there is no such bound.
        upper: one-sided, of the values there are; None when they carry none.
        groups: among all cases, those whose value is missing included.
        design_effect: how much the groups inflate the variance of the values there are; None without spread.
    """

    lower: float | None
    upper: float | None
    groups: int
    design_effect: float | None


def cluster_bounds(
    values: FloatArray,
    ends: FloatArray,
    clusters: Clusters,
    *,
    span: Span,
    confidence: float,
) -> ClusterBounds:
    """Return the bounds of a mean over cases.

    Args:
        values: one a case, shape (n,), NaN where it is missing; oriented, more is better.
        ends: the least and the most that each value could be, shape (n, 2); looked at where it is missing.
        clusters: the number of each case's group, length n.
        span: the ends of the range of any value; None when it is open.
        confidence: one-sided, over one half.

    Returns:
        The bounds; they are those of `cluster_interval` at twice the error when nothing is missing.
    """
    numbers, places = np.unique(clusters, return_inverse=True)
    here = ~np.isnan(values)
    groups = numbers.size
    if not here.any():
        return ClusterBounds(None, None, groups, None)
    low, high = span or (None, None)
    seen = cluster_interval(
        values[here], places[here].tolist(), confidence=2.0 * confidence - 1.0, lowest=low, highest=high
    )
    lower = None
    bounded = span is not None or here.all()
    if groups > 1 and bounded and (~here).sum() <= MOST_MISSING:
        lower = _lowest(values[here], places[here], ends[~here], places[~here], groups, span, confidence)
    upper = None if np.unique(places[here]).size < 2 else seen.interval.high
    return ClusterBounds(lower, upper, groups, seen.design_effect)


def _lowest(
    observed: FloatArray,
    places: NDArray[np.int64],
    ends: FloatArray,
    missing: NDArray[np.int64],
    groups: int,
    span: Span,
    confidence: float,
) -> float | None:
    n, centre = observed.size + len(ends), float(observed.mean())
    sums = np.bincount(places, weights=observed - centre, minlength=groups)
    sizes = np.bincount(np.concatenate([places, missing]), minlength=groups).astype(np.float64)
    chosen = _assignments(ends) - centre
    touched, column = np.unique(missing, return_inverse=True)
    moved = np.tile(sums[touched], (len(chosen), 1))
    for place, values in zip(column, chosen.T, strict=True):
        moved[:, place] += values
    rest = np.delete(sums, touched)
    means = (rest.sum() + moved.sum(axis=1)) / n
    # The sum over groups of (sum - size * mean)^2, without a row of all groups for each assignment.
    squares = (rest**2).sum() + (moved**2).sum(axis=1)
    products = rest @ np.delete(sizes, touched) + moved @ sizes[touched]
    away = np.maximum(squares - 2.0 * means * products + means**2 * (sizes**2).sum(), 0.0)
    error = np.sqrt(away * groups / (groups - 1)) / n
    bounds = centre + means - t_quantile(confidence, groups - 1) * error
    least = float(bounds.min())
    if not all_equal(observed):
        return least
    if span is None:
        return None
    # Equal values carry what so many equal groups do. Those seen are counted, and not those missing besides:
    # equal values must not look better once one of them is lost and filled with something else.
    share = share_elsewhere(np.unique(places).size, confidence)
    return min(least, centre - share * (centre - span[0]))


def _assignments(ends: FloatArray) -> FloatArray:
    """Every way to give each missing value one of its ends, shape (2^missing, missing)."""
    count = len(ends)
    bits = (np.arange(2**count)[:, None] >> np.arange(count)) & 1
    return np.where(bits == 1, ends[:, 1], ends[:, 0]).reshape(2**count, count)
