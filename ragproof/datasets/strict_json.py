"""JSON read strictly: what Python's parser lets pass, and could be read in two ways, is refused.

Convention: RFC 8259, so NaN, Infinity and numbers beyond a float are refused, and so is a key given twice, of
which other parsers silently keep the last.
"""

from __future__ import annotations

import json
import math
import re
from typing import NoReturn

from ragproof.datasets.wording import shown

SURROGATE_ESCAPE = re.compile(r"\\[uU](?:0000)?[dD][89a-fA-F]")
"""Found in every text that could spell half of a surrogate pair: nothing else can bring one into a file."""


class NotJson(ValueError):
    """Text that is not to be read as JSON; the message says why."""


class Malformed(NotJson):
    """Text that breaks JSON's grammar."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


def parse(text: str) -> object:
    """Read one JSON value.

    Args:
        text: a whole document; white space around it is allowed.

    Returns:
        Objects as dict, lists as list; halves of surrogate pairs are kept, and are for the caller to refuse.

    Raises:
        NotJson: it is not valid, or not to be read in one way only.
    """
    try:
        return _STRICT.decode(text)
    except json.JSONDecodeError as error:
        raise Malformed(error.msg[:1].lower() + error.msg[1:], error.lineno, error.colno) from error
    except RecursionError as error:
        raise NotJson("lists and objects are nested too deeply to be read") from error
    except NotJson:
        raise
    except ValueError as error:  # Python's own limit on the digits of a whole number
        raise NotJson("a number has more digits than can be read; write it in quotes") from error


def holds_half_a_pair(value: object) -> bool:
    """Tell whether a JSON value holds text that no UTF-8 file can hold: half of a surrogate pair."""
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


HALF_A_PAIR = "half of a surrogate pair is not text; expected whole characters"


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        repeated = next(name for name in names if names.count(name) > 1)
        raise NotJson(f"{shown(repeated)} is given twice in one object; expected each key once")
    return fields


def _refuse_constant(name: str) -> NoReturn:
    raise NotJson(f"{name} is not JSON; expected a finite number or null")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise NotJson(f"{shown(digits)} is too large for a number; write it in quotes")
    return number


_STRICT = json.JSONDecoder(
    object_pairs_hook=_without_repeats, parse_constant=_refuse_constant, parse_float=_finite
)
