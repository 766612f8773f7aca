"""Summing a run up from what lies in the store, at its end or wherever it was stopped."""

from __future__ import annotations

from ragproof.concluding import conclude, count
from ragproof.config import EvalConfig
from ragproof.runs import RunRecord, RunStatus, now
from ragproof.store.store import Store
from ragproof.summaries import Summary
from ragproof.summarising import summarise


def summarise_run(store: Store, run: RunRecord) -> tuple[Summary, ...]:
    """Summarise the scores a run has so far; cases it never reached are skipped, with that reason."""
    config = EvalConfig.model_validate(run.config)
    cases = store.datasets.cases(run.dataset_hash or "", 0, run.cases.total)
    return summarise(config.chosen_metrics(), store.scores.get(run.id), cases, config.settings())


def end_run(store: Store, run: RunRecord) -> RunRecord:
    """Write down how a run ended whose calls have all ended.

    Raises:
        StoreError: the store cannot be read or written.
    """
    allowed = EvalConfig.model_validate(run.config).run.max_error_rate
    status, reason, counts = conclude(store.calls.outcomes(run.id).values(), run.cases.total, allowed)
    return store.runs.update(run.id, status=status, status_reason=reason, cases=counts, finished_at=now())


def break_off(store: Store, run: RunRecord, status: RunStatus, reason: str) -> RunRecord:
    """Write down that a run was stopped on the way, with a summary of what is done; it can be resumed.

    Raises:
        StoreError: the store cannot be read or written.
    """
    store.summaries.put(run.id, summarise_run(store, run))
    counts = count(store.calls.outcomes(run.id).values(), run.cases.total)
    return store.runs.update(run.id, status=status, status_reason=reason, cases=counts, finished_at=now())
