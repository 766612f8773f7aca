"""Doors: commands that start flows, live beside them, and join the command line by an entry-point group.

They are loaded only from the `deployments` package that lies beside `ragproof` in a checkout. In a wheel-only
install there is none, and whatever else is called `deployments`, `flows` or `tasks` there belongs to others.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterable
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from ragproof.errors import ConfigurationError

GROUP = "ragproof.commands"
PACKAGE = "deployments"
BESIDE = (PACKAGE, "flows", "tasks")
"""What a checkout has beside `ragproof`, besides its project file."""
PROJECT_FILE = "pyproject.toml"


def doors(found: Iterable[EntryPoint] | None = None) -> dict[str, EntryPoint]:
    """Return the doors by command name; those of other packages are left out.

    Args:
        found: entry points to look through; None is the installed ones.
    """
    points = entry_points(group=GROUP) if found is None else found
    return {point.name: point for point in points if point.module.partition(".")[0] == PACKAGE}


def checkout(package: Path) -> Path | None:
    """Return the checkout a `ragproof` package belongs to; None for an installed wheel.

    Args:
        package: the folder of the package.
    """
    root = package.resolve().parent
    complete = (root / PROJECT_FILE).is_file() and all((root / name).is_dir() for name in BESIDE)
    return root if complete else None


def load(door: EntryPoint, root: Path | None) -> Callable[..., object]:
    """Load a door's function from the checkout, before any package of the same name elsewhere.

    Args:
        door: its entry point.
        root: the checkout; None is a wheel-only install.

    Returns:
        A function for typer.

    Raises:
        ConfigurationError: there is no checkout, or a package of ours would come from elsewhere.
    """
    if root is None:
        raise ConfigurationError(
            f"`ragproof {door.name}` needs the flows, which are not in the wheel; clone the repository and"
            " `pip install -e .`"
        )
    if sys.path[:1] != [str(root)]:
        sys.path.insert(0, str(root))
    for name in BESIDE:
        place = _place(name)
        if place != root / name:
            raise ConfigurationError(
                f"`ragproof {door.name}` would take '{name}' from '{place}', expected '{root / name}';"
                " start it in a process that has not imported another package of that name"
            )
    function: Callable[..., object] = getattr(importlib.import_module(door.module), door.attr)
    return function


def _place(package: str) -> Path | None:
    found = importlib.util.find_spec(package)
    folders = (found.submodule_search_locations if found else None) or ()
    return next((Path(folder).resolve() for folder in folders), None)
