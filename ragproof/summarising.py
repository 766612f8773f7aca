"""From scores to summaries: means with their coverage, percentiles, and what errors could have made of them.

Conventions of source A: only scored cases enter a mean, and percentiles are nearest rank, so each is a value
that occurred. False friend: numpy's percentiles interpolate. Several trials of a case are one case: it counts
as scored when one of them was, and contributes the mean of those that were.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ragproof.cases import Case
from ragproof.evidence import Settings
from ragproof.metric import Metric, RunLevel
from ragproof.scores import Measured, Score, Scored, Skipped
from ragproof.scoring import out_of_reach
from ragproof.summaries import Summary, Tag

NOT_REACHED = Skipped(reason="case was not reached")
"""What a case without any score counts as: the run ended before it came to it."""

_ERRORS = ("case_failed", "judge_error")
_PRECEDENCE = (*_ERRORS, "not_applicable", "skipped")
_FRACTIONS = {"p50": 0.50, "p95": 0.95, "p99": 0.99}


class _Standing(NamedTuple):
    """One metric on one case, its trials taken together."""

    outcome: str
    reason: str | None
    value: float | None
    errors: int
    """Trials that erred on a case within reach: had they worked, there would be numbers."""
    trials: int
    """Those, and the scored ones."""

    def filled(self, end: float) -> float:
        """The case's value had each errored trial scored `end`; `trials` must not be 0."""
        return ((self.value or 0.0) * (self.trials - self.errors) + end * self.errors) / self.trials


def summarise(
    metrics: Sequence[Metric], scores: Iterable[Score], cases: Sequence[Case], settings: Settings
) -> tuple[Summary, ...]:
    """Summarise a run over all cases, and over the cases of each tag.

    Args:
        metrics: what to summarise, in the order wanted; scores of other metrics are left out.
        scores: in any order, which cannot change a result; a case without one was not reached.
        cases: every case of the run; empty gives summaries that count nothing.
        settings: the run's settings, which decide what was within reach.

    Returns:
        For all cases, then for each tag by name and value: a summary per metric, its run-level keys after it.

    Raises:
        ValueError: a score belongs to a case that is not among `cases`.
    """
    results: dict[str, dict[str, list[Measured]]] = {metric.key: defaultdict(list) for metric in metrics}
    known = {case.id for case in cases}
    for score in scores:
        if score.case_id not in known:
            raise ValueError(f"score of case '{score.case_id}', expected a case of this run")
        if score.metric in results:
            results[score.metric][score.case_id].append(score.result)
    standings = [
        (metric, [_standing(metric, case, results[metric.key].get(case.id, ()), settings) for case in cases])
        for metric in metrics
    ]
    return tuple(
        summary
        for tag, members in _subsets(cases)
        for metric, standing in standings
        for summary in _summaries(metric, tag, [standing[member] for member in members])
    )


def nearest_rank(ordered: Sequence[float], fraction: float) -> float:
    """Return the value at position max(1, ceil(fraction * n)) of sorted values.

    Args:
        ordered: values, ascending; at least one.
        fraction: 0 to 1; 0.95 for the 95th percentile.

    Returns:
        One of the values.

    Raises:
        ValueError: there is no value.
    """
    if not ordered:
        raise ValueError("no values, expected at least one")
    return ordered[max(1, math.ceil(fraction * len(ordered))) - 1]


def mean(values: Sequence[float]) -> float:
    """Return the arithmetic mean, the same in any order; at least one value."""
    try:
        return math.fsum(values) / len(values)
    except OverflowError:  # the sum is out of range, the mean is not
        return math.fsum(value / len(values) for value in values)


def _subsets(cases: Sequence[Case]) -> list[tuple[Tag | None, list[int]]]:
    tagged: dict[tuple[str, str], list[int]] = defaultdict(list)
    for position, case in enumerate(cases):
        for item in case.tags.items():
            tagged[item].append(position)
    by_tag = [(Tag(name=name, value=value), tagged[name, value]) for name, value in sorted(tagged)]
    return [(None, [*range(len(cases))]), *by_tag]


def _standing(metric: Metric, case: Case, results: Sequence[Measured], settings: Settings) -> _Standing:
    values = [result.value for result in results if isinstance(result, Scored)]
    if values and len(values) == len(results):
        return _Standing("scored", None, mean(values), 0, len(values))
    others = [result for result in results if not isinstance(result, Scored)]
    errors = len([result for result in others if result.outcome in _ERRORS])
    if errors and out_of_reach(metric, case, settings) is not None:
        errors = 0
    if values:
        return _Standing("scored", None, mean(values), errors, errors + len(values))
    told = min(others, key=_precedence, default=NOT_REACHED)
    return _Standing(told.outcome, told.reason, None, errors, errors)


def _precedence(result: Measured) -> int:
    return _PRECEDENCE.index(result.outcome)


def _summaries(metric: Metric, tag: Tag | None, standings: Sequence[_Standing]) -> list[Summary]:
    values = sorted(standing.value for standing in standings if standing.value is not None)
    statistics = _statistics(metric, values)
    lowest, highest = _bounds(metric, standings, statistics.get("mean"))
    counts = Counter(standing.outcome for standing in standings)
    reasons = Counter(standing.reason for standing in standings if standing.reason is not None)
    coverage = Summary(
        metric=metric.key,
        direction=metric.direction,
        tag=tag,
        scored=counts["scored"],
        skipped=counts["skipped"],
        not_applicable=counts["not_applicable"],
        judge_error=counts["judge_error"],
        case_failed=counts["case_failed"],
        reasons=dict(sorted(reasons.items(), key=lambda item: (-item[1], item[0]))),
    )
    whole = coverage.model_copy(update={**statistics, "lowest_mean": lowest, "highest_mean": highest})
    return [whole, *(_run_level(derived, coverage, statistics) for derived in metric.run_level)]


def _statistics(metric: Metric, values: Sequence[float]) -> dict[str, float]:
    if not values:
        return {}
    return {
        name: mean(values) if name == "mean" else nearest_rank(values, _FRACTIONS[name])
        for name in metric.statistics
    }


def _run_level(derived: RunLevel, coverage: Summary, statistics: Mapping[str, float]) -> Summary:
    value = statistics.get(derived.statistic)
    return coverage.model_copy(update={"metric": derived.key, "mean": value})


def _bounds(
    metric: Metric, standings: Sequence[_Standing], known: float | None
) -> tuple[float | None, float | None]:
    low, high = metric.range.low, metric.range.high
    counted = [standing for standing in standings if standing.trials]
    if low is None or high is None or not counted:
        return None, None
    lowest, highest = (mean([standing.filled(end) for standing in counted]) for end in (low, high))
    if known is None:
        return lowest, highest
    # Rounding in the last digit must not put the mean outside its own bounds.
    return min(lowest, known), max(highest, known)
