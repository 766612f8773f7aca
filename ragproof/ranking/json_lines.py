"""JSON lines: an object a line, with a query, a document and a score or a relevance."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import polars as pl

from ragproof.ranking import naming, values
from ragproof.ranking.faults import Faults
from ragproof.ranking.quoting import quoted
from ragproof.ranking.rows import Block, block


def read(data: bytes, first: int, gains: bool, place: Callable[[int], str]) -> Block:
    """Read some whole lines.

    Args:
        data: an object a line, in UTF-8; blank lines are ignored, and so are other keys.
        first: the number of the first line.
        gains: whether the value is a relevance, not a score.
        place: says where a line stands.

    Returns:
        The rows, with the faults of the lines that are none.
    """
    faults = Faults()
    rows: list[tuple[str, str, float]] = []
    numbers: list[int] = []
    for number, line in enumerate(data.split(b"\n"), start=first):
        if line.isspace() or not line:
            continue
        try:
            rows.append(_row(line, gains))
            numbers.append(number)
        except ValueError as error:
            faults.add(str(error), place(number))
    queries, documents, found = zip(*rows, strict=True) if rows else ((), (), ())
    return block(
        pl.Series(queries, dtype=pl.String),
        pl.Series(documents, dtype=pl.String),
        pl.Series(found, dtype=pl.Int32 if gains else pl.Float64),
        numbers,
        faults,
    )


def _row(line: bytes, gains: bool) -> tuple[str, str, float]:
    """Read one line.

    Raises:
        ValueError: it is none, in words.
    """
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError("the line is no JSON, expected an object a line") from None
    if not isinstance(found, dict):
        raise ValueError(f"the line is a JSON {type(found).__name__}, expected an object")
    query = _id(found, naming.QUERY, "query")
    document = _id(found, naming.DOCUMENT, "document")
    key = naming.pick(found, naming.GAIN if gains else naming.SCORE)
    if key is None:
        kind = ("relevance", naming.GAIN) if gains else ("score", naming.SCORE)
        raise ValueError(naming.no_column(found, kind[1], kind[0]))
    value = values.gain(found[key]) if gains else values.score(found[key])
    if value is None:
        raise ValueError(values.no_gain(found[key]) if gains else values.no_score(found[key]))
    return query, document, value


def _id(found: dict[str, Any], names: tuple[str, ...], kind: str) -> str:
    key = naming.pick(found, names)
    if key is None:
        raise ValueError(naming.no_column(found, names, kind))
    value = found[key]
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ValueError(f"'{key}' is {quoted(value)}, expected a text")
    try:
        return str(value).encode().decode()
    except UnicodeEncodeError:
        raise ValueError(f"'{key}' has half a surrogate pair, expected a text") from None
