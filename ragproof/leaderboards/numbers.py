"""Differences, intervals and p as people read them; everything else rounds in `ragproof.reports.rounding`."""

from __future__ import annotations

from ragproof.reports import rounding
from ragproof.statistics.interval import Interval

P_DIGITS = 3
LEAST_P = 0.001
UNRESOLVABLE = "unresolvable"


def difference(number: float, metric: str) -> str:
    """Write a difference of a metric with its sign; what rounds to 0 has none."""
    text = rounding.value(metric, number)
    return text if number <= 0 or not text.strip("0.") else f"+{text}"


def interval(found: Interval, metric: str, *, signed: bool = False) -> str:
    """Write an interval of a metric's value, or of its difference; one that does not exist is `-`."""
    if found.low is None or found.high is None:
        return rounding.ABSENT
    write = difference if signed else lambda number, key: rounding.value(key, number)
    return f"{write(found.low, metric)} to {write(found.high, metric)}"


def p_value(p: float, unresolvable: bool) -> str:
    """Write a p, `unresolvable` where no outcome could have reached 0.05."""
    if unresolvable:
        return UNRESOLVABLE
    return f"< {LEAST_P}" if p < LEAST_P else rounding.fixed(p, P_DIGITS)
