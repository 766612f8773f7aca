"""Metadata as JSON: what numpy, dates, decimals and sets become on their way into the store.

False friend: `json.dumps(default=str)`, which writes NaN and turns every object into its address in memory.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from datetime import timedelta
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from uuid import UUID

from pydantic import JsonValue

from ragproof.adapters.reading.notes import Notes
from ragproof.adapters.reading.values import LONGEST_NAME, finite, is_writable, nature, whole
from ragproof.cases import canonical_json

_DEEPEST = 20


class NoJson(Exception):
    """The value has no JSON form."""


def json_object(value: Mapping[object, object], notes: Notes) -> dict[str, JsonValue]:
    """Convert metadata; an entry without a JSON form is left out, with a note that names it."""
    return _object(value, notes, 0)


def json_value(value: object, notes: Notes, depth: int = 0) -> JsonValue:
    """Convert one value.

    Args:
        value: anything.
        notes: told of every number that is not finite and of everything left out.
        depth: how deep it stands; a value deeper than 20 has no JSON form (it may contain itself).

    Raises:
        NoJson: it has none.
    """
    if depth > _DEEPEST:
        raise NoJson
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, Enum):
        return json_value(value.value, notes, depth + 1)
    if isinstance(value, str):
        return whole(value, notes)
    if isinstance(value, int) and is_writable(value):
        return int(value)
    if isinstance(value, float | Decimal):
        read = finite(value)
        if read is None:
            notes.add("a number in metadata that is not finite was read as None")
        return read
    if isinstance(value, Mapping):
        return _object(value, notes, depth + 1)
    if isinstance(value, Set):
        return sorted(_list(value, notes, depth + 1), key=canonical_json)
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray | memoryview):
        return _list(value, notes, depth + 1)
    return json_value(_simpler(value), notes, depth + 1)


def _simpler(value: object) -> object:
    """Take one step towards JSON, by what the value can do rather than by its class."""
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, UUID | PurePath):
        return str(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    for method in ("isoformat", "model_dump", "tolist", "item"):  # dates, pydantic, numpy
        convert: Callable[[], object] | None = getattr(value, method, None)
        if callable(convert) and not isinstance(value, type):
            return convert()
    raise NoJson


def _list(values: Iterable[object], notes: Notes, depth: int) -> list[JsonValue]:
    return [json_value(value, notes, depth) for value in values]


def _object(value: Mapping[object, object], notes: Notes, depth: int) -> dict[str, JsonValue]:
    converted: dict[str, JsonValue] = {}
    for key, entry in value.items():
        name = whole(key if isinstance(key, str) else str(key), notes)
        try:
            converted[name] = json_value(entry, notes, depth)
        except NoJson:
            notes.add(
                f"metadata '{name[:LONGEST_NAME]}' is {nature(entry)} without a JSON form and was left out"
            )
    return converted
