"""Looking a field up by any of its usual names, in a mapping, a dataclass, a pydantic model or any object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_SHOWN = 12


def first(source: object, names: Sequence[str]) -> tuple[str, object] | None:
    """Return the first of the names that the source has, with its value, which may be None.

    Methods do not count: they are the source's behaviour, not its content.
    """
    look = _in_mapping if isinstance(source, Mapping) else _in_object
    for name in names:
        value = look(source, name)
        if value is not _ABSENT:
            return name, value
    return None


def filled(source: object, names: Sequence[str]) -> object:
    """Return the value of the first of the names that is neither None nor "", else None."""
    look = _in_mapping if isinstance(source, Mapping) else _in_object
    for name in names:
        value = look(source, name)
        if value is not _ABSENT and value is not None and not (isinstance(value, str) and value == ""):
            return value
    return None


def names_of(source: object) -> str:
    """List the fields of a source in quotes, for a failure: `'answer', 'contexts'`, or `none`."""
    if isinstance(source, Mapping):
        names = [str(name) for name in source]
    else:
        names = [name for name in getattr(source, "__dict__", {}) if not name.startswith("_")]
    listed = ", ".join(f"'{name}'" for name in names[:_SHOWN])
    return (listed + (", ..." if len(names) > _SHOWN else "")) or "none"


_ABSENT = object()


def _in_mapping(source: Any, name: str) -> object:
    return source.get(name, _ABSENT)


def _in_object(source: object, name: str) -> object:
    value = getattr(source, name, _ABSENT)
    return _ABSENT if callable(value) else value
