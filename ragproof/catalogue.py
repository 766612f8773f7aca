"""Which metrics there are, and choosing among them by name.

Shipped metrics are found by looking: a module under `ragproof.metrics` with a `METRIC`, a tuple `METRICS`, or
an `ANY_CUTOFF`, is in. Installed packages add theirs through the entry-point group `ragproof.metrics`. A
configuration names a function of its own as `module:function`, and a rubric in a file as `rubric:NAME`.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Protocol

import ragproof.metrics
from ragproof.errors import ConfigurationError, Fault, nearest
from ragproof.evidence import Settings
from ragproof.metric import Metric, metric
from ragproof.rubrics import PREFIX
from ragproof.runs import Spend

_DEFAULT_K = Settings().metric_k
GROUP = "ragproof.metrics"
FAMILIES = ("retrieval", "answer", "judged", "robustness", "operational")
"""The order in which families are read; others follow by name."""


@dataclass(frozen=True)
class Origin:
    """A metric and where it is defined, in the words of an error message."""

    metric: Metric
    place: str


class AnyCutoff(Protocol):
    """Metrics whose keys carry a cutoff, such as `ndcg@10`: a module's `ANY_CUTOFF`."""

    def at(self, k: int) -> tuple[Metric, ...]:
        """Return all of them at one cutoff, in the same order at each."""

    def named(self, name: str) -> Metric | None:
        """Return the one that a name of any spelling and cutoff means; None when it means none."""


@dataclass(frozen=True)
class Catalogue:
    """The metrics that can be asked for by key, in reading order."""

    shipped: tuple[Origin, ...]
    """Part of ragproof, and measured unless others are named or it is opt in; at the default cutoff."""
    installed: tuple[Origin, ...] = ()
    """From other packages, and measured when named."""
    any_cutoff: tuple[AnyCutoff, ...] = ()
    """What makes the shipped metrics that have a cutoff at any other."""

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """All of them."""
        return tuple(origin.metric for origin in (*self.shipped, *self.installed))

    @cached_property
    def by_key(self) -> dict[str, Metric]:
        """Each key, those of the whole run included, with the metric that gives it."""
        return {key: metric for metric in self.metrics for key in _keys(metric)}

    def find(self, name: str) -> Metric | None:
        """Return the metric of a key, at any cutoff and in any spelling of it; None when there is none."""
        made = (each.named(name) for each in self.any_cutoff)
        return self.by_key.get(name) or next((metric for metric in made if metric is not None), None)

    def at(self, k: int) -> Catalogue:
        """Return the same metrics with those that have a cutoff at `k`."""
        pairs = [zip(each.at(_DEFAULT_K), each.at(k), strict=True) for each in self.any_cutoff]
        other = {metric.key: moved for pair in pairs for metric, moved in pair}
        shipped = (replace(each, metric=other.get(each.metric.key, each.metric)) for each in self.shipped)
        return replace(self, shipped=tuple(shipped))


@cache
def catalogue() -> Catalogue:
    """Return the metrics of ragproof and of the installed packages.

    Raises:
        ConfigurationError: a package's entry point cannot be used, or a key is defined twice; all faults.
    """
    return collect(ragproof.metrics, entry_points(group=GROUP))


def collect(package: ModuleType, plugins: Iterable[EntryPoint]) -> Catalogue:
    """Build a catalogue from a package of metric modules and from entry points.

    Args:
        package: searched with everything below it.
        plugins: entry points whose object is a `Metric`, a tuple of them, or a function of the evidence.

    Returns:
        The catalogue, in reading order.

    Raises:
        ConfigurationError: an entry point cannot be used, or a key is defined twice; all faults at once.
    """
    faults: list[Fault] = []
    installed: list[Origin] = []
    for plugin in sorted(plugins, key=lambda plugin: (plugin.name, plugin.value)):
        place = f"entry point '{plugin.name} = {plugin.value}'"
        try:
            installed += [Origin(each, place) for each in _as_metrics(plugin.load(), plugin.name)]
        except (Exception, SystemExit) as error:  # another package's code may raise anything when imported
            cure = "repair or uninstall the package that brings it"
            faults.append(Fault(f"{place} cannot be used: {_told(error)}; {cure}", GROUP))
    shipped = sorted(_shipped(package), key=lambda origin: _family_order(origin.metric))
    faults += _defined_twice([*shipped, *installed])
    if faults:
        raise ConfigurationError(faults)
    return Catalogue(
        _side_by_side(shipped), _side_by_side(installed), tuple(made for _, made in _any_cutoff(package))
    )


def choose(
    names: Sequence[str] | None,
    among: Catalogue | None = None,
    *,
    search_path: Sequence[Path] = (),
    metric_k: int = _DEFAULT_K,
) -> tuple[Metric, ...]:
    """Find metrics by name.

    A name `module:function` imports that module, and `rubric:NAME` reads a file and asks the judge what it
    says: names from a stranger must be given to `find` first.

    Args:
        names: keys, a run-level key bringing the metric it belongs to, `module:function` or `rubric:NAME`;
            one named twice counts once; None is every shipped metric that is not opt in, empty is none.
        among: where to look; None is `catalogue()`.
        search_path: folders in which a `module:function` is looked for before what is installed; they stay
            on `sys.path`, because a metric may import more when it measures. Rubrics are in a folder
            `rubrics` of theirs. Empty adds none.
        metric_k: the cutoff, at least 1, of those that are not named with their own.

    Returns:
        The metrics in the order named, except that one which is only read beside another follows it.

    Raises:
        ConfigurationError: a name is unknown, its function or its rubric cannot be used, or two of them
            define one key.
    """
    known = catalogue() if among is None else among
    if names is None:
        return tuple(each.metric for each in known.at(metric_k).shipped if not each.metric.opt_in)
    places = {key: o.place for o in (*known.shipped, *known.installed) for key in _keys(o.metric)}
    faults: list[Fault] = []
    chosen: list[Origin] = []
    for name in names:
        try:
            found = known.find(name)
            if found is not None:
                chosen.append(Origin(found, places.get(name, f"'{name}'")))
            else:
                chosen += [Origin(each, f"'{name}'") for each in _own(name, known, search_path)]
        except ConfigurationError as error:
            faults += error.faults
    faults += _defined_twice(chosen)
    if faults:
        raise ConfigurationError(faults)
    once = {origin.metric.key: origin for origin in chosen}
    return tuple(origin.metric for origin in _side_by_side(once.values()))


def _modules(package: ModuleType) -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        yield importlib.import_module(found.name)


def _shipped(package: ModuleType) -> Iterator[Origin]:
    for module in _modules(package):
        single: tuple[Metric, ...] = (module.METRIC,) if hasattr(module, "METRIC") else ()
        several: tuple[Metric, ...] = getattr(module, "METRICS", ())
        yield from (Origin(each, f"'{module.__name__}'") for each in (*single, *several))
    # After the others, whatever their module is called: those of one cutoff are read together.
    for module, made in _any_cutoff(package):
        yield from (Origin(each, f"'{module.__name__}'") for each in made.at(_DEFAULT_K))


def _any_cutoff(package: ModuleType) -> Iterator[tuple[ModuleType, AnyCutoff]]:
    for module in _modules(package):
        if hasattr(module, "ANY_CUTOFF"):
            yield module, module.ANY_CUTOFF


def _own(name: str, known: Catalogue, search_path: Sequence[Path]) -> tuple[Metric, ...]:
    if name.startswith(PREFIX):
        from ragproof import rubric_files  # reads as configurations are read, and those name metrics

        return (rubric_files.read(name, search_path),)
    module_name, colon, path = name.partition(":")
    if not colon:
        cutoff = re.search(r"@([1-9][0-9]{0,8})$", name)
        candidates = known.at(int(cutoff[1])) if cutoff else known
        cure = nearest(name, candidates.by_key) or "; 'ragproof metrics' lists them"
        raise ConfigurationError(f"no metric is named '{name}'{cure}")
    folders = [str(folder.absolute()) for folder in search_path]
    sys.path[:0] = [folder for folder in dict.fromkeys(folders) if folder not in sys.path]
    importlib.invalidate_caches()
    try:
        found: object = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:  # a user's module may raise anything when imported
        raise ConfigurationError(
            f"metric '{name}' cannot be imported: {_told(error)}; expected module:function on the Python path"
        ) from error
    for part in path.split("."):
        if not hasattr(found, part):
            cure = nearest(part, (each for each in dir(found) if not each.startswith("_")))
            raise ConfigurationError(f"metric '{name}' does not exist: no '{part}' in '{module_name}'{cure}")
        found = getattr(found, part)
    try:
        return _as_metrics(found, name)
    except TypeError as error:
        raise ConfigurationError(f"metric '{name}' cannot be used: {error}") from error


def _as_metrics(found: object, key: str) -> tuple[Metric, ...]:
    if isinstance(found, Metric):
        return (found,)
    if isinstance(found, tuple | list) and found and all(isinstance(each, Metric) for each in found):
        return tuple(found)
    expected = "expected a function of one argument, the evidence"
    if not callable(found) or inspect.isclass(found):
        kind = "class" if inspect.isclass(found) else type(found).__name__
        raise TypeError(f"it is a {kind}, {expected}")
    if inspect.iscoroutinefunction(found):
        raise TypeError(f"it is async, {expected}, that returns its number at once")
    try:
        signature = inspect.signature(found)
    except ValueError:
        raise TypeError(f"its arguments cannot be read, {expected}") from None
    try:
        signature.bind(None)
    except TypeError:
        raise TypeError(f"it takes {signature}, {expected}") from None
    return (metric(key=key)(found),)


def _keys(described: Metric) -> tuple[str, ...]:
    return (described.key, *(derived.key for derived in described.run_level))


def _defined_twice(origins: Iterable[Origin]) -> list[Fault]:
    first: dict[str, Origin] = {}
    faults = []
    for origin in origins:
        for key in _keys(origin.metric):
            if key in Spend.model_fields:
                cure = "is what judging took in every report; rename it"
                faults.append(Fault(f"metric key '{key}' of {origin.place} {cure}"))
            other = first.setdefault(key, origin)
            if other.metric != origin.metric:
                faults.append(
                    Fault(
                        f"metric key '{key}' is defined by {other.place} and by {origin.place},"
                        " expected one definition; rename one"
                    )
                )
    return faults


def _family_order(described: Metric) -> tuple[int, str]:
    known = described.family in FAMILIES
    return (FAMILIES.index(described.family) if known else len(FAMILIES), described.family)


def _side_by_side(origins: Iterable[Origin]) -> tuple[Origin, ...]:
    given = tuple(origins)
    ordered = list(given)
    for origin in given:
        partner = next((other for other in ordered if other.metric.key == origin.metric.beside), origin)
        if partner is not origin:
            ordered.remove(origin)
            ordered.insert(ordered.index(partner) + 1, origin)
    return tuple(ordered)


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"
