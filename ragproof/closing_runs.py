"""Summing a run up from what lies in the store, at its end or wherever it was stopped.

Scores are read one metric at a time and answers not at all, so that ten thousand cases take no more memory
than one metric of them.
"""

from __future__ import annotations

from ragproof.concluding import conclude
from ragproof.config import EvalConfig
from ragproof.ledger import CallState
from ragproof.runs import CaseCounts, RunRecord, RunStatus, now
from ragproof.store.store import Store
from ragproof.summaries import Summary
from ragproof.summarising import summarise


def summarise_run(store: Store, run: RunRecord) -> tuple[Summary, ...]:
    """Summarise the scores a run has so far; cases it never reached are skipped, with that reason."""
    config = EvalConfig.model_validate(run.config)
    cases = store.datasets.cases(run.dataset_hash or "", 0, run.cases.total)
    return tuple(
        summary
        for metric in config.chosen_metrics()
        for summary in summarise(
            [metric], store.scores.get(run.id, metric=metric.key), cases, config.settings()
        )
    )


def end_run(store: Store, run: RunRecord) -> RunRecord:
    """Write down how a run ended whose calls have all ended.

    Raises:
        StoreError: the store cannot be read or written.
    """
    allowed = EvalConfig.model_validate(run.config).run.max_error_rate
    counts = _counts(store, run)
    status, reason = conclude(counts, store.calls.failures(run.id), allowed)
    return store.runs.update(run.id, status=status, status_reason=reason, cases=counts, finished_at=now())


def break_off(store: Store, run: RunRecord, status: RunStatus, reason: str) -> RunRecord:
    """Write down that a run was stopped on the way, with a summary of what is done; it can be resumed.

    Raises:
        StoreError: the store cannot be read or written.
    """
    store.summaries.put(run.id, summarise_run(store, run))
    return store.runs.update(
        run.id, status=status, status_reason=reason, cases=_counts(store, run), finished_at=now()
    )


def _counts(store: Store, run: RunRecord) -> CaseCounts:
    """Count how the calls ended; cases never reached are in the total alone."""
    ended = store.calls.progress(run.id)
    return CaseCounts(
        total=run.cases.total, ok=ended.get(CallState.SETTLED, 0), failed=ended.get(CallState.FAILED, 0)
    )
