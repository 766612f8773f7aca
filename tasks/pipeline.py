"""Asking the pipeline under test, a shard of cases a task run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from prefect import task

from ragproof.cases import canonical_hash
from ragproof.config import EvalConfig
from ragproof.frozen import Frozen
from ragproof.metrics.retrieval.expected_ids import IdMatches, id_matches
from ragproof.outputs import CaseFailure
from ragproof.redaction import Redactor
from ragproof.runs import RunStatus
from ragproof.shard_calls import ask_cases
from ragproof.shard_cases import shard_cases
from ragproof.sharding import Shard
from tasks import process
from tasks.caching import cached, keep_out_of_cache
from tasks.endings import RunEnd, run_end
from tasks.retrying import unless_configuration


class ShardOutputs(Frozen):
    """Where a shard's outputs are (the ledger), how many there are, and what they hold."""

    shard: Shard
    ok: int
    failed: int
    hash: str
    """sha256 over the outcomes' content."""
    ended: RunEnd | None = None
    """Why the budget let no more calls through; cases without an outcome were not reached."""
    id_matches: IdMatches
    """What the expected source ids of its cases were seen to name."""


def _parts(inputs: dict[str, Any]) -> list[Any]:
    shard: Shard = inputs["shard"]
    return [shard.run_id, shard.content_hash, shard.trial, inputs["adapter_identity"]]


@task(
    task_run_name="ask the pipeline, cases {shard.title}",
    retries=2,
    retry_delay_seconds=2,
    retry_condition_fn=unless_configuration,
    **cached("call_pipeline", 3, _parts),
)
def call_pipeline(shard: Shard, adapter_identity: str) -> ShardOutputs:
    """Ask the pipeline each case of a shard through the ledger; a case that fails is a value.

    Cached for this run only, and only when every case has an output. A retry (infrastructure: the store
    was away) asks nothing that is settled.

    Args:
        shard: the cases, by reference.
        adapter_identity: the pipeline's fingerprint.

    Raises:
        StoreError: replies could not be committed.
    """
    store = process.store()
    store.leases.adopt(shard.run_id, shard.fence)
    config = EvalConfig.model_validate(store.runs.get(shard.run_id).config)
    cases = shard_cases(store, shard)
    allowance = process.allowance(shard.run_id, config) if config.budget.include_pipeline else None
    outcomes = process.run(
        ask_cases(
            cases,
            run_id=shard.run_id,
            adapter=process.adapter(shard.run_id, config),
            adapter_identity=adapter_identity,
            k=config.run.k,
            retrieve_k=config.retrieve_k(),
            timeout_seconds=config.run.case_timeout_seconds,
            slots=process.slots(shard.run_id, config.run.concurrency),
            ledger=store.calls,
            redactor=Redactor(
                config.adapter().secrets(),
                exempt=[case.adversarial_payload for case in cases if case.adversarial_payload],
            ),
            allowance=allowance,
            trial=shard.trial,
        ),
        shard.run_id,
    )
    failed = sum(isinstance(outcome, CaseFailure) for outcome in outcomes.values())
    if failed or len(outcomes) < len(cases):
        keep_out_of_cache()
    return ShardOutputs(
        shard=shard,
        ok=len(outcomes) - failed,
        failed=failed,
        id_matches=id_matches((case, outcomes[case.id]) for case in cases if case.id in outcomes),
        hash=canonical_hash([outcome.model_dump(mode="json") for outcome in outcomes.values()]),
        ended=run_end(process.asking_ended(shard.run_id), RunStatus.FAILED_PIPELINE),
    )


def expected_ids_name_chunks(outputs: Iterable[ShardOutputs]) -> bool:
    """Say, over the whole run, whether the dataset's expected source ids are chunk ids."""
    return sum((each.id_matches for each in outputs), IdMatches()).chunk_level
