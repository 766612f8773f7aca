"""The Retry-After header: seconds, or a date (RFC 9110, section 10.2.3)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime


def wait_seconds(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Return how long a server asks to wait.

    Args:
        headers: of the response. A date is held against its own Date header, so that clocks need not agree.
        now: what it is held against when there is none; None is the present.

    Returns:
        Seconds of at least 0; None when it does not ask, or in no form that is known.
    """
    asked = headers.get("retry-after", "").strip()
    if asked.isascii() and asked.replace(".", "", 1).isdigit():
        return float(asked)
    until = _date(asked)
    if until is None:
        return None
    sent = _date(headers.get("date", "")) or now or datetime.now(UTC)
    return max(until - sent, timedelta()).total_seconds()


def _date(text: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(text)
    except (TypeError, ValueError, IndexError):
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)
