"""The attributes of a span under flat names (`retrieval.documents.0.document.id`), however a file nests them.

Nested objects and lists, names with dots in them, and the typed pairs of OTLP's JSON all come to the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from pydantic import JsonValue

Attributes = Mapping[str, JsonValue]

_DEEPEST = 30
_OTLP_LISTS = ("arrayValue", "kvlistValue")


def flat(value: JsonValue, whole: re.Pattern[str]) -> dict[str, JsonValue]:
    """Return values by flat name.

    Args:
        value: an object, or a list of OTLP's pairs; text is read as JSON; anything else has no attributes.
        whole: names whose value is kept as it is.
    """
    if isinstance(value, str):
        value = as_json(value)
    if _is_pairs(value):
        value = _of_pairs(value)
    return dict(_flat(value, "", whole, 0)) if isinstance(value, dict) else {}


def numbered(attributes: Attributes, name: str) -> list[dict[str, JsonValue]]:
    """Return the objects of a list under `name.0.`, `name.1.`, in order: their fields by flat name."""
    found: dict[int, dict[str, JsonValue]] = {}
    for key, value in attributes.items():
        if key.startswith(f"{name}."):
            index, _, field = key[len(name) + 1 :].partition(".")
            if index.isdecimal() and field:
                found.setdefault(int(index), {})[field] = value
    return [found[index] for index in sorted(found)]


def as_json(text: str) -> JsonValue:
    """Read text that may be an object or a list; any other text is itself."""
    if not text.lstrip().startswith(("{", "[")):
        return text
    try:
        value: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value


def _flat(value: JsonValue, name: str, whole: re.Pattern[str], depth: int) -> Iterator[tuple[str, JsonValue]]:
    if isinstance(value, dict):
        inner = value.items()
    elif isinstance(value, list) and any(isinstance(entry, dict) for entry in value):
        inner = {str(index): entry for index, entry in enumerate(value)}.items()
    else:
        yield name, value
        return
    if depth == _DEEPEST or whole.fullmatch(name):
        yield name, value
        return
    for key, entry in inner:
        yield from _flat(entry, f"{name}.{key}" if name else key, whole, depth + 1)


def _is_pairs(value: JsonValue) -> bool:
    return isinstance(value, list) and all(isinstance(pair, dict) and "key" in pair for pair in value)


def _of_pairs(pairs: JsonValue) -> dict[str, JsonValue]:
    return (
        {str(pair["key"]): _of_typed(pair.get("value")) for pair in pairs if isinstance(pair, dict)}
        if isinstance(pairs, list)
        else {}
    )


def _of_typed(value: JsonValue) -> JsonValue:
    """Return the value of one of OTLP's typed values, whose 64-bit integers are text."""
    if not isinstance(value, dict) or len(value) != 1:
        return None
    ((kind, inner),) = value.items()
    if kind in _OTLP_LISTS:
        values = inner.get("values", []) if isinstance(inner, dict) else []
        if kind == "kvlistValue":
            return _of_pairs(values)
        return [_of_typed(entry) for entry in values] if isinstance(values, list) else None
    if kind == "intValue" and isinstance(inner, str) and inner.lstrip("-").isdecimal():
        return int(inner)
    return inner
