"""Gates over runs that are written down in a test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ragproof.catalogue import catalogue
from ragproof.comparing.scored_run import ScoredRun
from ragproof.config.gate_section import GateSection
from ragproof.gating.demands import demands_of
from ragproof.gating.gate import Gate, gate
from ragproof.gating.held_runs import HeldRuns, hold

BASELINE, CANDIDATE = "a" * 12, "b" * 12


def gated(
    rules: Sequence[Mapping[str, Any]],
    run: ScoredRun,
    baseline: ScoredRun | None = None,
    *,
    allow_mixed_judges: bool = False,
    **settings: Any,
) -> Gate:
    """Judge a run by rules as a configuration has them; without a baseline none was found."""
    section = GateSection.model_validate({"rules": list(rules), **settings})
    held = (
        HeldRuns(run, problem="there is no baseline 'gone'")
        if baseline is None
        else hold(run, baseline, allow_mixed_judges=allow_mixed_judges, min_coverage=section.min_coverage)
    )
    return gate(demands_of(section, catalogue().metrics), held, section, project="handbook")


def verdicts(judged: Gate) -> list[str]:
    """Return the verdict of each ruling."""
    return [ruling.verdict.value for ruling in judged.rulings]
