"""What a run says of the sweep it belongs to: its name, its id, and the level of each factor.

`config["cell"]` of a run holds them, as `ragproof.sweeps` writes it. It is read here alone, and a run without
it is of no sweep.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from ragproof.runs import RunRecord

Variant = tuple[str, str, tuple[tuple[str, str], ...]]


def factors_of(run: RunRecord) -> Mapping[str, str] | None:
    """Return the level of each factor by the factor's name; None when the run is of no sweep."""
    factors = _cell(run).get("factors")
    if not isinstance(factors, dict) or not factors:
        return None
    return {name: str(level) for name, level in factors.items()}


def is_of_group(run: RunRecord, name: str) -> bool:
    """Say whether a run is meant by a name: its label, its sweep's name, or its sweep's id."""
    cell = _cell(run)
    return name in (run.label, cell.get("sweep_name"), cell.get("sweep"))


def variant(run: RunRecord) -> Variant:
    """Return what two runs share when one repeats the other: project, pipeline and levels."""
    return run.project, run.pipeline, tuple(sorted((factors_of(run) or {}).items()))


def _cell(run: RunRecord) -> Mapping[str, JsonValue]:
    cell = run.config.get("cell")
    return cell if isinstance(cell, dict) else {}
