"""Scoring without a judge, a shard of cases a task run."""

from __future__ import annotations

from typing import Any

from prefect import task

from ragproof.cases import canonical_hash
from ragproof.config import EvalConfig
from ragproof.frozen import Frozen
from ragproof.scoring import in_trial, not_reached, score_case
from ragproof.shard_cases import shard_cases
from tasks import process
from tasks.caching import cached, keep_out_of_cache
from tasks.pipeline import ShardOutputs
from tasks.retrying import unless_configuration

PORTION = 50
"""Cases whose scores are written at once; as rows, for a score is many objects."""


class ShardScores(Frozen):
    """How many scores of a shard lie in the store, and what they are."""

    scores: int
    hash: str
    """sha256 over what decides the scores: the outputs and the metrics' versions."""


def _parts(inputs: dict[str, Any]) -> list[Any]:
    outputs: ShardOutputs = inputs["outputs"]
    return [
        outputs.shard.run_id,
        outputs.shard.content_hash,
        outputs.shard.trial,
        outputs.hash,
        inputs["definitions"],
        inputs["chunk_level"],
    ]


@task(
    task_run_name="score, cases {outputs.shard.title}",
    retries=2,
    retry_delay_seconds=2,
    retry_condition_fn=unless_configuration,
    **cached("score_deterministic", 3, _parts),
)
def score_deterministic(outputs: ShardOutputs, definitions: dict[str, int], chunk_level: bool) -> ShardScores:
    """Score a shard's outputs on every metric that needs no judge, and keep the scores.

    Cached by the run, the outputs and the metrics' versions. The run is in the key because a score is a row
    of a run; arithmetic costs microseconds, so nothing is lost by not sharing it between runs.

    Args:
        outputs: the shard's outputs, by reference.
        definitions: the version of each metric by key.
        chunk_level: the expected ids of the whole run name chunks, so metrics by document cannot be scored.

    Raises:
        StoreError: the outputs could not be read or the scores not kept.
    """
    store, shard = process.store(), outputs.shard
    store.leases.adopt(shard.run_id, shard.fence)
    config = EvalConfig.model_validate(store.runs.get(shard.run_id).config)
    cases = shard_cases(store, shard)
    outcomes = store.calls.outcomes(shard.run_id, [case.id for case in cases], shard.trial)
    metrics, settings = config.chosen_metrics(), config.settings()
    free = [metric for metric in metrics if metric.key in definitions]
    with process.arithmetic():
        for start in range(0, len(cases), PORTION):
            store.scores.put(
                shard.run_id,
                (
                    score
                    for case in cases[start : start + PORTION]
                    for score in in_trial(
                        shard.trial,
                        score_case(free, case, outcomes[case.id], settings, chunk_level=chunk_level)
                        if case.id in outcomes
                        else not_reached(free, case, settings),
                    )
                ),
            )
    if outputs.failed or outputs.ended:
        keep_out_of_cache()
    return ShardScores(
        scores=len(cases) * len(free), hash=canonical_hash([outputs.hash, definitions, chunk_level])
    )
