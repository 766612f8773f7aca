"""Every key of a configuration, read off the model: its name, what it may be, its default and its meaning."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from ragproof.adapters.adapter import AdapterConfig
from ragproof.adapters.registry import built_in
from ragproof.config.model import Sections
from ragproof.datasets.wording import one_of

ADAPTER = "pipeline.adapter"
"""The one section whose keys depend on a value in it: the adapter's type."""

Schema = Mapping[str, Any]


@dataclass(frozen=True)
class Key:
    """One key that stands for a value, such as `run.k`."""

    name: str
    expected: str
    """What its value may be, in words."""
    entry: str
    """What each entry of its list may be; empty when it is no list."""
    default: str
    """As YAML writes it; empty when the key is required."""
    meaning: str
    example: str

    @property
    def path(self) -> tuple[str, ...]:
        """The keys from the top to this one."""
        return tuple(self.name.split("."))


def schema() -> dict[str, Any]:
    """Return the JSON schema of a configuration file, for editors."""
    written = Sections.model_json_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **written,
        "title": "ragproof configuration",
    }


@cache
def keys() -> Mapping[str, Key]:
    """Return every key by its dotted name, in the order of the model."""
    written = schema()
    return {key.name: key for key in _keys(written, written["$defs"], "")}


@cache
def entries() -> Mapping[str, tuple[Key, ...]]:
    """Return the keys of each entry of a list of sections, by the list's name; their names begin there."""
    written = schema()
    found = {key.name: _entry(written, written["$defs"], key.path) for key in keys().values()}
    return {
        name: tuple(_keys(entry, written["$defs"], ""))
        for name, entry in found.items()
        if "properties" in entry
    }


@cache
def sections() -> Mapping[str, str]:
    """Return the meaning of each section that holds keys, by its name."""
    names = dict.fromkeys(key.path[0] for key in keys().values() if len(key.path) > 1)
    written = schema()
    return {name: _target(written["properties"][name], written["$defs"])["description"] for name in names}


@cache
def adapters() -> Mapping[str, tuple[Key, ...]]:
    """Return the options of each of our own adapters, by its type."""
    options: dict[str, tuple[Key, ...]] = {}
    for name in built_in():
        config: type[AdapterConfig] = importlib.import_module(f"ragproof.adapters.{name}").CONFIG
        written = config.model_json_schema()
        found = _keys(written, written.get("$defs", {}), f"{ADAPTER}.")
        options[name] = tuple(key for key in found if key.name != f"{ADAPTER}.type")
    return options


def known(path: tuple[str, ...]) -> bool:
    """Say whether a key or a section may stand at this path, or an adapter's option might."""
    name = ".".join(path)
    return name in keys() or name in sections() or name.startswith(f"{ADAPTER}.")


def _keys(schema: Schema, defs: Schema, prefix: str) -> Iterator[Key]:
    required = schema.get("required", ())
    for name, field in schema["properties"].items():
        target = _target(field, defs)
        if "properties" in target and prefix + name != ADAPTER:
            yield from _keys(target, defs, f"{prefix}{name}.")
            continue
        entries = next((part["items"] for part in _choices(field) if "items" in part), None)
        yield Key(
            name=prefix + name,
            expected=_words(field, defs),
            entry=_words(entries, defs) if entries else "",
            default="" if name in required else json.dumps(field.get("default")),
            meaning=" ".join(field.get("description", "").split()),
            example=str(field.get("examples", [""])[0]),
        )


def _entry(schema: Schema, defs: Schema, path: tuple[str, ...]) -> Schema:
    """Return what an entry of the list at a path is; empty when there is no list, or it holds values."""
    field: Schema = schema
    for name in path:
        field = _target(field, defs).get("properties", {}).get(name, {})
    items = next((part["items"] for part in _choices(field) if "items" in part), None)
    return {} if items is None else _target(items, defs)


def _choices(field: Schema) -> list[Schema]:
    return list(field.get("anyOf", [field]))


def _target(field: Schema, defs: Schema) -> Schema:
    """Follow a reference to the object it names; a field that is none is returned as it is."""
    for choice in _choices(field):
        if "$ref" in choice:
            return dict(defs[choice["$ref"].rsplit("/", 1)[1]])
    return field


def _words(field: Schema, defs: Schema) -> str:
    """Say in words what a value may be."""
    words = [_one(_target(choice, defs)) for choice in _choices(field)]
    filled = " or ".join(word for word in dict.fromkeys(words) if word != "null")
    return f"{filled}, or null" if "null" in words else filled


def _one(choice: Schema) -> str:
    if "enum" in choice or "const" in choice:
        values = tuple(choice.get("enum", [choice.get("const")]))
        return one_of(values) if isinstance(values[0], str) else one_of(values).replace("'", "")
    match choice.get("type"):
        case "integer":
            return "a whole number" + _bounds(choice)
        case "number":
            return "a number" + _bounds(choice)
        case "string":
            longest = choice.get("maxLength")
            return f"one line of text, at most {longest} characters" if longest else "text"
        case "array":
            return "a list"
        case "boolean":
            return "true or false"
        case "null":
            return "null"
        case "object":
            return "a section of keys"
        case _:
            return "any value"


def _bounds(choice: Schema) -> str:
    low, high = choice.get("minimum"), choice.get("maximum")
    if "exclusiveMinimum" in choice:
        return f" above {choice['exclusiveMinimum']}" + (f", at most {high}" if high is not None else "")
    if low is not None and high is not None:
        return f" from {low} to {high}"
    return f" of at least {low}" if low is not None else ""
