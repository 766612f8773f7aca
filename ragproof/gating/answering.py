"""From a configuration and the names of two runs to a gate: rules checked, runs found, all judged."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from ragproof.comparing.references import find_run, is_file
from ragproof.comparing.scored_run import ScoredRun
from ragproof.comparing.stored_run import read_run
from ragproof.config import EvalConfig
from ragproof.config.gate_section import GateSection
from ragproof.config.layers import Layer
from ragproof.errors import ConfigurationError, Fault, RagproofError
from ragproof.gating.demands import Demand, demands_of
from ragproof.gating.finding import find_baseline, latest_finished
from ragproof.gating.gate import Gate, gate
from ragproof.gating.held_runs import HeldRuns, hold
from ragproof.gating.run_faults import run_faults
from ragproof.store.opening import open_store
from ragproof.store.runs import LATEST
from ragproof.store.store import Store

_EXAMPLE = "gate: {rules: [{metric: retrieval.mrr, max_drop: 0.03}]}"
NOTHING_COMPARED = "no rule has a max_drop, so nothing is compared with the baseline"


@dataclass(frozen=True)
class Asked:
    """What a person asked a gate.

    Attributes:
        run: the run to judge, by any of its names; None is the latest finished one.
        baseline: what to hold it against; None is the configuration's.
        allow_mixed_judges: let the judge differ, and only the judge.
    """

    run: str | None = None
    baseline: str | None = None
    allow_mixed_judges: bool = False


def answer(config: EvalConfig, layer: Layer, asked: Asked) -> Gate:
    """Judge a run.

    Args:
        config: with a section `gate`.
        layer: where its keys were written.
        asked: which run, and against which.

    Returns:
        The gate; a baseline that is gone is an ERROR in it.

    Raises:
        ConfigurationError: there are no rules, or some are faulty; every fault.
        StoreError: the run to judge cannot be found.
    """
    section = config.gate
    if section is None:
        told = f"gate: missing; expected a section with rules, such as {_EXAMPLE}"
        raise ConfigurationError([Fault(told, config.path.name)])
    demands = demands_of(section, config.chosen_metrics())
    reference = asked.baseline or _located(section.baseline, config)
    with _Runs.opened(config) as runs:
        try:
            run, notes = runs.judged(asked.run)
        except RagproofError:
            _refuse(run_faults(demands, None, layer, has_baseline=reference is not None))
            raise
        _refuse(run_faults(demands, run, layer, has_baseline=reference is not None))
        if any(demand.needs_baseline for demand in demands):
            held = runs.held(run, str(reference), demands, section, asked)
            if reference == LATEST and held.baseline is not None:
                notes += (f"the baseline 'latest' is run '{held.baseline.source}'",)
        else:
            held = HeldRuns(run)
            notes += (NOTHING_COMPARED,) if asked.baseline else ()
    return gate(demands, held, section, project=config.project, notes=notes)


def _located(reference: str | None, config: EvalConfig) -> str | None:
    """Look for a file that the configuration names where its dataset is looked for, too."""
    if reference is None or not is_file(reference):
        return reference
    found = (folder / reference for folder in config.search_path if (folder / reference).is_file())
    return next((os.path.relpath(file) for file in found), reference)


def _refuse(faults: Iterator[Fault]) -> None:
    found = [*faults]
    if found:
        raise ConfigurationError(found)


@dataclass
class _Runs:
    """Both runs, and a store that is opened when a name cannot be a file's, and only then."""

    config: EvalConfig
    stack: ExitStack
    _store: Store | None = field(default=None)

    @classmethod
    @contextmanager
    def opened(cls, config: EvalConfig) -> Iterator[_Runs]:
        with ExitStack() as stack:
            yield cls(config, stack)

    def judged(self, reference: str | None) -> tuple[ScoredRun, tuple[str, ...]]:
        project = self.config.project
        if reference is not None:
            return find_run(reference, self._store_for(reference), project=project), ()
        store = self._store_for("")
        assert store is not None
        record, notes = latest_finished(store, project, self.config.pipeline.name)
        return read_run(store, record), notes

    def held(
        self, run: ScoredRun, reference: str, demands: tuple[Demand, ...], section: GateSection, asked: Asked
    ) -> HeldRuns:
        keys = {demand.metric for demand in demands if demand.needs_baseline}
        try:
            store = self._store_for(reference)
            baseline = find_baseline(reference, store, self.config.project, run.record.id, keys)
        except RagproofError as error:
            return HeldRuns(run, problem=f"there is no baseline '{reference}': {error}")
        return hold(
            run,
            baseline,
            allow_mixed_judges=asked.allow_mixed_judges,
            min_coverage=section.min_coverage,
        )

    def _store_for(self, reference: str) -> Store | None:
        if is_file(reference):
            return None
        if self._store is None:
            self._store = self.stack.enter_context(open_store(create=False))
        return self._store
