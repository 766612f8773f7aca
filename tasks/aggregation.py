"""From scores to summaries, once a run."""

from __future__ import annotations

from typing import Any

from prefect import task

from ragproof.closing_runs import summarise_run
from ragproof.frozen import Frozen
from ragproof.summaries import Summary
from tasks import process
from tasks.caching import cached
from tasks.retrying import unless_configuration


class RunSummaries(Frozen):
    """Everything a run says of its metrics."""

    run_id: str
    summaries: tuple[Summary, ...]


def _parts(inputs: dict[str, Any]) -> list[Any]:
    return [inputs["run_id"], inputs["score_hashes"], inputs["definitions"]]


@task(
    task_run_name="aggregate",
    retries=2,
    retry_delay_seconds=2,
    retry_condition_fn=unless_configuration,
    **cached("aggregate", 1, _parts),
)
def aggregate(run_id: str, score_hashes: list[str], definitions: dict[str, int]) -> RunSummaries:  # noqa: ARG001
    """Summarise a run's scores over all cases and per tag; cached by the scores and the metrics' versions.

    Args:
        run_id: the run.
        score_hashes: of what was scored, a shard each; sorted.
        definitions: the version of each metric by key.
    """
    store = process.store()
    return RunSummaries(run_id=run_id, summaries=summarise_run(store, store.runs.get(run_id)))
