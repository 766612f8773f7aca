"""Which adapters there are, and the settings of one of them, checked.

A new adapter is one file in this folder, named as its `type` and holding its `CONFIG`; or an entry point of
someone else's package.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import get_args

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from ragproof.adapters.adapter import SECTION, AdapterConfig
from ragproof.datasets.wording import one_of, shown
from ragproof.errors import ConfigurationError, Fault, nearest

PLUGIN_GROUP = "ragproof.adapters"
_NO_ADAPTERS = frozenset({"adapter", "registry"})


@cache
def built_in() -> tuple[str, ...]:
    """Return the types of our own adapters, without importing one."""
    package = importlib.import_module(__package__)
    modules = pkgutil.iter_modules(package.__path__)
    return tuple(sorted(m.name for m in modules if not m.ispkg and m.name not in _NO_ADAPTERS))


@cache
def installed() -> tuple[EntryPoint, ...]:
    """Return the adapters that other packages bring, not yet loaded."""
    return tuple(entry_points(group=PLUGIN_GROUP))


def parse(
    section: object, place: str = SECTION, plugins: Iterable[EntryPoint] | None = None
) -> AdapterConfig:
    """Read the settings of an adapter.

    Args:
        section: the mapping, with a `type`.
        place: what the places of faults begin with, `pipeline.adapter`.
        plugins: adapters beside our own; None is those that are installed. Only the one chosen is loaded.

    Raises:
        ConfigurationError: every unknown key, with the nearest that exists, and every wrong value.
    """
    if not isinstance(section, Mapping):
        raise ConfigurationError([Fault(f"{shown(section)} is not an adapter; expected a section", place)])
    config = _config(section.get("type"), f"{place}.type", installed() if plugins is None else tuple(plugins))
    try:
        return config.model_validate(dict(section))
    except ValidationError as error:
        raise ConfigurationError(list(_faults(error, config, place))) from None


def _config(type_name: object, place: str, plugins: tuple[EntryPoint, ...]) -> type[AdapterConfig]:
    """Find the settings class of a type; our own come first, so that no package replaces them."""
    if type_name in built_in():
        found: object = importlib.import_module(f"{__package__}.{type_name}").CONFIG
    else:
        plugin = next((plugin for plugin in plugins if plugin.name == type_name), None)
        if plugin is None:
            known = tuple(dict.fromkeys((*built_in(), *(plugin.name for plugin in plugins))))
            hint = nearest(type_name, known) if isinstance(type_name, str) else ""
            named = "no type is given" if type_name is None else f"{shown(type_name)} is not an adapter"
            raise ConfigurationError([Fault(f"{named}{hint or f'; expected {one_of(known)}'}", place)])
        try:
            found = plugin.load()
        except Exception as error:  # a package of someone else may fail in any way when it is imported
            cause = f"{type(error).__name__}: {error}"
            raise ConfigurationError([Fault(f"'{plugin.value}' does not load: {cause}", place)]) from error
    if not (isinstance(found, type) and issubclass(found, AdapterConfig)):
        raise ConfigurationError(
            [Fault(f"{shown(type_name)} is broken: its config is no AdapterConfig", place)]
        )
    return found


def _faults(error: ValidationError, config: type[BaseModel], place: str) -> Iterator[Fault]:
    for detail in error.errors(include_url=False):
        path = detail["loc"]
        where = ".".join((place, *map(str, path)))
        match detail["type"]:
            case "extra_forbidden":
                known = tuple(_model_at(config, path[:-1]).model_fields)
                choice = nearest(str(path[-1]), known) or f"; expected {one_of(known)}"
                yield Fault(f"{shown(path[-1])} is not a key{choice}", where)
            case "missing":
                yield Fault(f"missing; {_meaning(_model_at(config, path[:-1]), path[-1])}", where)
            case "value_error":
                yield Fault(str(detail["ctx"]["error"]), where)
            case "literal_error" | "enum":
                given, expected = detail["input"], detail["ctx"]["expected"]
                choice = nearest(given, expected.split("'")[1::2]) if isinstance(given, str) else ""
                yield Fault(f"{shown(given)} is not allowed; expected {expected}{choice}", where)
            case _:
                yield Fault(f"{shown(detail['input'])} is not allowed: {detail['msg'].lower()}", where)


def _meaning(model: type[BaseModel], field: str | int) -> str:
    described = model.model_fields[str(field)].description or "a value"
    return f"expected {described.rstrip('.')}"


def _model_at(model: type[BaseModel], path: tuple[str | int, ...]) -> type[BaseModel]:
    """Follow a path of keys to the model whose keys they lead to."""
    for step in path:
        field = model.model_fields.get(str(step))
        inner = None if field is None else next(_models_in(field), None)
        if inner is None:
            return model
        model = inner
    return model


def _models_in(field: FieldInfo) -> Iterator[type[BaseModel]]:
    for choice in (field.annotation, *get_args(field.annotation)):
        if isinstance(choice, type) and issubclass(choice, BaseModel):
            yield choice
