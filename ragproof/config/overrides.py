"""Configuration from the command line: `--set run.k=10`, each laid over the ones before it."""

from __future__ import annotations

from collections.abc import Iterable

from ragproof.config.explaining import unknown_key
from ragproof.config.keys import known
from ragproof.config.layers import Layer
from ragproof.config.outside import one_value
from ragproof.datasets.wording import shown
from ragproof.errors import Fault


def read(overrides: Iterable[str]) -> tuple[Layer, list[Fault]]:
    """Read `key=value` pairs.

    Args:
        overrides: in the order of the command line; empty gives an empty layer.

    Returns:
        A layer, and a fault for every pair that is none or whose key does not exist.
    """
    layer, faults = Layer(), list[Fault]()
    for pair in overrides:
        key, equals, text = pair.partition("=")
        place = f"--set {key.strip()}"
        path = tuple(part.strip() for part in key.split("."))
        if not equals:
            faults.append(Fault(f"{shown(pair)} has no value; expected KEY=VALUE such as run.k=10", "--set"))
        elif not known(path):
            faults.append(Fault(unknown_key(path), place))
        else:
            value, wrong = one_value(path, text, place)
            faults += wrong
            layer = layer.under(value)
    return layer, faults
