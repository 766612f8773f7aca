"""The last step: numbers become text for people. Nothing else rounds; JSON and CSV carry full values."""

from __future__ import annotations

import re

SCORE_DIGITS = 3
MILLISECOND_DIGITS = 1
COUNT_DIGITS = 1
"""A mean of tokens or calls."""
USD_DIGITS = 6
SECOND_DIGITS = 1

_DIGITS_OF_WORD = {
    "ms": MILLISECOND_DIGITS,
    "usd": USD_DIGITS,
    "seconds": SECOND_DIGITS,
    "tokens": COUNT_DIGITS,
    "calls": COUNT_DIGITS,
    "hits": COUNT_DIGITS,
    "misses": COUNT_DIGITS,
}
ABSENT = "-"
"""What stands where there is no number."""


def digits_of(metric: str) -> int:
    """Return how many decimals a metric is shown with; its unit is a word of its key (`latency_ms`)."""
    words = re.split(r"[^a-z]+", metric.lower())
    return next((_DIGITS_OF_WORD[word] for word in words if word in _DIGITS_OF_WORD), SCORE_DIGITS)


def value(metric: str, number: float | None) -> str:
    """Write a metric's value.

    Args:
        metric: its key.
        number: finite; None is "no number", which is never shown as 0.

    Returns:
        Decimal text, or `ABSENT`.
    """
    return fixed(number, digits_of(metric))


def fixed(number: float | None, digits: int) -> str:
    """Write a number with so many decimals, half to even, never as minus zero; None is `ABSENT`."""
    if number is None:
        return ABSENT
    return f"{round(number, digits) + 0.0:.{digits}f}"


def duration(seconds: float | None) -> str:
    """Write a duration of 0 seconds or more as `4.2 s`, `3 min 20 s` or `2 h 5 min`; None is `ABSENT`."""
    if seconds is None:
        return ABSENT
    if seconds < 60:
        return f"{fixed(seconds, SECOND_DIGITS)} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"
