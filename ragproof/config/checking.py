"""What a configuration refers to: metrics, an adapter with its environment, a dataset; never a secret itself.

Each check stands alone and reads what was written, so a fault in one section hides none in another.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ragproof import datasets
from ragproof.adapters import registry
from ragproof.adapters.adapter import SECTION
from ragproof.budget import budget_of, unpriced
from ragproof.catalogue import choose
from ragproof.config.layers import KeyPath, Layer
from ragproof.config.model import Sections
from ragproof.datasets.wording import one_of, shown
from ragproof.errors import ConfigurationError, Fault, nearest
from ragproof.redaction.key_formats import kinds_in
from ragproof.redaction.secret_words import has_secret_name, is_scrambled

_LONGEST_PATH = 1_000
_SHORTEST_NAMED = 16


def metric_faults(layer: Layer, search_path: Sequence[Path]) -> Iterator[Fault]:
    """Yield a fault for each name that is no metric's, or for names that contradict each other."""
    given = layer.data.get("metrics")
    names = given.split(",") if isinstance(given, str) else given
    if not isinstance(names, list):
        return
    usable: list[str] = []
    for index, name in enumerate(names):
        if not isinstance(name, str) or not name.strip():
            continue
        try:
            choose([name.strip()], search_path=search_path)
            usable.append(name.strip())
        except ConfigurationError as error:
            yield from _placed(error, layer, ("metrics", index))
    try:
        choose(usable, search_path=search_path)
    except ConfigurationError as error:
        yield from _placed(error, layer, ("metrics",))


def adapter_faults(layer: Layer, environ: Mapping[str, str] | None) -> Iterator[Fault]:
    """Yield the faults of the adapter's options, or of the environment they refer to unless that is None."""
    pipeline = layer.data.get("pipeline")
    section = pipeline.get("adapter") if isinstance(pipeline, dict) else None
    if not isinstance(section, dict):
        return
    try:
        options = registry.parse(section)
        if environ is not None:
            options.secrets(environ)
    except ConfigurationError as error:
        for fault in error.faults:  # its place is the option's dotted name
            name = fault.place or SECTION
            written = layer.find(tuple(name.split(".")))
            yield Fault(f"{name}: {fault.message}", written.place if written else name)


def budget_faults(sections: Sections, layer: Layer, environ: Mapping[str, str]) -> Iterator[Fault]:
    """Yield the faults of the machine's ceilings, or of a cap on a judge without a price."""
    asked, prices = sections.budget, sections.prices
    needed = {
        "budget.pipeline_call_usd": asked.pipeline_call_usd,
        "prices.input_cost_per_mtok": prices.input_cost_per_mtok,
        "prices.output_cost_per_mtok": prices.output_cost_per_mtok,
    }
    missing = [name for name, value in needed.items() if value is None]
    if asked.include_pipeline and missing:
        written = layer.find(("budget", "include_pipeline"))
        told = f"budget.include_pipeline: needs {' and '.join(missing)}, or a call could not be priced"
        yield Fault(told, written.place if written else "budget")
    if sections.judge is None:
        return
    try:
        budget = budget_of("", sections.project, sections.budget.max_cost_usd, environ)
    except ConfigurationError as error:
        yield from error.faults
        return
    written = layer.find(("judge",))
    for fault in unpriced(sections.judge, budget):
        yield Fault(fault.message, written.place if written else fault.place)


def early_stop_faults(sections: Sections, layer: Layer) -> Iterator[Fault]:
    """Yield a fault when a run that repeats its cases is to stop early: a bet takes one value a case."""
    if sections.early_stop is not None and sections.run.repeats > 1:
        written = layer.find(("run", "repeats"))
        told = f"run.repeats: {sections.run.repeats} is not allowed beside early_stop; expected 1"
        yield Fault(told, written.place if written else "run.repeats")


def secret_faults(layer: Layer) -> Iterator[Fault]:
    """Yield a fault for each value that is a key by its format, or a random text under a secret's name.

    A configuration is kept with each run and shown by Prefect as a parameter. The value is never told.
    """
    for path, value in _texts(layer.data):
        kinds = kinds_in(value)
        if kinds or (has_secret_name(str(path[-1])) and is_scrambled(value, _SHORTEST_NAMED)):
            kind = f" ({', '.join(kinds)})" if kinds else ""
            written = layer.find(path)
            yield Fault(
                f"{'.'.join(map(str, path))}: the value looks like a secret{kind}, which must not stand in a "
                f"configuration; keep it in an environment variable, which a header names as 'env:NAME' and "
                f"Python code reads itself",
                written.place if written else "",
            )


def dataset_faults(layer: Layer, folders: Sequence[Path]) -> Iterator[Fault]:
    """Yield a fault when the dataset's file is in none of the folders, or its format is none."""
    section = layer.data.get("dataset")
    path = dataset_path(layer)
    if path is not None and locate(path, folders) is None:
        where = " nor in ".join(f"'{folder}'" for folder in folders)
        missing = f"{shown(path, _LONGEST_PATH)} does not exist" + (
            "" if Path(path).is_absolute() else f" in {where}"
        )
        yield _fault(f"dataset: {missing}{nearest(Path(path).name, _beside(path, folders))}", layer, "path")
    format = section.get("format") if isinstance(section, dict) else None
    known = datasets.formats()
    if isinstance(format, str) and format not in known:
        hint = nearest(format, known) or f"; expected {one_of(known)}"
        yield _fault(f"dataset.format: {shown(format)} is not a format{hint}", layer, "format")


def dataset_path(layer: Layer) -> str | None:
    """Return the path as configured, in either spelling; None when there is none to look for."""
    section = layer.data.get("dataset")
    path = section.get("path") if isinstance(section, dict) else section
    return path if isinstance(path, str) and path else None


def locate(path: str, folders: Sequence[Path]) -> Path | None:
    """Return the first of the folders' files of this path that exists, absolute."""
    return next((folder / path for folder in folders if os.path.exists(folder / path)), None)


def _beside(path: str, folders: Sequence[Path]) -> list[str]:
    parents = dict.fromkeys((folder / path).parent for folder in folders)
    return [file.name for parent in parents if os.path.isdir(parent) for file in parent.iterdir()]


def _texts(value: object, path: KeyPath = ()) -> Iterator[tuple[KeyPath, str]]:
    """Yield every text of a configuration with its path."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for key, entry in value.items():
            yield from _texts(entry, (*path, str(key)))
    elif isinstance(value, list):
        for index, entry in enumerate(value):
            yield from _texts(entry, (*path, index))


def _fault(message: str, layer: Layer, key: str) -> Fault:
    written = layer.find(("dataset", key))
    return Fault(message, written.place if written else "")


def _placed(error: ConfigurationError, layer: Layer, path: tuple[str | int, ...]) -> Iterator[Fault]:
    """Say where each fault stands, unless it says so itself."""
    written = layer.find(path)
    for fault in error.faults:
        yield fault if fault.place or written is None else Fault(fault.message, written.place)
