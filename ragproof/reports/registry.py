"""Which report formats there are: a module of this package with a `FORMAT` of the module's name is one."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragproof.errors import ConfigurationError, nearest

if TYPE_CHECKING:
    from ragproof.reports.report import RunReport


@dataclass(frozen=True)
class Format:
    """A way to write a report; `ragproof report` has an option for each."""

    name: str
    render: Callable[[RunReport], str]


def formats() -> tuple[str, ...]:
    """Return the names of all formats, in alphabetical order."""
    return tuple(name for name in _modules() if _format(name) is not None)


def render(report: RunReport, format: str) -> str:
    """Write a report.

    Args:
        report: the gathered report.
        format: a name of `formats()`; no other format is imported.

    Returns:
        The whole text, ending in a line break.

    Raises:
        ConfigurationError: there is no such format.
    """
    found = _format(format) if format in _modules() else None
    if found is None:
        known = formats()
        hint = nearest(format, known) or f"; expected one of {', '.join(known)}"
        raise ConfigurationError(f"no report format is named '{format}'{hint}")
    return found.render(report)


def _modules() -> tuple[str, ...]:
    package = importlib.import_module("ragproof.reports")
    return tuple(module.name for module in pkgutil.iter_modules(package.__path__))


def _format(module: str) -> Format | None:
    found: object = getattr(importlib.import_module(f"ragproof.reports.{module}"), "FORMAT", None)
    return found if isinstance(found, Format) else None
