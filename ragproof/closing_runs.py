"""Summing a run up from what lies in the store, at its end or wherever it was stopped.

Cases and their scores are read a few hundred at a time and answers not at all, so that ten thousand cases
take little more memory than a thousand.
"""

from __future__ import annotations

from collections.abc import Sequence

from ragproof.concluding import conclude, unjudged
from ragproof.config import EvalConfig
from ragproof.runs import CaseCounts, RunRecord, RunStatus, Spend
from ragproof.store.store import Store
from ragproof.summaries import Summary
from ragproof.summarising import Summing
from ragproof.working_time import put_down


def summarise_run(store: Store, run: RunRecord) -> tuple[Summary, ...]:
    """Summarise the scores a run has so far; cases it never reached are skipped, with that reason."""
    config = EvalConfig.model_validate(run.config)
    summing = Summing(config.chosen_metrics(), config.settings())
    for cases in store.datasets.portions(run.dataset_hash or "", run.cases.total):
        results = store.scores.results(run.id, [case.id for case in cases])
        for case in cases:
            summing.add(case, results.get(case.id, []))
    return summing.summaries()


def end_run(
    store: Store,
    run: RunRecord,
    summaries: Sequence[Summary],
    ended: tuple[RunStatus, str] | None = None,
) -> RunRecord:
    """Write down how a run ended whose calls have all ended.

    Args:
        store: where the run lies.
        run: the run.
        summaries: what its scores came to.
        ended: why it asked no more before its end; None when it asked everything.

    Raises:
        StoreError: the store cannot be read or written.
    """
    config = EvalConfig.model_validate(run.config)
    failures = store.calls.failures(run.id)
    counts = _counts(store, run, len(failures))
    status, reason = conclude(counts, failures, config.run.max_error_rate)
    if status is RunStatus.COMPLETED:
        judged = [
            metric.key for metric in config.chosen_metrics() if metric.asks_judge(config.judge is not None)
        ]
        status, reason = ended or unjudged(summaries, judged)
    return store.runs.update(
        run.id,
        status=status,
        status_reason=reason,
        cases=counts,
        spend=_spend(store, run),
        **put_down(run, store.clock()),
    )


def break_off(store: Store, run: RunRecord, status: RunStatus, reason: str) -> RunRecord:
    """Write down that a run was stopped on the way, with a summary of what is done; it can be resumed.

    Raises:
        StoreError: the store cannot be read or written.
    """
    store.summaries.put(run.id, summarise_run(store, run))
    return store.runs.update(
        run.id,
        status=status,
        status_reason=reason,
        cases=_counts(store, run, len(store.calls.failures(run.id))),
        spend=_spend(store, run),
        **put_down(run, store.clock()),
    )


def _spend(store: Store, run: RunRecord) -> Spend:
    judge = EvalConfig.model_validate(run.config).judge
    return store.judge_calls.spend(run.id, priced=judge is None or judge.is_priced)


def _counts(store: Store, run: RunRecord, failed: int) -> CaseCounts:
    """Count how the cases ended; those never reached, or not in every trial, are in the total alone."""
    trials = EvalConfig.model_validate(run.config).run.repeats
    return CaseCounts(total=run.cases.total, ok=store.calls.answered(run.id, trials), failed=failed)
