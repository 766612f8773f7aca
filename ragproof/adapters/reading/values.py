"""Single values on their way in: text, ids, numbers and counts, checked and made storable.

Text that no database or JSON file takes (half a surrogate pair, a NUL) gets U+FFFD in its place. Ids are
text: an integer is written out, a float is refused, because 17.0 may once have been "17" or "17.0".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from numbers import Integral, Real
from uuid import UUID

from ragproof.adapters.adapter import CallFailed
from ragproof.adapters.reading.notes import Notes
from ragproof.outputs import FailureKind

LARGEST_COUNT = 2**63 - 1
"""The largest integer that databases keep."""
LONGEST_NAME = 60
"""In characters, of what a message shows of a name or a text."""
_MOST_BITS = 4096
_PLAIN = frozenset({str, int, float, bool, type(None), list, tuple, dict})


def wrong(field: str, value: object, expected: str) -> CallFailed:
    """Return the failure that says what a field holds and what it should hold."""
    return CallFailed(FailureKind.BAD_OUTPUT, f"{field} is {nature(value)}, expected {expected}")


def nature(value: object) -> str:
    """Say what a value is in a few words: `None`, `the int 42`, `a list`, `an object of class 'Reply'`."""
    if value is None:
        return "None"
    if isinstance(value, str):
        return f"the text '{value if len(value) <= LONGEST_NAME else value[:LONGEST_NAME] + '...'}'"
    if isinstance(value, bool | float) or (isinstance(value, int) and is_writable(value)):
        return f"the {type(value).__name__} {value}"
    name = type(value).__name__
    if type(value).__module__ == "builtins":
        return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
    return f"an object of class '{name}'"


def is_writable(value: int) -> bool:
    """Say whether an integer may be written in digits; Python refuses the very long ones."""
    return value.bit_length() <= _MOST_BITS


def whole(text: str, notes: Notes) -> str:
    """Return text that can be stored anywhere; U+FFFD stands for what cannot."""
    text = str.__str__(text)
    if text.isascii() and "\0" not in text:
        return text
    storable = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\0", "\ufffd")
    if storable != text:
        notes.add("characters that cannot be stored (NUL, half a surrogate pair) were replaced by U+FFFD")
    return storable


def plain(value: object) -> object:
    """Return the Python value inside a scalar or array of numpy and its like; anything else as it is."""
    if type(value) in _PLAIN:
        return value
    for method in ("tolist", "item"):
        unwrap: Callable[[], object] | None = getattr(value, method, None)
        if callable(unwrap):
            return unwrap()
    return value


def identifier(value: object, field: str, notes: Notes) -> str | None:
    """Read an id.

    Args:
        value: text, an integer or a UUID; None and "" mean that there is none.
        field: what to call it in a failure.
        notes: told of an integer.

    Returns:
        The id as text, or None.

    Raises:
        CallFailed: it is something else.
    """
    value = plain(value)
    if value is None or value == "":
        return None
    if isinstance(value, str):
        return whole(value, notes)
    if isinstance(value, Integral) and not isinstance(value, bool) and is_writable(int(value)):
        notes.add("an integer id was read as text")
        return str(int(value))
    if isinstance(value, UUID):
        return str(value)
    raise wrong(field, value, "text or an integer")


def finite(value: float | Real | Decimal) -> float | None:
    """Return a number as a float; None when it is not finite, or too large for one."""
    try:
        read = float(value)
    except (OverflowError, ValueError):  # ValueError: a signaling NaN
        return None
    return read if math.isfinite(read) else None


def number(value: object, field: str, notes: Notes) -> float | None:
    """Read a score: any real number; NaN and the infinities are None, with a note.

    Raises:
        CallFailed: it is no number.
    """
    value = plain(value)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, Real | Decimal):
        raise wrong(field, value, "a number")
    read = finite(value)
    if read is None:
        notes.add("a score that is not finite was read as None")
    return read


def count(value: object, field: str) -> int | None:
    """Read a count of tokens or calls: a whole number of at least 0; None is not reported.

    Raises:
        CallFailed: it is something else.
    """
    value = plain(value)
    if value is None:
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, Integral) and not isinstance(value, bool) and 0 <= int(value) <= LARGEST_COUNT:
        return int(value)
    raise wrong(field, value, "a whole number of at least 0")
