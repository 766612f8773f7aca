"""What a table's cell of text holds: plain text, or a list or an object written out.

Convention: JSON, and the literals that Python and pandas write for lists and dicts; they are parsed and never
evaluated. False friend: Python joins texts that no comma separates, so the `['a' 'b']` of a NumPy array would
be one text; it is refused.
"""

from __future__ import annotations

import ast
import io
import math
import re
import tokenize
from itertools import pairwise

from ragproof.datasets.fields import Refused
from ragproof.datasets.strict_json import (
    HALF_A_PAIR,
    SURROGATE_ESCAPE,
    Malformed,
    NotJson,
    holds_half_a_pair,
    parse,
)
from ragproof.datasets.wording import shown

_OPENS_WITH_TEXT = re.compile(r"\[\s*['\"]")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_PYTHON_ESCAPES = frozenset("\\'\"abfnrtvxuU\n")


class _NoLiteral(ValueError):
    """Text that is no literal, or not to be read in one way only; the message says why when that is known."""


def list_or_text(text: str) -> list[object] | str:
    """Read a cell of a column of lists.

    Args:
        text: the cell, not empty.

    Returns:
        The entries of a list that is written out; any other text as it stands, commas and all, as one entry.

    Raises:
        Refused: it looks like a list and cannot be read as one.
    """
    stripped = text.strip()
    if not stripped.startswith("["):
        return text
    try:
        found = _literal(stripped)
    except _NoLiteral as wrong:
        if stripped.endswith("]") or _OPENS_WITH_TEXT.match(stripped):
            raise _refused(text, 'a list, such as ["one", "two"]', wrong) from wrong
        return text
    return found if isinstance(found, list) else text


def object_or_text(text: str) -> dict[str, object] | list[object] | str:
    """Read a cell of a column of objects; lists are read too, and any other text is for the field to refuse.

    Raises:
        Refused: it looks like an object or a list and cannot be read as one.
    """
    stripped = text.strip()
    if not stripped.startswith("{"):
        return list_or_text(text)
    try:
        found = _literal(stripped)
    except _NoLiteral as wrong:
        raise _refused(text, 'an object, such as {"name": 1}', wrong) from wrong
    return found if isinstance(found, dict) else text


def text_alone(text: str) -> list[object] | str:
    """Read a cell of a column that takes one text: a written-out list in it is told from text in brackets."""
    stripped = text.strip()
    try:
        found = _literal(stripped) if stripped.startswith("[") else text
    except _NoLiteral:
        return text
    return found if isinstance(found, list) else text


def _refused(text: str, expected: str, wrong: _NoLiteral) -> Refused:
    reason = f": {wrong}" if str(wrong) else ""
    return Refused(f": {shown(text)} cannot be read{reason}; expected {expected}")


def _literal(text: str) -> object:
    try:
        value = parse(text)
    except Malformed:
        value = _python_literal(text)
    except NotJson as error:
        raise _NoLiteral(str(error).partition(";")[0]) from error
    if SURROGATE_ESCAPE.search(text) and holds_half_a_pair(value):
        raise _NoLiteral(HALF_A_PAIR.partition(";")[0])
    return value


def _python_literal(text: str) -> object:
    if not set(_ESCAPED.findall(text)) <= _PYTHON_ESCAPES:
        raise _NoLiteral("a backslash stands alone")
    try:
        tree = ast.parse(text, mode="eval").body
        tokens = [token.type for token in tokenize.generate_tokens(io.StringIO(text).readline)]
    except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError) as error:
        raise _NoLiteral from error
    kept = [kind for kind in tokens if kind not in (tokenize.NL, tokenize.COMMENT)]
    if any(first == second == tokenize.STRING for first, second in pairwise(kept)):
        raise _NoLiteral("a comma is missing between two texts")
    return _value(tree)


def _value(node: ast.expr) -> object:
    match node:
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return [_value(part) for part in parts]
        case ast.Dict(keys=keys, values=values):
            names = [_key(key) for key in keys]
            if len(set(names)) < len(names):
                raise _NoLiteral("a key is given twice in one object")
            return dict(zip(names, map(_value, values), strict=True))
        case ast.Constant(value=None | bool() | str() | int() as plain):
            return plain
        case ast.Constant(value=float() as number) if math.isfinite(number):
            return number
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as size)):
            if math.isfinite(size):
                return -size
    raise _NoLiteral


def _key(node: ast.expr | None) -> str:
    match node:
        case ast.Constant(value=str() as name):
            return name
        case ast.Constant(value=int() as number) if not isinstance(number, bool):
            return str(number)
    raise _NoLiteral("a key is no text")
