"""Opening and closing a run around its tasks: a run never ends without saying how."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ragproof.closing_runs import break_off
from ragproof.config import EvalConfig
from ragproof.early_stopping import Watch
from ragproof.errors import StoreError
from ragproof.frozen import Frozen
from ragproof.heartbeat import leased
from ragproof.opening_runs import new_run, refuse_lost_history
from ragproof.runs import RunRecord, RunStatus
from ragproof.sharding import Shard, cut
from ragproof.store.leases import LeaseLost
from ragproof.working_time import taken_up
from tasks import process
from tasks.datasets import LoadedDataset
from tasks.judging import judge_hash
from tasks.stopping import baseline_watch, order_of


class Work(Frozen):
    """A run and what it is cut into."""

    run: RunRecord
    shards: tuple[Shard, ...]
    adapter_identity: str
    definitions: dict[str, int]
    """The version of each metric that is scored without a judge, by key."""
    judged: dict[str, int]
    """The version of each metric that a judge decides, by key; empty without a judge."""
    judge: str
    """sha256 of the judge and its prompts."""
    watch: Watch | None = None
    """What the run is held against while it goes on; None when it does not stop early."""


def begun(run_id: str, flow_run_id: str | None) -> RunRecord | None:
    """Return the run to go on with, when there is one: the id resumed, or this flow run's own.

    Prefect's retry of a flow run comes here again with the same flow run id.
    """
    store = process.store()
    return store.runs.find(run_id) or (store.runs.by_flow_run(flow_run_id) if flow_run_id else None)


@contextmanager
def working(
    config: EvalConfig, dataset: LoadedDataset, run: RunRecord | None, run_id: str, flow_run_id: str | None
) -> Iterator[Work]:
    """Open the pipeline, hold the run and cut the work; whatever happens inside, say how the run stands.

    Args:
        config: the resolved configuration.
        dataset: the cases, in the store.
        run: the run to go on with; None opens a new one.
        run_id: the new one's id.
        flow_run_id: Prefect's flow run.

    Raises:
        ConfigurationError: the pipeline cannot be opened, or would lose a case's history.
        StoreError: another process works on the run.
    """
    store = process.store()
    run_id = run.id if run else run_id
    try:
        shards = _cut(config, dataset, run_id)
        metrics = config.chosen_metrics()
        is_new = run is None
        run = run or new_run(
            config,
            metrics,
            run_id=run_id,
            dataset_hash=dataset.hash,
            cases=sum(len(shard) for shard in shards if shard.trial == 0),
            flow_run_id=flow_run_id,
        )
        watch = baseline_watch(config, run)  # what it refuses leaves no run behind
        if is_new:
            store.runs.start(run)
        with leased(store.leases, run_id, lambda: process.stop(run_id)) as fence:
            run = store.runs.update(
                run_id,
                status=RunStatus.RUNNING,
                status_reason=None,
                finished_at=None,
                flow_run_id=flow_run_id,
                config=config.snapshot(),
                **taken_up(store.runs.get(run_id), store.clock(), store.runs.last_call_at(run_id)),
            )
            store.judge_calls.lose(run_id)  # what a process that died had under way may have been billed
            with _accounted_for(run):
                yield Work(
                    run=run,
                    shards=tuple(shard.model_copy(update={"fence": fence}) for shard in shards),
                    adapter_identity=config.adapter().identity(),
                    definitions={
                        metric.key: metric.version
                        for metric in metrics
                        if not metric.asks_judge(config.judge is not None)
                    },
                    judged={
                        metric.key: metric.version
                        for metric in metrics
                        if metric.asks_judge(config.judge is not None)
                    },
                    judge=judge_hash(config),
                    watch=watch,
                )
    finally:
        process.release(run_id)


def _cut(config: EvalConfig, dataset: LoadedDataset, run_id: str) -> tuple[Shard, ...]:
    """Cut the cases and let go of them: a long run holds no more than its shards at work."""
    cases = process.store().datasets.cases(dataset.hash, 0, config.dataset.limit)
    refuse_lost_history(cases, process.adapter(run_id, config).passes_history)
    return cut(
        run_id,
        dataset.hash,
        cases,
        config.run.shard_size,
        config.run.repeats,
        order_of(config, len(cases)),
    )


@contextmanager
def _accounted_for(run: RunRecord) -> Iterator[None]:
    try:
        yield
    except LeaseLost:
        process.stop(run.id)  # the run is another process's by now, and so is its row
        raise
    except Exception as error:
        _break_off(run, RunStatus.INTERRUPTED, f"{type(error).__name__}: {error}")
        raise
    except BaseException:  # Ctrl-C, or Prefect's own termination signal
        _break_off(run, RunStatus.CANCELLED, f"stopped; 'ragproof run --resume {run.id}' goes on with it")
        raise


def _break_off(run: RunRecord, status: RunStatus, reason: str) -> None:
    process.stop(run.id)
    try:
        process.store().judge_calls.lose(run.id)
        break_off(process.store(), run, status, reason)
    except StoreError:  # the store is what broke: the lease will run out, and the run show as interrupted
        return
