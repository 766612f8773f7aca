"""Giving a run's configuration back from its snapshot, with a few keys changed."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from pydantic import JsonValue, ValidationError

from ragproof.config import overrides as commands
from ragproof.config.checking import budget_faults, secret_faults
from ragproof.config.explaining import explain
from ragproof.config.layers import Layer
from ragproof.config.model import Sections
from ragproof.config.resolved import EvalConfig
from ragproof.errors import ConfigurationError


def again(snapshot: Mapping[str, JsonValue], overrides: Sequence[str] = ()) -> EvalConfig:
    """Rebuild a configuration from a snapshot.

    Args:
        snapshot: of `EvalConfig.snapshot`.
        overrides: `key=value` pairs laid over it; empty changes nothing.

    Returns:
        The configuration; its files and variables are looked at when they are used.

    Raises:
        ConfigurationError: a pair, or the value it sets, has a fault; all of them at once.
    """
    layer, faults = commands.read(overrides)
    faults += secret_faults(layer)
    laid = Layer(dict(snapshot)).under(layer)
    written = {name: laid.data[name] for name in Sections.model_fields if name in laid.data}
    located = dict(written["dataset"])
    located.pop("location")
    try:
        sections = Sections.model_validate({**written, "dataset": located})
        faults += budget_faults(sections, layer, os.environ)
    except ValidationError as error:
        faults += [fault for _, fault in explain(error, laid, "--set")]
    if faults:
        raise ConfigurationError(faults)
    return EvalConfig.model_validate(laid.data)
