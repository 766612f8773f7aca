"""The judge that is calibrated: within its own run in the store, so that no call is paid for twice."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ragproof.budget import budget_of
from ragproof.config import EvalConfig
from ragproof.heartbeat import leased
from ragproof.judge.ask import Judge
from ragproof.judge.calibration.calibration import Calibration
from ragproof.judge.calls import JudgingEnds
from ragproof.judge.config import JudgeConfig
from ragproof.judge.ladder import Ladder
from ragproof.opening_judge import open_judge
from ragproof.runs import CALIBRATION, RunRecord, RunStatus, new_run_id, now
from ragproof.store.opening import open_store


@asynccontextmanager
async def opened(judge: JudgeConfig, config: EvalConfig | None) -> AsyncIterator[Judge]:
    """Have a judge while the block lasts, within the caps of its configuration and of this machine.

    Args:
        judge: which one.
        config: whose budget and project count; None is no cap of its own.

    Raises:
        ConfigurationError: the judge cannot be used.
        StoreError: the store cannot be written.
    """
    run_id = new_run_id()
    cap = config.budget.max_cost_usd if config else None
    budget = budget_of(run_id, config.project if config else CALIBRATION, cap, os.environ)
    with open_store() as store:
        asked = open_judge(judge, budget, store=store, ladder=Ladder(), environ=os.environ, reuse=True)
        started = RunRecord(id=run_id, project=CALIBRATION, pipeline=judge.model, started_at=now())
        store.runs.start(started)
        status, reason = RunStatus.CANCELLED, "the calibration was stopped"
        taken = JudgingEnds("another process has the run")
        with leased(store.leases, run_id, lambda: asked.start_nothing_more(taken)):
            try:
                yield asked
                status, reason = RunStatus.COMPLETED, ""
            except Exception as error:
                status, reason = RunStatus.FAILED_JUDGE, str(error)
                raise
            finally:
                await asked.close()
                store.judge_calls.lose(run_id)
                store.runs.update(
                    run_id,
                    status=status,
                    status_reason=reason or None,
                    finished_at=now(),
                    spend=store.judge_calls.spend(run_id, priced=judge.is_priced),
                )


def keep(found: Calibration) -> None:
    """Keep a calibration, for reports to show beside what the same judge judged."""
    with open_store() as store:
        store.calibrations.put(found)
