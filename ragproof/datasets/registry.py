"""Which formats there are, and which one a file has. A new format is one module here, or an entry point."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from ragproof.datasets.reader import Reader
from ragproof.datasets.wording import one_of
from ragproof.errors import ConfigurationError, nearest

PLUGIN_GROUP = "ragproof.datasets"
_HEAD_BYTES = 65_536


@cache
def built_in() -> tuple[Reader, ...]:
    """Return the reader of every module of this package that has one, by name."""
    package = importlib.import_module(__package__)
    modules = (f"{package.__name__}.{module.name}" for module in pkgutil.iter_modules(package.__path__))
    found = (getattr(importlib.import_module(module), "READER", None) for module in modules)
    return tuple(sorted((reader for reader in found if isinstance(reader, Reader)), key=lambda r: r.name))


def installed() -> tuple[EntryPoint, ...]:
    """Return the formats other packages bring, not yet loaded."""
    return tuple(entry_points(group=PLUGIN_GROUP))


def formats(plugins: Iterable[EntryPoint]) -> tuple[str, ...]:
    """Return the name of every format, our own first."""
    return tuple(
        dict.fromkeys([*(reader.name for reader in built_in()), *(plugin.name for plugin in plugins)])
    )


def choose(path: Path, format: str | None, plugins: Iterable[EntryPoint]) -> Reader:
    """Find the reader of a file.

    Args:
        path: an existing file.
        format: a format's name, which wins over what the file looks like; None to look.
        plugins: formats beside our own, loaded only when none of ours fits.

    Returns:
        The reader.

    Raises:
        ConfigurationError: no such format, no format fits, more than one does, or a plug-in is broken.
        OSError: the file cannot be opened.
    """
    plugins = tuple(plugins)
    known = formats(plugins)
    if format is not None:
        if format not in known:
            hint = nearest(format, known) or f"; expected {one_of(known)}"
            raise ConfigurationError(f"dataset.format: '{format}' is not a format{hint}")
        ours = (reader for reader in built_in() if reader.name == format)
        theirs = (_loaded(plugin) for plugin in plugins if plugin.name == format)
        return next(ours, None) or next(theirs)
    fitting = recognise(path, plugins)
    if len(fitting) == 1:
        return fitting[0]
    looks = (
        f"looks like {' and '.join(r.name for r in fitting)}" if fitting else "is of no format that is known"
    )
    choice = one_of(tuple(reader.name for reader in fitting) or known)
    raise ConfigurationError(f"dataset '{path.name}' {looks}; set dataset.format to {choice}")


def recognise(path: Path, plugins: Iterable[EntryPoint]) -> tuple[Reader, ...]:
    """Return the readers that a file looks right to, without those that give way to another of them.

    Raises:
        ConfigurationError: a plug-in that had to be asked is broken.
        OSError: the file cannot be opened.
    """
    head = b""
    if not path.is_dir():
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    fitting = [reader for reader in built_in() if reader.sniff(path, head)]
    fitting = fitting or [reader for reader in map(_loaded, plugins) if reader.sniff(path, head)]
    refined = {name for reader in fitting for name in reader.refines}
    return tuple(reader for reader in fitting if reader.name not in refined)


def _loaded(plugin: EntryPoint) -> Reader:
    try:
        reader = plugin.load()
    except Exception as error:  # a package of someone else may fail in any way when it is imported
        cause = f"{type(error).__name__}: {error}"
        raise ConfigurationError(
            f"dataset format '{plugin.name}' ({plugin.value}) does not load: {cause}"
        ) from error
    if not isinstance(reader, Reader) or reader.name != plugin.name:
        raise ConfigurationError(
            f"dataset format '{plugin.name}': '{plugin.value}' is no Reader of that name"
        )
    return reader
