"""Which cases went worst, by one rule that a reader can check by hand.

A value counts when its metric says which way is better and has a bounded range. It is scaled so that 1 is the
good end and 0 the bad end. A case stands at the mean over metric families of its mean within each family, so
that twelve retrieval metrics do not outvote one injection that succeeded. Lowest first; ties go to the case
with more bad values, then by id. A value is bad at the bad end of its range, or when it is worse than its
metric's mean over the run. Cases without a bad value are not listed, and failed cases are listed apart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import nsmallest
from math import inf
from statistics import fmean

from ragproof.frozen import Frozen
from ragproof.metric import Direction, Metric
from ragproof.reports import rounding

_TOLERANCE = 1e-9
"""A value equal to the mean is not below it for a rounding error of the sum."""


class BadScore(Frozen):
    """One metric on which a case did badly."""

    metric: str
    value: float
    direction: Direction

    def __str__(self) -> str:
        return f"{self.metric} {rounding.value(self.metric, self.value)}"


Values = Iterable[tuple[str, float]]
"""Metric keys and values of one case, each trial by itself, in any order."""


def rank(
    cases: Iterable[tuple[str, Values]],
    metrics: Mapping[str, Metric],
    means: Mapping[str, float],
    limit: int,
) -> tuple[tuple[str, tuple[BadScore, ...]], ...]:
    """Order a run's cases from the worst; of those that are not listed nothing is kept.

    Args:
        cases: pairs of case id and its values, each case once; several trials of a case count as their mean.
        metrics: by key; values of a metric that is not among them say nothing here.
        means: each metric's mean over the run; a value of a metric without one is bad at the bad end alone.
        limit: at most this many cases, 0 or more.

    Returns:
        Pairs of case id and its bad scores, the worst value first; empty when nothing is bad.
    """
    found = ((key, _scale(metric, means.get(key))) for key, metric in metrics.items())
    scales = {key: scale for key, scale in found if scale is not None}
    return tuple(
        (
            case,
            tuple(BadScore(metric=key, value=value, direction=metrics[key].direction) for key, value in bad),
        )
        for _, _, case, bad in nsmallest(limit, _standings(cases, scales))
    )


@dataclass(frozen=True)
class _Scale:
    """A metric's values on a scale where 0 is the bad end and 1 the good one."""

    family: str
    bad: float
    width: float
    mean: float
    """On the scale."""

    def share(self, value: float) -> float:
        return (value - self.bad) / self.width

    def is_bad(self, share: float) -> bool:
        return share <= 0.0 or share < self.mean - _TOLERANCE


_Standing = tuple[float, int, str, tuple[tuple[str, float], ...]]
"""What the order goes by (where a case stands, minus the number of its bad values, its id), and those."""


def _scale(metric: Metric, mean: float | None) -> _Scale | None:
    """Return a metric's scale; None when no end of its range is bad."""
    low, high = metric.range.low, metric.range.high
    if low is None or high is None or low >= high or metric.direction is Direction.NONE:
        return None
    bad, good = (low, high) if metric.direction is Direction.HIGHER else (high, low)
    return _Scale(metric.family, bad, good - bad, -inf if mean is None else (mean - bad) / (good - bad))


def _standings(cases: Iterable[tuple[str, Values]], scales: Mapping[str, _Scale]) -> Iterator[_Standing]:
    for case, values in cases:
        found = _means_of_trials(values, scales)
        shares = {key: scales[key].share(value) for key, value in found.items()}
        bad = [key for key, share in shares.items() if scales[key].is_bad(share)]
        if bad:
            told = tuple((key, found[key]) for key in sorted(bad, key=shares.__getitem__))
            yield _over_families(shares, scales), -len(bad), case, told


def _means_of_trials(values: Values, scales: Mapping[str, _Scale]) -> dict[str, float]:
    trials: dict[str, list[float]] = {key: [] for key in scales}
    for key, value in values:
        if key in trials:
            trials[key].append(value)
    return {key: found[0] if len(found) == 1 else fmean(found) for key, found in trials.items() if found}


def _over_families(shares: Mapping[str, float], scales: Mapping[str, _Scale]) -> float:
    families: dict[str, list[float]] = defaultdict(list)
    for key, share in shares.items():
        families[scales[key].family].append(share)
    return fmean([fmean(found) for found in families.values()])
