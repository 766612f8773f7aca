"""From scores to summaries: means with their coverage, percentiles, and what errors could have made of them.

Conventions of source A: only scored cases enter a mean, and percentiles are nearest rank, so each is a value
that occurred. False friend: numpy's percentiles interpolate. Several trials of a case are one case: it counts
as scored when one of them was, and contributes the mean of those that were.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ragproof.cases import Case
from ragproof.evidence import Settings
from ragproof.metric import Metric, RunLevel
from ragproof.scores import Measured, Results, Score, Scored, Skipped
from ragproof.scoring import out_of_reach
from ragproof.summaries import Summary, Tag

NOT_REACHED = Skipped(reason="case was not reached")
"""What a case without any score counts as: the run ended before it came to it."""

_ERRORS = ("case_failed", "judge_error")
_PRECEDENCE = (*_ERRORS, "not_applicable", "skipped")
_FRACTIONS = {"p50": 0.50, "p95": 0.95, "p99": 0.99}


class _Erring(NamedTuple):
    """A case within reach of which a trial erred: had it worked, there would be a number."""

    value: float | None
    """The mean of the trials that were scored; None when none was."""
    errors: int
    trials: int
    """Those that erred, and the scored ones."""

    def filled(self, end: float) -> float:
        """The case's value had each errored trial scored `end`."""
        return ((self.value or 0.0) * (self.trials - self.errors) + end * self.errors) / self.trials


class _Standing(NamedTuple):
    """One metric on one case, its trials taken together."""

    outcome: str
    reason: str | None
    value: float | None
    erring: _Erring | None = None


@dataclass
class _Tally:
    """One metric over one set of cases, as far as they were seen; a number takes eight bytes."""

    values: array[float] = field(default_factory=lambda: array("d"))
    """Of the cases on which nothing erred."""
    erring: Counter[_Erring] = field(default_factory=Counter)
    """The others, alike ones together: a pipeline that is down fails every case alike."""
    outcomes: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, standing: _Standing) -> None:
        self.outcomes[standing.outcome] += 1
        if standing.erring is not None:
            self.erring[standing.erring] += 1
        elif standing.value is not None:
            self.values.append(standing.value)
        if standing.reason is not None:
            self.reasons[standing.reason] += 1


class Summing:
    """A summary in the making: cases are added a few at a time, and only their numbers are kept."""

    def __init__(self, metrics: Sequence[Metric], settings: Settings) -> None:
        """Begin with no case; arguments as of `summarise`."""
        self._metrics = metrics
        self._settings = settings
        self._overall = [_Tally() for _ in metrics]
        self._tagged: defaultdict[tuple[str, str], list[_Tally]] = defaultdict(
            lambda: [_Tally() for _ in metrics]
        )

    def add(self, case: Case, results: Results) -> None:
        """Count a case, once, with everything that was measured on it; empty was not reached."""
        found: dict[str, list[Measured]] = {}
        for key, result in results:
            found.setdefault(key, []).append(result)
        sets = [self._overall, *(self._tagged[item] for item in case.tags.items())]
        for place, metric in enumerate(self._metrics):
            standing = _standing(metric, case, found.get(metric.key, ()), self._settings)
            for tallies in sets:
                tallies[place].add(standing)

    def summaries(self) -> tuple[Summary, ...]:
        """Return what `summarise` does, of the cases added so far."""
        tagged = sorted(self._tagged.items())
        sets = [(None, self._overall), *((Tag(name=name, value=value), of) for (name, value), of in tagged)]
        return tuple(
            summary
            for tag, tallies in sets
            for metric, tally in zip(self._metrics, tallies, strict=True)
            for summary in _summaries(metric, tag, tally)
        )


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
    found: dict[str, Results] = {case.id: [] for case in cases}
    for score in scores:
        if score.case_id not in found:
            raise ValueError(f"score of case '{score.case_id}', expected a case of this run")
        found[score.case_id].append((score.metric, score.result))
    summing = Summing(metrics, settings)
    for case in cases:
        summing.add(case, found[case.id])
    return summing.summaries()


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


def _standing(metric: Metric, case: Case, results: Sequence[Measured], settings: Settings) -> _Standing:
    if len(results) == 1 and isinstance(results[0], Scored):
        return _Standing("scored", None, results[0].value)
    values = [result.value for result in results if isinstance(result, Scored)]
    if values and len(values) == len(results):
        return _Standing("scored", None, mean(values))
    others = [result for result in results if not isinstance(result, Scored)]
    value = mean(values) if values else None
    errors = len([result for result in others if result.outcome in _ERRORS])
    erring = None
    if errors and out_of_reach(metric, case, settings) is None:
        erring = _Erring(value, errors, errors + len(values))
    if values:
        return _Standing("scored", None, value, erring)
    told = min(others, key=_precedence, default=NOT_REACHED)
    return _Standing(told.outcome, told.reason, None, erring)


def _precedence(result: Measured) -> int:
    return _PRECEDENCE.index(result.outcome)


def _summaries(metric: Metric, tag: Tag | None, tally: _Tally) -> list[Summary]:
    partly = (each.value for each in tally.erring.elements() if each.value is not None)
    values = sorted((*tally.values, *partly))
    statistics = _statistics(metric, values)
    lowest, highest = _bounds(metric, tally, statistics.get("mean"))
    counts = tally.outcomes
    coverage = Summary(
        metric=metric.key,
        direction=metric.direction,
        tag=tag,
        scored=counts["scored"],
        skipped=counts["skipped"],
        not_applicable=counts["not_applicable"],
        judge_error=counts["judge_error"],
        case_failed=counts["case_failed"],
        reasons=dict(sorted(tally.reasons.items(), key=lambda item: (-item[1], item[0]))),
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


def _bounds(metric: Metric, tally: _Tally, known: float | None) -> tuple[float | None, float | None]:
    low, high = metric.range.low, metric.range.high
    if low is None or high is None or not (tally.values or tally.erring):
        return None, None
    lowest, highest = (
        mean((*tally.values, *(each.filled(end) for each in tally.erring.elements()))) for end in (low, high)
    )
    if known is None:
        return lowest, highest
    # Rounding in the last digit must not put the mean outside its own bounds.
    return min(lowest, known), max(highest, known)
