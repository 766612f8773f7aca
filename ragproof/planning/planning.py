"""A plan of a configured run: its cases, what was measured before, and what the next run costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragproof.cases import Case
from ragproof.config import EvalConfig
from ragproof.errors import ConfigurationError
from ragproof.leaderboards.expenses import COST
from ragproof.planning.basis_runs import BasisRuns, basis_runs
from ragproof.planning.costs import Cost, cost_of, usd_a_call
from ragproof.planning.plan import Plan, metrics_meant, plan
from ragproof.planning.question import Question
from ragproof.run_estimates import RunEstimate, estimate_run

if TYPE_CHECKING:
    from ragproof.store.store import Store

CASES_LOOKED_AT = 200
"""For the judge's questions; of a larger dataset evenly spaced ones."""


@dataclass(frozen=True)
class RunPlan:
    """A plan and its price.

    Attributes:
        project: of the configuration.
        pipeline: the configured variant.
        judge: the model that would be asked; None without one.
        plan: the metrics.
        basis: what was measured before.
        now: what a run over the present cases costs.
        needed: what a run over the cases that the deciding metric needs costs; None when it cannot be said.
    """

    project: str
    pipeline: str
    judge: str | None
    plan: Plan
    basis: BasisRuns
    now: Cost
    needed: Cost | None


def plan_run(
    config: EvalConfig,
    cases: Sequence[Case],
    question: Question,
    store: Store | None,
    baseline: str | None,
    environ: Mapping[str, str],
) -> RunPlan:
    """Plan a run; nothing is asked and nothing is written.

    Args:
        config: what would be run.
        cases: the whole dataset, of which the run may ask the first ones.
        question: the effect and the errors.
        store: where earlier runs are; None is a machine without a store yet.
        baseline: what the run is called whose spread is taken; None takes the latest.
        environ: where the judge's ceilings are.

    Raises:
        ConfigurationError: the question, or the dataset, cannot be planned with.
        StoreError: the store cannot be read, or holds no such run.
    """
    asked = cases[: config.dataset.limit]
    if not asked:
        raise ConfigurationError(f"'{config.dataset.path}' has no case; expected at least one to plan from")
    keys = [*(metric.key for metric in metrics_meant(config, question)), COST]
    basis = basis_runs(config, store, baseline, keys)
    found = plan(config, asked, question, basis)
    estimate = _estimate(config, cases, store, environ)
    usd = usd_a_call(basis.baseline)
    needed = None if found.primary is None else found.primary.needed
    return RunPlan(
        project=config.project,
        pipeline=config.pipeline.name,
        judge=None if config.judge is None else config.judge.model,
        plan=found,
        basis=basis,
        now=cost_of(len(asked), question.repeats, estimate, usd),
        needed=None if needed is None else cost_of(needed, question.repeats, estimate, usd),
    )


def _estimate(
    config: EvalConfig, cases: Sequence[Case], store: Store | None, environ: Mapping[str, str]
) -> RunEstimate | None:
    if config.judge is None:
        return None
    once = config.model_copy(update={"run": config.run.model_copy(update={"repeats": 1})})
    return estimate_run(once, cases, store, environ, look=False, most_cases=CASES_LOOKED_AT)
