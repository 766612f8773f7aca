"""What is wrong with a configuration, in the words of its user rather than those of the validator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from ragproof.config.keys import Key, entries, keys, sections
from ragproof.config.layers import KeyPath, Layer, Written
from ragproof.config.model import ADAPTER_FAULTS
from ragproof.datasets.wording import one_of, shown
from ragproof.errors import Fault, nearest

_STORE_KEYS = ("store", "store_url", "database", "database_url")


def explain(error: ValidationError, layer: Layer, source: str) -> Iterator[tuple[KeyPath, Fault]]:
    """Yield a path and its fault for each thing found, except an adapter's own, which it words itself.

    Args:
        error: of `Sections`.
        layer: what was validated, and where it was written.
        source: the file's name, the place of what stands nowhere.
    """
    for detail in error.errors(include_url=False):
        path = tuple(detail["loc"])
        written = layer.find(path)
        place = written.place if written else source
        match detail["type"]:
            case "missing":
                yield path, Fault(_missing(path), place)
            case "extra_forbidden":
                yield path, Fault(unknown_key(path), place)
            case "value_error":  # in words of its own, and the value may be what must not be shown
                told = detail["msg"].removeprefix("Value error, ")
                yield path, Fault(f"{_dotted(path)}: {told}", place)
            case kind if kind != ADAPTER_FAULTS:
                yield path, Fault(_not_allowed(path, detail, written), place)


def unknown_key(path: KeyPath) -> str:
    """Say that a key does not exist, and which one was probably meant."""
    name = _dotted(path)
    if path[0] in _STORE_KEYS:
        return f"{shown(name)} is not a key, for it may hold a password; set RAGPROOF_STORE_URL instead"
    parent, known = _dotted(path[:-1]), _known(path)
    if parent in known:
        return f"{shown(name)} is not a key; '{parent}' holds {known[parent].expected}"
    names = [*known, *sections()]
    siblings = [key for key in names if key.rpartition(".")[0] == parent]
    elsewhere = [key for key in names if key.rpartition(".")[2] == path[-1]]
    alike = [key for key in siblings if nearest(str(path[-1]), [key.rpartition(".")[2]])]
    hint = nearest(name, alike) or (f"; did you mean '{elsewhere[0]}'?" if elsewhere else "")
    choice = one_of(tuple(siblings or sections()))
    return f"{shown(name)} is not a key{hint or f'; expected {choice}'}"


def _missing(path: KeyPath) -> str:
    name, known = _dotted(path), _known(path)
    if name in known:
        return f"{name}: missing; expected {known[name].expected}, such as {known[name].example}"
    inner = [f"'{key.name}'" for key in keys().values() if key.path[:-1] == path and not key.default]
    return f"{name}: missing; expected {' and '.join(inner)}"


def _not_allowed(path: KeyPath, detail: ErrorDetails, written: Written | None) -> str:
    value = detail["input"]
    known = _known(path)
    key = next((known[name] for name in _prefixes(path) if name in known), None)
    if key is None:
        expected = "a section of keys"
    else:
        expected = key.entry if key.entry and len(path) > len(key.path) else key.expected
    refused = f"{_dotted(path)}: {shown(value)} is not allowed"
    if isinstance(value, bool | int | float) and "text" in expected and written and written.spelling:
        read_as = f"YAML reads {written.spelling} as {shown(value)}; "
        surprise = "" if written.spelling == shown(value) else read_as
        return f"{refused}; {surprise}expected text: write '{written.spelling}' in quotes"
    choice = nearest(value, expected.split("'")[1::2]) if isinstance(value, str) else ""
    return f"{refused}; expected {expected}{choice}"


def _known(path: KeyPath) -> Mapping[str, Key]:
    """Return every key by its dotted name, those of the entry of a list that a path leads into among them."""
    inner = {}
    for place, step in enumerate(path):
        for key in entries().get(_dotted(path[:place]), ()) if isinstance(step, int) else ():
            name = f"{_dotted(path[: place + 1])}.{key.name}"
            inner[name] = replace(key, name=name)
    return {**keys(), **inner}


def _prefixes(path: KeyPath) -> Iterator[str]:
    for length in range(len(path), 0, -1):
        yield _dotted(path[:length])


def _dotted(path: KeyPath) -> str:
    """Write a path as `metrics[2]` or `run.k`."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")
