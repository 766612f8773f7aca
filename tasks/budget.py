"""The budget guard: looks at what is spent before each shard is judged, and stops judging in time."""

from __future__ import annotations

import os

from prefect import task

from ragproof.budget import budget_of
from ragproof.config import EvalConfig
from ragproof.frozen import Frozen
from ragproof.judge.metering import Tokens
from ragproof.money import usd
from tasks import process
from tasks.caching import NOT_CACHED
from tasks.pipeline import ShardOutputs


class Guarded(Frozen):
    """Whether a shard may be judged, and the figures that say so; dollars."""

    go: bool
    reason: str | None = None
    """Why not."""
    spent_usd: float = 0.0
    reserved_usd: float = 0.0
    forecast_usd: float | None = None
    """What the shard will cost at the run's rate so far; None before anything is known."""


@task(
    task_run_name="guard the budget, cases {outputs.shard.title}",
    retries=0,
    **NOT_CACHED,
)
def guard_budget(outputs: ShardOutputs) -> Guarded:
    """Say whether the budget leaves room for one more call.

    Whether each call fits is decided where it is reserved, in the database: this only spares a shard the
    attempt when nothing can fit any more, and says how the money stands.
    """
    store, shard = process.store(), outputs.shard
    run = store.runs.get(shard.run_id)
    config = EvalConfig.model_validate(run.config)
    assert config.judge is not None
    budget = budget_of(run.id, run.project, config.budget.max_cost_usd, os.environ, config.cell)
    accounts = budget.accounts(store.clock())
    standing = {name: store.judge_calls.balance(name) for name in accounts}
    own = standing[f"run:{run.id}"]
    ended = process.judging_ended(run.id)
    smallest = config.judge.cost_picodollars(Tokens(output=config.judge.max_tokens)) or 0
    full = [
        name for name, cap in accounts.items() if cap is not None and standing[name].spent + smallest > cap
    ]
    reason = str(ended) if ended else f"nothing fits under the cap of {full[0]} any more" if full else None
    judged = store.judge_calls.cases(run.id)
    return Guarded(
        go=reason is None,
        reason=reason,
        spent_usd=usd(own.spent),
        reserved_usd=usd(own.reserved),
        forecast_usd=usd(own.spent) / judged * len(shard) if judged else None,
    )
