"""Scoring with the judge, a shard of cases a task run."""

from __future__ import annotations

from collections import Counter
from typing import Any

from prefect import get_run_logger, task

from ragproof.cases import canonical_hash
from ragproof.comparability import comparability
from ragproof.config import EvalConfig
from ragproof.frozen import Frozen
from ragproof.judge.calls import BudgetExhausted
from ragproof.runs import RunStatus
from ragproof.scores import Score, Scored
from ragproof.shard_cases import shard_cases
from ragproof.shard_judgments import judge_cases
from tasks import process
from tasks.budget import Guarded
from tasks.caching import cached, keep_out_of_cache
from tasks.endings import RunEnd, run_end
from tasks.pipeline import ShardOutputs
from tasks.retrying import unless_configuration


class ShardJudgments(Frozen):
    """How many judged scores of a shard lie in the store, what they are, and whether judging may go on."""

    scores: int
    hash: str
    """sha256 over what decides the scores: the outputs, the judge, its prompts and the metrics' versions."""
    ended: RunEnd | None = None


def _parts(inputs: dict[str, Any]) -> list[Any]:
    outputs: ShardOutputs = inputs["outputs"]
    return [
        outputs.shard.run_id,
        outputs.shard.content_hash,
        outputs.shard.trial,
        outputs.hash,
        inputs["definitions"],
        inputs["judge"],
    ]


@task(
    task_run_name="judge, cases {outputs.shard.title}",
    retries=2,
    retry_delay_seconds=2,
    retry_condition_fn=unless_configuration,
    **cached("score_with_judge", 2, _parts),
)
def score_with_judge(
    outputs: ShardOutputs, guarded: Guarded, definitions: dict[str, int], judge: str, reuse: bool
) -> ShardJudgments:
    """Score a shard's outputs on every metric that asks the judge, and keep the scores.

    Cached by the run, the outputs, the judge with its prompts and the metrics' versions, and only when no
    case failed and the judge gave a verdict on every question. Verdicts themselves are found by question in
    the ledger, whatever run they were given in.

    Args:
        outputs: the shard's outputs, by reference.
        guarded: whether the budget leaves room; when it does not, only what was judged before is used.
        definitions: the version of each judged metric by key.
        judge: sha256 of the judge and its prompts.
        reuse: whether verdicts of other runs serve.

    Raises:
        StoreError: a reply or the scores could not be kept.
    """
    store, shard = process.store(), outputs.shard
    store.leases.adopt(shard.run_id, shard.fence)
    config = EvalConfig.model_validate(store.runs.get(shard.run_id).config)
    cases = shard_cases(store, shard)
    metrics = [metric for metric in config.chosen_metrics() if metric.key in definitions]
    outcomes = store.calls.outcomes(shard.run_id, [case.id for case in cases], shard.trial)
    opened = process.judge(shard.run_id, config, reuse=reuse)

    async def judged() -> tuple[Score, ...]:
        if not guarded.go:
            opened.start_nothing_more(BudgetExhausted(guarded.reason or "the budget is spent"))
        return await judge_cases(metrics, cases, outcomes, config.settings(), opened, shard.trial)

    scores = process.run(judged(), shard.run_id)
    end = run_end(opened.ended, RunStatus.FAILED_JUDGE)
    store.scores.put(shard.run_id, scores)
    erred = [score for score in scores if score.result.outcome in ("judge_error", "case_failed")]
    if end or outputs.failed or erred:
        keep_out_of_cache()
    if erred:
        kinds = Counter((each.reason or "").partition(":")[0] for each in erred)  # the rest may quote a reply
        told = ", ".join(f"{kind} ({times})" for kind, times in kinds.most_common())
        get_run_logger().warning("%d judged scores erred: %s", len(erred), told)
    return ShardJudgments(
        scores=sum(isinstance(score.result, Scored) for score in scores),
        hash=canonical_hash([outputs.hash, definitions, judge, end is None]),
        ended=end,
    )


def judge_hash(config: EvalConfig) -> str:
    """Return the sha256 of all about the judge that a score depends on."""
    fields = comparability(
        config.settings(), config.chosen_metrics(), retrieve_k=config.retrieve_k(), judge=config.judge
    )
    return canonical_hash(fields.get("judge"))
