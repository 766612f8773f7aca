"""What is wrong with a rule before any run is looked at, by the key it is wrong at."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import get_args

from ragproof.errors import ConfigurationError
from ragproof.gating.targets import MEAN, Target, find_target
from ragproof.metric import Direction, Metric, Statistic

_DIRECTED = ("min", "max", "max_drop")


def rule_faults(rule: Mapping[str, object], metrics: Sequence[Metric]) -> Iterator[tuple[str, str]]:
    """Find the faults of a rule as it was written; what the model of its keys refuses is left to that.

    Args:
        rule: its keys.
        metrics: what the configuration measures.

    Yields:
        A key of the rule, and what is wrong there.
    """
    name, statistic, tag = rule.get("metric"), rule.get("statistic"), rule.get("tag")
    if isinstance(tag, str) and not tag.partition("=")[0].strip():
        yield "tag", f"'{tag}' names no tag; expected NAME or NAME=VALUE, such as language=de"
    if not isinstance(name, str) or not name.strip():
        return
    try:
        target = find_target(name, None, metrics)
    except ConfigurationError as error:
        yield "metric", str(error)
        return
    asked: Statistic | None = next((each for each in get_args(Statistic) if each == statistic), None)
    try:
        target = find_target(name, asked, metrics)
    except ConfigurationError as error:
        yield "statistic", str(error)
        return
    for key in _DIRECTED:
        if rule.get(key) is not None:
            yield from _faults_of(key, rule[key], target)


def _faults_of(key: str, limit: object, target: Target) -> Iterator[tuple[str, str]]:
    metric, low, high = target.metric, target.metric.range.low, target.metric.range.high
    if metric.direction is Direction.NONE:
        yield key, f"'{metric.key}' ranks nothing; name a metric with a direction, or set max_error_rate"
        return
    if key == "max_drop" and target.statistic != MEAN:
        yield (
            key,
            f"a drop is judged on the mean, case by case, and not on the {target.statistic}; set max instead",
        )
        return
    if isinstance(limit, bool) or not isinstance(limit, int | float) or not math.isfinite(limit):
        return
    if key != "max_drop":
        if (low is not None and limit < low) or (high is not None and limit > high):
            yield key, f"{limit:g} lies outside what '{metric.key}' can be; expected {_ends(low, high)}"
    elif low is not None and high is not None and limit >= high - low:
        yield key, f"{limit:g} allows any drop of '{metric.key}'; expected less than {high - low:g}"


def _ends(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return f"at least {low:g}" if low is not None else f"at most {high:g}"
    return f"a number from {low:g} to {high:g}"
