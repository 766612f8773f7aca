"""Keeping a run's summaries and its ending: written again, they are the same rows."""

from __future__ import annotations

from prefect import task

from ragproof.closing_runs import end_run
from ragproof.runs import RunRecord, RunStatus
from tasks import process
from tasks.aggregation import RunSummaries
from tasks.caching import NOT_CACHED
from tasks.endings import RunEnd


@task(task_run_name="persist the summary", retries=3, retry_delay_seconds=2, **NOT_CACHED)
def persist_summary(summarised: RunSummaries, ended: RunEnd | None = None) -> RunRecord:
    """Upsert the summaries and decide, over all its cases, how the run ended.

    Args:
        summarised: what the run says of its metrics.
        ended: why it asked no more before the end, when it did not.

    Returns:
        The finished run.

    Raises:
        StoreError: the rows could not be committed.
    """
    store = process.store()
    end = (ended.status, ended.reason) if ended else None
    run = end_run(store, store.runs.get(summarised.run_id), summarised.summaries, end)
    summaries = summarised.summaries
    if run.status is RunStatus.STOPPED_EARLY:
        summaries = tuple(summary.without_estimates() for summary in summaries)
    store.summaries.put(run.id, summaries)
    return run
