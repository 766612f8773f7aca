"""What is wrong with a rule once a run is there: a tag that no case has, a drop from nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ragproof.comparing.scored_run import ScoredRun
from ragproof.config.layers import Layer
from ragproof.errors import Fault
from ragproof.gating.demands import Demand
from ragproof.gating.scope import tag_fault

NO_BASELINE = (
    "there is no baseline to compare with; set gate.baseline, or --baseline, to a run's id, a label, 'latest'"
    " or a file of 'ragproof export'"
)


def run_faults(
    demands: Sequence[Demand], run: ScoredRun | None, layer: Layer, *, has_baseline: bool
) -> Iterator[Fault]:
    """Yield the faults of rules that no run, or this run, can be judged by, in the order written.

    Args:
        demands: of the gate.
        run: the one to judge; None when it could not be found.
        layer: where the rules were written.
        has_baseline: whether one is named anywhere.
    """
    tags = set()
    for demand in demands:
        told = None if demand.tag is None or run is None else tag_fault(run.cases, demand.tag)
        if told is not None and run is not None and demand.rule not in tags:
            tags.add(demand.rule)
            yield _fault(demand, "tag", f"{told} (run '{run.source}')", layer)
        if demand.needs_baseline and not has_baseline:
            yield _fault(demand, "max_drop", NO_BASELINE, layer)


def _fault(demand: Demand, key: str, message: str, layer: Layer) -> Fault:
    written = layer.find(("gate", "rules", demand.rule, key))
    return Fault(f"gate.rules[{demand.rule}].{key}: {message}", written.place if written else "gate")
