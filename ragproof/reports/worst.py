"""Which cases went worst, by one rule that a reader can check by hand.

A value counts when its metric says which way is better and has a bounded range. It is scaled so that 1 is the
good end and 0 the bad end. A case stands at the mean over metric families of its mean within each family, so
that twelve retrieval metrics do not outvote one injection that succeeded. Lowest first; ties go to the case
with more bad values, then by id. A value is bad at the bad end of its range, or when it is worse than its
metric's mean over the run. Cases without a bad value are not listed, and failed cases are listed apart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
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


def rank(
    values: Iterable[tuple[str, str, float]], metrics: Mapping[str, Metric], limit: int
) -> tuple[tuple[str, tuple[BadScore, ...]], ...]:
    """Order a run's cases from the worst.

    Args:
        values: case id, metric key and value of everything scored in the run, in any order; several trials
            of a case count as their mean.
        metrics: by key; values of a metric that is not among them say nothing here.
        limit: at most this many cases, 0 or more.

    Returns:
        Pairs of case id and its bad scores, the worst value first; empty when nothing is bad.
    """
    ends = _ends(metrics.values())
    means = _means(values, ends)
    good = {key: _scaled(cases, ends[key]) for key, cases in means.items()}
    bad = _bad(good)
    standing = _standings(good, metrics, bad)
    order = sorted(bad, key=lambda case: (standing[case], -len(bad[case]), case))
    return tuple(
        (
            case,
            tuple(
                BadScore(metric=key, value=means[key][case], direction=metrics[key].direction)
                for key in sorted(bad[case], key=lambda key: good[key][case])
            ),
        )
        for case in order[:limit]
    )


@dataclass(frozen=True)
class _Ends:
    bad: float
    good: float


def _ends(metrics: Iterable[Metric]) -> dict[str, _Ends]:
    ends = {}
    for metric in metrics:
        low, high = metric.range.low, metric.range.high
        if low is None or high is None or low >= high or metric.direction is Direction.NONE:
            continue
        ends[metric.key] = _Ends(low, high) if metric.direction is Direction.HIGHER else _Ends(high, low)
    return ends


def _means(values: Iterable[tuple[str, str, float]], keys: Iterable[str]) -> dict[str, dict[str, float]]:
    """Return each case's mean over its trials, by metric and case."""
    found: dict[str, list[tuple[str, float]]] = {key: [] for key in keys}
    for case, key, value in values:
        if key in found:
            found[key].append((case, value))
    return {key: _mean_of_trials(pairs) for key, pairs in found.items() if pairs}


def _mean_of_trials(pairs: Sequence[tuple[str, float]]) -> dict[str, float]:
    once = dict(pairs)
    if len(once) == len(pairs):
        return once
    trials: dict[str, list[float]] = defaultdict(list)
    for case, value in pairs:
        trials[case].append(value)
    return {case: fmean(found) for case, found in trials.items()}


def _scaled(cases: Mapping[str, float], ends: _Ends) -> dict[str, float]:
    """Return values on a scale where 0 is the bad end and 1 the good one."""
    bad, width = ends.bad, ends.good - ends.bad
    return {case: (value - bad) / width for case, value in cases.items()}


def _bad(good: Mapping[str, Mapping[str, float]]) -> dict[str, list[str]]:
    bad: dict[str, list[str]] = defaultdict(list)
    for key, cases in good.items():
        below = fmean(cases.values()) - _TOLERANCE
        for case, share in cases.items():
            if share <= 0.0 or share < below:
                bad[case].append(key)
    return bad


def _standings(
    good: Mapping[str, Mapping[str, float]], metrics: Mapping[str, Metric], cases: Iterable[str]
) -> dict[str, float]:
    families: dict[str, list[Mapping[str, float]]] = defaultdict(list)
    for key, shares in good.items():
        families[metrics[key].family].append(shares)
    standings = {}
    for case in cases:
        within = ([shares[case] for shares in found if case in shares] for found in families.values())
        standings[case] = fmean([fmean(shares) for shares in within if shares])
    return standings
