"""Loading a configuration: every layer read, laid over one another, checked, and all faults told at once.

`--set` lies over the environment, the environment over the variant, the variant over the file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from ragproof.config import environment, variants
from ragproof.config import overrides as commands
from ragproof.config.checking import (
    adapter_faults,
    budget_faults,
    dataset_faults,
    dataset_path,
    early_stop_faults,
    locate,
    metric_faults,
    secret_faults,
)
from ragproof.config.documents import read_file
from ragproof.config.explaining import explain
from ragproof.config.gate_checking import gate_faults
from ragproof.config.judge_metrics import judge_metric_faults
from ragproof.config.layers import Layer, single
from ragproof.config.model import Sections
from ragproof.config.resolved import EvalConfig, LocatedDataset
from ragproof.errors import ConfigurationError, Fault
from ragproof.redaction import Redactor


def load(
    path: Path,
    *,
    variant: str | None = None,
    overrides: Sequence[str] = (),
    dataset: str | None = None,
    label: str | None = None,
    environ: Mapping[str, str],
    current: Path | None = None,
    calls: bool = True,
) -> EvalConfig:
    """Load a configuration; arguments, result and errors as of `load_with_places`."""
    loaded, _ = load_with_places(
        path,
        variant=variant,
        overrides=overrides,
        dataset=dataset,
        label=label,
        environ=environ,
        current=current,
        calls=calls,
    )
    return loaded


def load_with_places(
    path: Path,
    *,
    variant: str | None = None,
    overrides: Sequence[str] = (),
    dataset: str | None = None,
    label: str | None = None,
    environ: Mapping[str, str],
    current: Path | None = None,
    calls: bool = True,
) -> tuple[EvalConfig, Layer]:
    """Load a configuration, and keep where each key was written for faults that show later.

    Args:
        path: the YAML file.
        variant: the name of a file in `variants` beside it; None for none.
        overrides: `key=value` pairs; later ones win.
        dataset: a file that replaces the whole dataset section, looked for in the current directory first.
        label: a word to find the run by.
        environ: the environment; `RAGPROOF_*` in it counts.
        current: what relative paths start from; None is the process's current directory.
        calls: whether the pipeline is about to be called, so that its secrets must be in the environment.

    Returns:
        The resolved configuration, whose dataset exists and whose metrics and adapter do too; and its layers.

    Raises:
        ConfigurationError: every fault of the file, the variant, the environment and the command line.
    """
    here = (current or Path.cwd()).absolute()
    path = here / path
    base, faults = read_file(path, path.name)
    over, wrong = variants.read(path.parent, variant)
    faults += wrong
    set_outside, wrong = environment.read(environ)
    faults += wrong
    commanded, wrong = commands.read(overrides)
    faults += wrong
    if base is None:
        raise ConfigurationError(_in_order(faults, path.name, environ))
    chosen = Layer() if dataset is None else single(("dataset",), dataset, "--dataset")
    layer = base.under(over or Layer()).under(set_outside).under(chosen).under(commanded)
    layer = Layer({key: value for key, value in layer.data.items() if value is not None}, layer.written)
    search_path = tuple(dict.fromkeys((path.parent, here)))
    folders = search_path if dataset is None else search_path[::-1]

    sections, found = _validated(layer, path.name, whole=over is not None)
    found += [*metric_faults(layer, search_path), *judge_metric_faults(layer)]
    found += [*dataset_faults(layer, folders)]
    found += adapter_faults(layer, environ if calls else None) if over is not None else ()
    found += gate_faults(layer, search_path)
    found += secret_faults(layer)
    if sections is not None:
        found += [*budget_faults(sections, layer, environ), *early_stop_faults(sections, layer)]
    told = {fault.place for fault in faults if fault.place}
    faults += [fault for fault in found if fault.place not in told]
    location = locate(dataset_path(layer) or "", folders)
    if faults or sections is None or location is None:
        raise ConfigurationError(_in_order(faults, path.name, environ))
    kept = {name: getattr(sections, name) for name in Sections.model_fields}
    kept["dataset"] = LocatedDataset(**sections.dataset.model_dump(), location=location)
    loaded = EvalConfig(**kept, path=path, search_path=search_path, variant=variant, label=label)
    return loaded, layer


def _validated(layer: Layer, source: str, *, whole: bool) -> tuple[Sections | None, list[Fault]]:
    """Validate every section; without its variant a pipeline is not whole and is not judged."""
    try:
        return Sections.model_validate(layer.data), []
    except ValidationError as error:
        found = explain(error, layer, source)
        return None, [fault for path, fault in found if whole or path[0] != "pipeline"]


def _in_order(faults: Sequence[Fault], source: str, environ: Mapping[str, str]) -> list[Fault]:
    """Sort faults as a reader meets them: file, variant, environment, command line, from top to bottom.

    What they quote may be a secret that should not have been written there.
    """
    starts = (source, f"{variants.FOLDER}/", "environment ")

    def position(fault: Fault) -> tuple[int, ...]:
        rank = next((rank for rank, start in enumerate(starts) if fault.place.startswith(start)), len(starts))
        return rank, *map(int, re.findall(r":(\d+)", fault.place))

    clean = Redactor({}, environ=environ).text
    return [Fault(clean(fault.message), fault.place) for fault in sorted(faults, key=position)]
