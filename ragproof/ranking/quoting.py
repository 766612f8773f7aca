"""Foreign values in messages: quoted, and cut where they are long."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

_CHARACTERS = 80
_FEW = 3


def quoted(value: object) -> str:
    """Return a value in quotes, at most 80 characters of it."""
    text = str(value)
    return f"'{text}'" if len(text) <= _CHARACTERS else f"'{text[:_CHARACTERS]}...'"


def some(values: Iterable[object], count: int = _FEW) -> str:
    """Return the first few values in quotes, and how many more there are: `'q1', 'q2' and 40 more`."""
    given: Sequence[object] = list(values)
    shown = ", ".join(quoted(value) for value in islice(given, count))
    more = len(given) - count
    return f"{shown} and {more} more" if more > 0 else shown
