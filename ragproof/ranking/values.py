"""Which values are scores and gains, and what is said of those that are not.

A score is any number but NaN, infinity included. A gain is a whole number; one written as 1.0 is whole.
"""

from __future__ import annotations

from numbers import Real
from typing import SupportsFloat, cast

from ragproof.ranking.quoting import quoted

LARGEST_GAIN = 2**31 - 1


def score(value: object) -> float | None:
    """Return a score as a double; None when it is none. A text is none, whatever it spells."""
    if isinstance(value, bool | str | bytes):
        return None
    try:
        number = float(cast(SupportsFloat, value))
    except (TypeError, ValueError, OverflowError):
        return None
    return None if number != number else number


def gain(value: object) -> int | None:
    """Return a gain; None when it is none. True and False are 1 and 0."""
    if not isinstance(value, Real):
        return None
    try:
        number = float(cast(SupportsFloat, value))
    except OverflowError:
        return None
    return int(number) if number.is_integer() and abs(number) <= LARGEST_GAIN else None


def no_score(value: object) -> str:
    """Say that a value is no score, and what to do about it."""
    text = str(value).strip()
    if text.count(",") == 1 and text.replace(",", "", 1).lstrip("+-").isdecimal():
        return f"score {quoted(text)} is no number; write decimals with a point: '{text.replace(',', '.')}'"
    if text.lower().lstrip("+-") == "nan":
        return f"score {quoted(text)} orders nothing, expected a number; leave the document out"
    if isinstance(value, str) and _spells_a_number(text):
        return f"score {quoted(text)} is a text, expected a number without quotes"
    return f"score {quoted(text)} is no number, expected one such as 12.5"


def no_gain(value: object) -> str:
    """Say that a value is no gain."""
    text = str(value).strip()
    if isinstance(value, str) and _spells_a_number(text) and gain(float(text)) is not None:
        return f"relevance {quoted(text)} is a text, expected a number without quotes"
    if text.lstrip("+-").isdecimal():
        return f"relevance {quoted(text)} is out of range, expected at most {LARGEST_GAIN}"
    return f"relevance {quoted(text)} is no whole number, expected one such as 0, 1 or 2"


def _spells_a_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text
