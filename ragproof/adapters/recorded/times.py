"""The times of spans, as exporters write them: ISO 8601, or a number since 1970 in nanoseconds or coarser."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_THIS_CENTURY_SECONDS = (978_307_200, 4_102_444_800)
"""From 2001 to 2100: a number of this size can only be seconds, a thousand times as large milliseconds."""
_NANOSECONDS = {1: 10**9, 10**3: 10**6, 10**6: 10**3}


def nanoseconds(value: object) -> int:
    """Return a time as nanoseconds since 1970.

    Args:
        value: text of a date and time (UTC, unless it has a zone), or of a number; or a number. Numbers are
            nanoseconds, unless they are a date of this century in microseconds, in milliseconds or, with a
            fraction, in seconds.

    Raises:
        ValueError: it is none of them.
    """
    if isinstance(value, str):
        text = value.strip()
        if text.lstrip("-").isdigit():
            return _of_number(int(text))
        date = datetime.fromisoformat(text)
        since = (date if date.tzinfo else date.replace(tzinfo=UTC)) - _EPOCH
        return since // timedelta(microseconds=1) * 1000
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _of_number(value)
    raise ValueError("no time")


def _of_number(value: float) -> int:
    first, last = _THIS_CENTURY_SECONDS
    for unit, factor in _NANOSECONDS.items():
        if first * unit <= value < last * unit and (unit > 1 or isinstance(value, float)):
            return int(value * factor)
    return int(value)
