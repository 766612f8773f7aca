"""Which cases went worst, by one rule that a reader can check by hand.

A value counts when its metric says which way is better and has a bounded range. It is scaled so that 1 is the
good end and 0 the bad end. A case stands at the mean over metric families of its mean within each family, so
that twelve retrieval metrics do not outvote one injection that succeeded. Lowest first; ties go to the case
with more bad values, then by id. A value is bad at the bad end of its range, or when it is worse than its
metric's mean over the run. Cases without a bad value are not listed, and failed cases are listed apart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean

from ragproof.frozen import Frozen
from ragproof.metric import Direction, Metric
from ragproof.reports import rounding
from ragproof.scores import Score

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
    scores: Iterable[Score], metrics: Mapping[str, Metric], limit: int
) -> tuple[tuple[str, tuple[BadScore, ...]], ...]:
    """Order a run's cases from the worst.

    Args:
        scores: of the whole run, in any order; several trials of a case count as their mean.
        metrics: by key; scores of a metric that is not among them say nothing here.
        limit: at most this many cases, 0 or more.

    Returns:
        Pairs of case id and its bad scores, the worst value first; empty when nothing is bad.
    """
    ends = _ends(metrics.values())
    trials: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for score in scores:
        if score.value is not None and score.metric in ends:
            trials[score.metric][score.case_id].append(score.value)
    values = {key: {case: fmean(found) for case, found in cases.items()} for key, cases in trials.items()}
    good = {
        key: {
            case: (value - ends[key].bad) / (ends[key].good - ends[key].bad) for case, value in cases.items()
        }
        for key, cases in values.items()
    }
    bad = _bad(good)
    standing = _standings(good, metrics)
    order = sorted(bad, key=lambda case: (standing[case], -len(bad[case]), case))
    return tuple(
        (
            case,
            tuple(
                BadScore(metric=key, value=values[key][case], direction=metrics[key].direction)
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


def _bad(good: Mapping[str, Mapping[str, float]]) -> dict[str, list[str]]:
    bad: dict[str, list[str]] = defaultdict(list)
    for key, cases in good.items():
        average = fmean(cases.values())
        for case, share in cases.items():
            if share <= 0.0 or share < average - _TOLERANCE:
                bad[case].append(key)
    return bad


def _standings(good: Mapping[str, Mapping[str, float]], metrics: Mapping[str, Metric]) -> dict[str, float]:
    families: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for key, cases in good.items():
        for case, share in cases.items():
            families[case][metrics[key].family].append(share)
    return {case: fmean(map(fmean, found.values())) for case, found in families.items()}
