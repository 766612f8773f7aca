"""Whether the rules of a gate can be judged at all, each fault where it is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ragproof.catalogue import choose
from ragproof.config.layers import Layer
from ragproof.errors import ConfigurationError, Fault
from ragproof.evidence import Settings
from ragproof.gating.rule_faults import rule_faults
from ragproof.metric import Metric


def gate_faults(layer: Layer, search_path: Sequence[Path]) -> Iterator[Fault]:
    """Yield the faults of rules as they were written, whatever is wrong elsewhere.

    Args:
        layer: the configuration, and where it was written.
        search_path: where the user's own metrics are looked for.
    """
    section = layer.data.get("gate")
    rules = section.get("rules") if isinstance(section, dict) else None
    if not isinstance(rules, list):
        return
    metrics = _measured(layer, search_path)
    for place, rule in enumerate(rules):
        if metrics is not None and isinstance(rule, dict):
            for key, message in rule_faults(rule, metrics):
                written = layer.find(("gate", "rules", place, key))
                yield Fault(f"gate.rules[{place}].{key}: {message}", written.place if written else "gate")


def _measured(layer: Layer, search_path: Sequence[Path]) -> tuple[Metric, ...] | None:
    """Return what the configuration measures; None when that has faults of its own."""
    names, run = layer.data.get("metrics"), layer.data.get("run")
    named = [name.strip() for name in names.split(",")] if isinstance(names, str) else names
    cutoff = run.get("metric_k") if isinstance(run, dict) else None
    try:
        return choose(named, search_path=search_path, metric_k=int(cutoff or Settings().metric_k))
    except (ConfigurationError, ValueError, TypeError, AttributeError):
        return None
