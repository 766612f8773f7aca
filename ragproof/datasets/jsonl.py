"""JSON Lines: one JSON object a line, UTF-8, the format of source A and of our own datasets.

Convention: `strict_json` for each line; lines end with LF or CRLF.
False friend: `str.splitlines` also splits at U+2028, which JSON allows inside a string.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from pathlib import Path

from ragproof.cases import Case
from ragproof.datasets.decoding import bad_byte, refuse_other_files
from ragproof.datasets.reader import Reader
from ragproof.datasets.rows import Row, cases_from
from ragproof.datasets.strict_json import (
    HALF_A_PAIR,
    SURROGATE_ESCAPE,
    Malformed,
    NotJson,
    holds_half_a_pair,
    parse,
)
from ragproof.datasets.wording import named, shown
from ragproof.errors import ConfigurationError, Fault

_SUFFIXES = (".jsonl", ".ndjson")
_BLANK = b" \t\r\n"


def sniff(path: Path, head: bytes) -> bool:
    """Recognise the format by the file's suffix, or by a first line that is an object with a question."""
    return path.suffix.lower() in _SUFFIXES or "question" in first_object(head)


def first_object(head: bytes) -> dict[str, object]:
    """Return the object on the first line that is not blank; empty when there is none."""
    try:
        row = json.loads(head.removeprefix(codecs.BOM_UTF8).strip(_BLANK).split(b"\n", 1)[0])
    except (ValueError, RecursionError):
        return {}
    return row if isinstance(row, dict) else {}


def read(path: Path) -> tuple[Case, ...]:
    """Read every line of a file.

    Args:
        path: a UTF-8 file, with or without a byte order mark; blank lines are passed over.

    Returns:
        The cases in file order; never empty.

    Raises:
        ConfigurationError: all that is wrong, each with its line.
        OSError: the file cannot be opened.
    """
    return cases_from(rows(path, path.name), path.name)


def rows(path: Path, name: str) -> Iterator[Row | Fault]:
    """Yield the object on each line, its keys not yet checked.

    Args:
        path: as for `read`.
        name: what places call the file.
    """
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            content = line.removeprefix(codecs.BOM_UTF8).rstrip(_BLANK)
            if number == 1:
                _refuse_one_document(content, f"{name}:1")
            if content:
                yield _row(content, f"{name}:{number}")


def _refuse_one_document(first_line: bytes, place: str) -> None:
    refuse_other_files(first_line, place)
    if first_line in (b"[", b"{") or first_line.startswith(b"[{"):
        message = "the file is one JSON document; expected one object a line, a case on each"
        raise ConfigurationError([Fault(message, place)])


def _row(content: bytes, place: str) -> Row | Fault:
    try:
        text = content.decode("utf-8")
        fields = parse(text)
    except UnicodeDecodeError as error:
        column = len(content[: error.start].decode("utf-8")) + 1
        return Fault(bad_byte(content, error), f"{place}:{column}")
    except Malformed as error:
        return Fault(f"not valid JSON: {error}; expected one object a line", f"{place}:{error.column}")
    except NotJson as error:
        return Fault(str(error), place)
    surrogate = _half_a_pair(fields) if SURROGATE_ESCAPE.search(text) else None
    if surrogate is not None:
        return Fault(f"{surrogate}: {HALF_A_PAIR}", place)
    if not isinstance(fields, dict):
        return Fault(f"{shown(fields)} is not a case; expected an object", place)
    return Row(place, fields)


def _half_a_pair(fields: object) -> str | None:
    """Name the field that holds half of a surrogate pair; JSON can only spell it as an escape."""
    for name, value in fields.items() if isinstance(fields, dict) else [("the line", fields)]:
        if holds_half_a_pair([name, value]):
            return named(name)
    return None


READER = Reader(name="jsonl", version=1, sniff=sniff, read=read)
