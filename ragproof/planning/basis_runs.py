"""The runs that a plan rests on: a baseline, and beside it a run of another variant on the same cases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragproof.comparability import Difference, comparability, conflicts
from ragproof.comparing.pairing import Incomparable, Pair, pair
from ragproof.comparing.references import find_run
from ragproof.comparing.scored_run import ScoredRun
from ragproof.comparing.stored_run import read_run
from ragproof.config import EvalConfig
from ragproof.errors import ConfigurationError
from ragproof.runs import RunRecord, RunStatus

if TYPE_CHECKING:
    from ragproof.store.store import Store

RUNS_LOOKED_AT = 100
"""How many of a project's latest runs may be the ones."""


@dataclass(frozen=True)
class BasisRuns:
    """What was measured before.

    Attributes:
        baseline: the run; None when the project has no completed one.
        pair: the baseline and a run of another variant, on the cases they share; None when there is none.
        differs: how the baseline was measured otherwise than the configuration would; empty when it was not.
    """

    baseline: ScoredRun | None = None
    pair: Pair | None = None
    differs: tuple[Difference, ...] = ()


def basis_runs(
    config: EvalConfig, store: Store | None, reference: str | None, keys: Sequence[str]
) -> BasisRuns:
    """Find the runs.

    Args:
        config: what is planned.
        store: where runs are; None when there is none yet.
        reference: what the baseline is called; None takes the latest of the configured variant, or else of
            the project.
        keys: of the metrics whose numbers are needed.

    Raises:
        ConfigurationError: the baseline did not complete.
        StoreError: no run is called so.
    """
    completed = _completed(config, store)
    if reference is not None:
        baseline = find_run(reference, store, project=config.project, only=keys)
        if baseline.record.status is not RunStatus.COMPLETED:
            raise ConfigurationError(
                f"the baseline '{reference}' is '{baseline.record.status.value}'; expected a completed run"
            )
    elif store is None or not completed:
        return BasisRuns()
    else:
        baseline = read_run(store, completed[0], keys)
    partner = None if store is None else _partner(baseline, completed, store, keys)
    return BasisRuns(baseline, partner, _otherwise(config, baseline))


def _completed(config: EvalConfig, store: Store | None) -> list[RunRecord]:
    """The configured variant's runs first, the latest of each first."""
    found = store.runs.list(config.project, RUNS_LOOKED_AT) if store is not None else ()
    completed = [run for run in found if run.status is RunStatus.COMPLETED]
    return sorted(completed, key=lambda run: run.pipeline != config.pipeline.name)


def _partner(
    baseline: ScoredRun, candidates: Iterable[RunRecord], store: Store, keys: Sequence[str]
) -> Pair | None:
    """Pair the baseline with another variant: two runs of one differ by noise alone."""
    for run in candidates:
        if run.pipeline == baseline.record.pipeline or run.id == baseline.record.id:
            continue
        if conflicts(baseline.record.comparability, run.comparability):
            continue
        try:
            return pair(baseline, read_run(store, run, keys))
        except Incomparable:
            continue
    return None


def _otherwise(config: EvalConfig, baseline: ScoredRun) -> tuple[Difference, ...]:
    fields = comparability(
        config.settings(), config.chosen_metrics(), retrieve_k=config.retrieve_k(), judge=config.judge
    )
    return conflicts(baseline.record.comparability, fields)
