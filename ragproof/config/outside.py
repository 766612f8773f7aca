"""One value given outside a file: on a command line or in an environment variable."""

from __future__ import annotations

from ragproof.config.documents import read_value
from ragproof.config.keys import ADAPTER
from ragproof.config.layers import Layer, single
from ragproof.errors import Fault


def one_value(path: tuple[str, ...], text: str, place: str) -> tuple[Layer, list[Fault]]:
    """Read the value of one key.

    The model says what our own keys expect, so their values stay text until then and `version=1.10` keeps its
    zero. An adapter's options may be of any type: there `rerank=false` is what YAML makes of it.

    Returns:
        A layer that holds the value, or an empty one and the faults.
    """
    value, faults = read_value(text, place, typed=".".join(path).startswith(f"{ADAPTER}."))
    return (Layer(), faults) if faults else (single(path, value, place), [])
