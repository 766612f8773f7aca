"""Evaluate one pipeline variant over one dataset.

Two doors to one story: `evaluate` is what deployments run (a narrow request, resolved inside the operator's
configuration folder), `evaluate_config` is what the command line runs (a configuration its user wrote).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, cast

from prefect import flow, get_run_logger
from prefect.client.schemas.objects import State
from prefect.futures import PrefectFuture, as_completed
from prefect.logging.loggers import PrefectLogAdapter
from prefect.runtime import flow_run
from prefect.states import Completed, Failed
from prefect.task_runners import TaskRunner, ThreadPoolTaskRunner

from flows.request import RunRequest, resolve
from ragproof.config import EvalConfig
from ragproof.reports.disclosure import disclosed_reason
from ragproof.runs import RunRecord, RunStatus, new_run_id
from tasks import datasets, lifecycle
from tasks.aggregation import aggregate
from tasks.budget import guard_budget
from tasks.endings import RunEnd
from tasks.judging import ShardJudgments, score_with_judge
from tasks.persistence import persist_summary
from tasks.pipeline import ShardOutputs, call_pipeline, expected_ids_name_chunks
from tasks.publishing import ProgressArtifact, publish, shown_content
from tasks.scoring import score_deterministic
from tasks.stopping import Lookout

SHARDS_AT_ONCE = cast("TaskRunner[PrefectFuture[Any]]", ThreadPoolTaskRunner(max_workers=16))
"""Room for eight shards that are asked and eight that are judged."""
ASKED_AT_ONCE = 8
"""Enough to keep a run's concurrency busy (a shard holds 10 to 500 cases), few enough to bound memory."""


def _flow_run_name() -> str:
    parameters = flow_run.parameters
    if "request" in parameters:
        request = RunRequest.model_validate(parameters["request"])
        return f"{request.config} {request.variant}"
    config = EvalConfig.model_validate(parameters["config"])
    return f"{config.project} {config.pipeline.name} {parameters['run_id']}"


@flow(name="evaluate", flow_run_name=_flow_run_name, retries=0, task_runner=SHARDS_AT_ONCE)
def evaluate(request: RunRequest) -> State[str]:
    """Evaluate a pipeline variant and say what is good and what is bad in it.

    Args:
        request: which variant, on which dataset, and how much of it.
    """
    return _story(resolve(request), new_run_id(), no_cache=request.no_cache)


@flow(name="evaluate-config", flow_run_name=_flow_run_name, retries=0, task_runner=SHARDS_AT_ONCE)
def evaluate_config(config: EvalConfig, run_id: str, no_cache: bool = False) -> State[str]:
    """Evaluate the pipeline of a configuration that its user wrote.

    Args:
        config: the resolved configuration; secrets are references to the environment.
        run_id: the id under which the run is kept.
        no_cache: load and compute again what Prefect's cache holds.
    """
    return _story(config, run_id, no_cache=no_cache)


def _story(config: EvalConfig, run_id: str, *, no_cache: bool) -> State[str]:
    tell = story_teller()
    again: dict[str, Any] = {"refresh_cache": True} if no_cache else {}

    run = lifecycle.begun(run_id, flow_run.id)
    dataset, spared = datasets.load(config, run, no_cache=no_cache)
    tell.info("dataset %s: %d cases%s", config.dataset.path, dataset.cases, " (cached)" if spared else "")
    for sentence in dataset.left_out:
        tell.info("%s", sentence)

    with lifecycle.working(config, dataset, run, run_id, flow_run.id) as work:
        tell.info(
            "asking '%s' %d cases in %d shards", work.run.pipeline, work.run.cases.total, len(work.shards)
        )
        progress, lookout = ProgressArtifact.of(work.run), Lookout(config, work.watch, work.shards)
        outputs, judging = [], []
        for output in _asked(work, lookout, again):
            progress.advance(output)
            outputs.append(output)
            if work.judged:
                guarded: Any = guard_budget.submit(output)
                judging.append(
                    score_with_judge.with_options(**again).submit(
                        output, guarded, work.judged, work.judge, not no_cache
                    )
                )
            lookout.look(output, judging[-1] if work.judged else None)
        chunk_level = expected_ids_name_chunks(outputs)
        scored = [
            score_deterministic.with_options(**again).submit(each, work.definitions, chunk_level)
            for each in outputs
        ]
        judged = [future.result() for future in judging]
        hashes = sorted([*(future.result().hash for future in scored), *(each.hash for each in judged)])
        summarised = aggregate.with_options(**again)(work.run.id, hashes, {**work.definitions, **work.judged})
        ended = persist_summary(summarised, _first_end(outputs, judged) or lookout.end)
        publish(ended.id)
    tell.info("%s: %d of %d cases answered", ended.status.value, ended.cases.ok, ended.cases.total)
    return _state(ended)


def _asked(work: lifecycle.Work, lookout: Lookout, again: dict[str, Any]) -> Iterator[ShardOutputs]:
    """Ask the pipeline shard by shard, a few at once, and yield each as it ends: judging need not wait.

    Once a regression is sure, no shard is begun any more, and what is under way ends.
    """
    ask = call_pipeline.with_options(**again)
    waiting, under_way = deque(work.shards), set[PrefectFuture[ShardOutputs]]()
    while (waiting and not lookout.end) or under_way:
        while waiting and not lookout.end and len(under_way) < ASKED_AT_ONCE:
            under_way.add(ask.submit(waiting.popleft(), work.adapter_identity))
        ended = next(as_completed(list(under_way)))
        under_way.remove(ended)
        yield ended.result()


def _first_end(outputs: Iterable[ShardOutputs], judged: Iterable[ShardJudgments]) -> RunEnd | None:
    """Return why the run asked no more, when it did not come to its end."""
    ends = [*(each.ended for each in outputs), *(each.ended for each in judged)]
    return next((end for end in ends if end is not None), None)


def story_teller() -> PrefectLogAdapter:
    """Return the logger whose lines reach Prefect's UI and, on the command line, the screen."""
    logger = get_run_logger()
    assert isinstance(logger, PrefectLogAdapter)
    return logger.getChild("ragproof")


def _state(run: RunRecord) -> State[str]:
    if run.status is RunStatus.COMPLETED:
        return Completed(message=f"run {run.id}", data=run.id)
    return Failed(name=run.status.value, message=f"run {run.id}: {disclosed_reason(run, shown_content(run))}")
