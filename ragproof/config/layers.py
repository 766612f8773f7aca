"""A layer of configuration: values and where each was written; layers are laid over one another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

KeyPath = tuple[str | int, ...]
"""Keys from the top to a value; positions inside lists."""


@dataclass(frozen=True)
class Written:
    """Where a value stands, and how it was spelled there."""

    place: str
    spelling: str | None = None
    """The characters of a plain scalar, before YAML gave them a type; None for anything else."""


@dataclass(frozen=True)
class Layer:
    """Values from one source, or from several laid over one another."""

    data: Mapping[str, Any] = field(default_factory=dict)
    written: Mapping[KeyPath, Written] = field(default_factory=dict)

    def find(self, path: KeyPath) -> Written | None:
        """Return where the value at a path, or the nearest one around it, was written."""
        for length in range(len(path), 0, -1):
            if path[:length] in self.written:
                return self.written[path[:length]]
        return None

    def under(self, over: Layer) -> Layer:
        """Lay another layer over this one.

        Sections are merged key by key and everything else is replaced. An adapter of another type replaces
        the adapter: options of the one mean nothing to the other.
        """
        replaced = {path for path in over.written if not isinstance(_at(over.data, path), dict)}
        kept = {
            path: written
            for path, written in self.written.items()
            if not any(path[:length] in replaced for length in range(1, len(path)))
        }
        return Layer(_merged(self.data, over.data, ()), {**kept, **over.written})


def single(path: tuple[str, ...], value: object, place: str) -> Layer:
    """Return a layer that holds one value."""
    data: Any = value
    for key in reversed(path):
        data = {key: data}
    return Layer(data, {path: Written(place)})


def _at(data: Any, path: KeyPath) -> Any:
    for step in path:
        data = data[step]
    return data


def _merged(base: Mapping[str, Any], over: Mapping[str, Any], path: KeyPath) -> dict[str, Any]:
    merged = dict(base)
    for key, value in over.items():
        merged[key] = _laid(merged.get(key), value, (*path, key))
    return merged


def _laid(below: Any, above: Any, path: KeyPath) -> Any:
    if path == ("dataset",) and isinstance(below, str) and isinstance(above, dict):
        below = {"path": below}
    if not (isinstance(below, dict) and isinstance(above, dict)):
        return above
    if path == ("pipeline", "adapter") and above.get("type", below.get("type")) != below.get("type"):
        return above
    return _merged(below, above, path)
