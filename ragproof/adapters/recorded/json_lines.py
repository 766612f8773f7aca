"""A file of JSON lines: what is on each line, and where it stands, so that a line can be read again alone.

False friend: `str.splitlines` also splits at U+2028, which JSON allows inside a string.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from ragproof.datasets.wording import shown
from ragproof.errors import Fault

Row = dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a line stands."""

    offset: int
    size: int
    """In bytes."""
    number: int
    """From 1."""


def read(path: Path) -> Iterator[tuple[Place, Row | Fault]]:
    """Yield every line that is not blank: an object, or what is wrong with it.

    Raises:
        OSError: the file cannot be read.
    """
    offset = 0
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            place = Place(offset, len(line), number)
            offset += len(line)
            content = line.removeprefix(codecs.BOM_UTF8).strip()
            if content:
                yield place, _row(content, f"{path.name}:{number}")


def read_again(path: Path, places: Iterable[Place]) -> Iterator[Row]:
    """Yield the objects on lines that were read before.

    Raises:
        OSError: the file cannot be read.
        ValueError: they are no objects any more.
    """
    with path.open("rb") as file:
        for place in places:
            file.seek(place.offset)
            row = _row(file.read(place.size).removeprefix(codecs.BOM_UTF8).strip(), "")
            if isinstance(row, Fault):
                raise ValueError(f"line {place.number} is {row.message}")
            yield row


def _row(content: bytes, place: str) -> Row | Fault:
    try:
        row = json.loads(content.decode())
    except UnicodeDecodeError as error:
        return Fault(f"byte 0x{content[error.start]:02x} is not UTF-8; save the file as UTF-8", place)
    except json.JSONDecodeError as error:
        cause = f"{error.msg[:1].lower()}{error.msg[1:]} at column {error.colno}"
        return Fault(f"not JSON: {cause}; expected one object on each line", place)
    except (ValueError, RecursionError):
        return Fault("a number is too long, or lists and objects are nested too deeply, to be read", place)
    if not isinstance(row, dict):
        return Fault(f"{shown(row)} is neither an output nor a span; expected an object", place)
    return row
