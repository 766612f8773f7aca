"""The estimate of a configured run: its cases, earlier outputs, what was judged before, its cap."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from ragproof.budget import budget_of
from ragproof.cases import Case, canonical_hash
from ragproof.config import EvalConfig
from ragproof.errors import ConfigurationError
from ragproof.estimating import Estimate, estimate
from ragproof.frozen import Frozen
from ragproof.judge.calls import Verdict
from ragproof.judge.config import JudgeConfig
from ragproof.metric import Need
from ragproof.money import usd
from ragproof.outputs import Outcome, PipelineOutput
from ragproof.store.store import Store

RUNS_LOOKED_AT = 100
"""How many of a project's latest runs may be the one with outputs."""


class RunEstimate(Frozen):
    """What the judge of a run may be asked and cost."""

    project: str
    pipeline: str
    judge: JudgeConfig
    outputs_of: str | None
    """The run whose outputs are taken for those of the next; None when there is none on these cases."""
    estimate: Estimate
    cap_usd: float | None
    """The run's, the machine's ceiling included; None is no cap."""

    @property
    def may_pass_cap(self) -> bool:
        """Whether the run may end as `aborted:budget`."""
        high = self.estimate.usd_high
        return self.cap_usd is not None and high is not None and high > self.cap_usd


def estimate_run(
    config: EvalConfig,
    cases: Sequence[Case],
    store: Store | None,
    environ: Mapping[str, str],
    *,
    look: bool = True,
    most_cases: int | None = None,
) -> RunEstimate:
    """Estimate a run; nothing is asked and nothing is written.

    Args:
        config: what is run.
        cases: the whole dataset, of which the run may ask the first ones.
        store: where earlier runs and verdicts are; None is a machine without a store yet.
        environ: where the ceilings are.
        look: whether to look up what was judged before.
        most_cases: look at a sample of so many; None is all.

    Raises:
        ConfigurationError: there is no judge, or a ceiling cannot be used.
        StoreError: the store cannot be read.
    """
    if config.judge is None:
        raise ConfigurationError(f"{Need.JUDGE.value} or the section 'judge' of the configuration")
    cap = budget_of("", config.project, config.budget.max_cost_usd, environ).run_cap
    asked = cases[: config.dataset.limit]
    outputs_of, known = _earlier(config, cases, asked, store)

    def find(identity: str) -> Verdict | None:
        kept = store and store.judge_calls.verdicts("", [identity], of_other_runs=True).get(identity)
        return kept[0] if kept else None

    estimating = estimate(
        config.chosen_metrics(),
        asked,
        known,
        config.settings(),
        config.judge,
        find=find if look else None,
        most_cases=most_cases,
        repeats=config.run.repeats,
    )
    return RunEstimate(
        project=config.project,
        pipeline=config.pipeline.name,
        judge=config.judge,
        outputs_of=outputs_of,
        estimate=asyncio.run(estimating),
        cap_usd=None if cap is None else usd(cap),
    )


def _earlier(
    config: EvalConfig, cases: Sequence[Case], asked: Sequence[Case], store: Store | None
) -> tuple[str | None, Mapping[str, Outcome]]:
    """Return the latest run of this pipeline on these cases that has outputs, and how its calls ended."""
    if store is None:
        return None, {}
    dataset_hash = canonical_hash([case.content_hash() for case in cases])
    for run in store.runs.list(config.project, RUNS_LOOKED_AT):
        if (run.pipeline, run.dataset_hash) == (config.pipeline.name, dataset_hash):
            outcomes = store.calls.outcomes(run.id, [case.id for case in asked])
            if any(isinstance(outcome, PipelineOutput) for outcome in outcomes.values()):
                return run.id, outcomes
    return None, {}
