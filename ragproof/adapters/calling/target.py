"""From `module:attribute` to a pipeline: import it, find the attribute, build it with its options.

The rule for what the attribute is:
- a class is built with the options;
- a function is asked when its first required parameter is named like a question (`question`, `query`, `q`,
  `input`, `prompt`, `text`), or when it has exactly one required parameter and there are no options; options
  of such a function are given with every call; named `retrieve`, it gives a ranking;
- so is a function of `*args` alone, a decorator's that hides what is behind it;
- a function builds the pipeline when the options fill all its required parameters (both may be empty);
- anything else is the pipeline itself.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

from ragproof.adapters.calling.arguments import QUESTION_NAMES, is_async, parameters, required
from ragproof.adapters.calling.blame import describe
from ragproof.errors import ConfigurationError, Fault, nearest

_imported: set[str] = set()
"""Top modules that were imported for a target, and for nothing else before."""


def load(target: str, options: Mapping[str, Any], search_path: Sequence[Path] = ()) -> object:
    """Import a target and build it when it is a class or a factory.

    Args:
        target: `module:attribute`, the attribute dotted when it is inside another.
        options: for the class or factory; empty for none.
        search_path: folders that are looked in before what is installed; they stay on `sys.path`, because a
            pipeline may import more when it is called.

    Returns:
        The pipeline: an object, or the function that answers.

    Raises:
        ConfigurationError: it does not exist, does not import, or cannot be built with these options.
    """
    module_name, _, path = target.partition(":")
    found = _module(module_name, search_path)
    for name in path.split("."):
        try:
            found = getattr(found, name)
        except AttributeError:
            near = nearest(name, (known for known in dir(found) if not known.startswith("_")))
            raise ConfigurationError(f"'{target}' does not exist: there is no '{name}'{near}") from None
    if isinstance(found, type):
        return _built(found, options, target)
    if inspect.isroutine(found) or isinstance(found, functools.partial):
        return _function(found, options, target)
    if options:
        raise ConfigurationError(
            f"'{target}' is an object, which takes no options; expected a class or a factory"
        )
    return found


def _function(function: Any, options: Mapping[str, Any], target: str) -> object:
    found = parameters(function)
    if found is None:
        return function
    needed = required(found)
    if needed and needed[0].name in QUESTION_NAMES and needed[0].name not in options:
        _check(options, function, target, needed[0].name)
        return functools.partial(function, **options) if options else function
    hidden = not needed and any(parameter.kind is parameter.VAR_POSITIONAL for parameter in found)
    if not options and (len(needed) == 1 or hidden):
        return function
    if not required(found, options):
        if is_async(function):
            raise ConfigurationError(f"'{target}' is an async factory; expected a plain function that builds")
        return _built(function, options, target)
    left = " and ".join(f"'{parameter.name}'" for parameter in required(found, options))
    raise ConfigurationError(
        f"'{target}' may answer or build, and {left} would be missing; name its first parameter 'question' "
        "to answer, or give every parameter in options to build"
    )


def _built(factory: Any, options: Mapping[str, Any], target: str) -> object:
    _check(options, factory, target)
    try:
        return factory(**options)
    except (Exception, SystemExit) as error:
        raise ConfigurationError(f"'{target}' cannot be built: {describe(error)}") from error


def _check(options: Mapping[str, Any], function: Any, target: str, *filled: str) -> None:
    """Refuse options that the function does not have, and missing ones, each with its cure."""
    found = parameters(function)
    if found is None:
        return
    names = [p.name for p in found if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    anything = any(p.kind is p.VAR_KEYWORD for p in found)
    faults = [
        Fault(f"'{target}' has no option '{name}'{nearest(name, names) or f'; it has {_listed(names)}'}")
        for name in options
        if name not in names and not anything
    ]
    missing = [p.name for p in required(found, options) if p.name not in filled]
    if missing and not filled:
        faults.append(Fault(f"'{target}' needs {_listed(missing)}; set it under options"))
    if faults:
        raise ConfigurationError(faults)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"'{name}'" for name in names) or "none"


def _module(name: str, search_path: Sequence[Path]) -> Any:
    folders = [str(Path(folder).absolute()) for folder in search_path]
    sys.path[:0] = [folder for folder in dict.fromkeys(folders) if folder not in sys.path]
    importlib.invalidate_caches()
    top = name.partition(".")[0]
    _forget_namesake(top, folders)
    if top not in sys.modules:
        _imported.add(top)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise ConfigurationError(f"'{name}' does not import: {describe(error)}") from error
        near = nearest(name, _modules_in(folders))
        raise ConfigurationError(
            f"no module is named '{error.name}'{near or '; is it installed, or beside the configuration?'}"
        ) from None
    except (Exception, SystemExit) as error:
        raise ConfigurationError(f"'{name}' does not import: {describe(error)}") from error


def _forget_namesake(top: str, folders: Sequence[str]) -> None:
    """Forget a loaded module of this name from elsewhere: two variants may both have a `pipeline.py`."""
    loaded = getattr(sys.modules.get(top), "__file__", None)
    wanted = PathFinder.find_spec(top, list(folders)) if folders and top in _imported else None
    if loaded is None or wanted is None or wanted.origin is None:
        return
    if os.path.realpath(loaded) != os.path.realpath(wanted.origin):
        for name in [name for name in sys.modules if name == top or name.startswith(f"{top}.")]:
            del sys.modules[name]


def _modules_in(folders: Sequence[str]) -> list[str]:
    return [
        entry.stem
        for folder in folders
        if Path(folder).is_dir()
        for entry in Path(folder).iterdir()
        if entry.suffix == ".py" or entry.is_dir()
    ]
