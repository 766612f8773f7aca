"""Variants of a pipeline: `variants/NAME.yaml` beside a configuration, a `pipeline:` section laid over it."""

from __future__ import annotations

from pathlib import Path

from ragproof.config.documents import read_file
from ragproof.config.layers import Layer, single
from ragproof.datasets.wording import one_of, shown
from ragproof.errors import Fault, nearest

FOLDER = "variants"


def read(folder: Path, variant: str | None) -> tuple[Layer | None, list[Fault]]:
    """Read a variant.

    Args:
        folder: the configuration's folder.
        variant: a name, never a path: it is looked up among the files that are there; None for none.

    Returns:
        A layer that holds `pipeline` alone, its name the variant's unless it says another, or None when it
        cannot be used; and every fault.
    """
    if variant is None:
        return Layer(), []
    files = {file.stem: file for file in sorted((folder / FOLDER).glob("*.yaml"))}
    if variant not in files:
        cure = nearest(variant, files) or (f"; expected {one_of(tuple(files))}" if files else "")
        where = "" if files else f": '{folder / FOLDER}' holds no .yaml file"
        return None, [Fault(f"no variant is named {shown(variant)}{cure}{where}", "--variant")]
    name = f"{FOLDER}/{files[variant].name}"
    layer, faults = read_file(files[variant], name)
    if layer is None:
        return None, faults
    for key in layer.data:
        if key != "pipeline":
            message = f"{shown(key)} is not a key of a variant; expected 'pipeline' alone"
            faults.append(Fault(message, layer.written[(key,)].place))
    pipeline = layer.data.get("pipeline")
    if not isinstance(pipeline, dict):
        faults.append(Fault("pipeline: missing; expected a section laid over the configuration's own", name))
        return None, faults
    places = {path: written for path, written in layer.written.items() if path[0] == "pipeline"}
    named = single(("pipeline", "name"), variant, name)
    return named.under(Layer({"pipeline": pipeline}, places)), faults
