"""A configuration tried out: what its metrics can score at most, and what one live call brings back."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from ragproof import datasets
from ragproof.adapters.adapter import Question
from ragproof.asking import ask
from ragproof.cases import Case
from ragproof.config import EvalConfig
from ragproof.doubts import doubts
from ragproof.evidence import Settings
from ragproof.metric import Metric
from ragproof.opening_runs import refuse_lost_history
from ragproof.outputs import CaseFailure, Outcome, PipelineOutput
from ragproof.redaction import Redactor
from ragproof.scores import Score
from ragproof.scoring import out_of_reach, score

RECORDED_CASES_READ = 1_000
"""Of a recording; a mistake that concerns all of it shows in them."""


@dataclass(frozen=True)
class Reach:
    """How many cases a metric can score at most, and why not the others."""

    metric: Metric
    at_most: int
    reasons: dict[str, int]
    """The number of cases for each reason, most frequent first."""


@dataclass(frozen=True)
class Rehearsal:
    """What there is to know before a run."""

    config: EvalConfig
    cases: tuple[Case, ...]
    reach: tuple[Reach, ...]
    outcome: Outcome
    """Of the first case."""
    scores: tuple[Score, ...]
    """Of the first case, on the metrics that have it within reach and cost no call of the judge."""
    doubts: tuple[str, ...] = ()
    """What lets the numbers mean something else than they seem to, in sentences."""

    @property
    def output(self) -> PipelineOutput | None:
        """What the live call brought back, when it brought something."""
        return None if isinstance(self.outcome, CaseFailure) else self.outcome

    @property
    def kinds(self) -> dict[str, int]:
        """The number of cases of each kind."""
        return dict(Counter(case.kind.value for case in self.cases))

    @property
    def skipped(self) -> dict[str, str]:
        """The metrics that the output leaves without a number, with the reason."""
        return {score.metric: score.reason for score in self.scores if score.reason is not None}

    def as_json(self) -> dict[str, JsonValue]:
        """Return it as JSON values."""
        outcome = self.outcome.model_dump(mode="json")
        return {
            "project": self.config.project,
            "pipeline": self.config.pipeline.name,
            "dataset": self.config.dataset.path,
            "cases": {"total": len(self.cases), **self.kinds},
            "metrics": {
                reach.metric.key: {"at_most": reach.at_most, "reasons": {**reach.reasons}}
                for reach in self.reach
            },
            "call": {
                "case_id": self.cases[0].id,
                "output": outcome if self.output else None,
                "failure": None if self.output else outcome,
                "skipped": {**self.skipped},
            },
            "doubts": [*self.doubts],
        }


def rehearse(config: EvalConfig) -> Rehearsal:
    """Read the dataset, count what can be scored, and ask the pipeline the first case.

    A recording is asked more cases: that costs nothing, and shows whether it belongs to the dataset.

    Args:
        config: a loaded configuration.

    Returns:
        What was found; a call that failed is an outcome.

    Raises:
        ConfigurationError: the dataset or the adapter cannot be used; all faults of it.
    """
    cases = datasets.read(config.dataset.resolved(), config.dataset.format)[: config.dataset.limit]
    metrics, settings = config.chosen_metrics(), config.settings()
    asked = cases[:RECORDED_CASES_READ] if config.adapter().is_recorded else cases[:1]
    outcomes = asyncio.run(_ask(config, cases, asked))
    outcome = outcomes[0]
    free = [metric for metric in metrics if not metric.asks_judge(settings.judge_configured)]
    within = [metric for metric in free if out_of_reach(metric, cases[0], settings) is None]
    return Rehearsal(
        config=config,
        cases=cases,
        reach=tuple(_reach(metric, cases, settings) for metric in metrics),
        outcome=outcome,
        scores=tuple(score(metric, cases[0], outcome, settings) for metric in within),
        doubts=doubts(cases, outcomes, settings.source_match),
    )


def _reach(metric: Metric, cases: Sequence[Case], settings: Settings) -> Reach:
    reasons = [out_of_reach(metric, case, settings) for case in cases]
    counted = Counter(reason for reason in reasons if reason is not None)
    return Reach(metric, reasons.count(None), dict(counted.most_common()))


async def _ask(config: EvalConfig, cases: Sequence[Case], asked: Sequence[Case]) -> list[Outcome]:
    k, retrieve_k = config.run.k, config.retrieve_k()
    adapter = config.adapter().open(config.search_path)
    try:
        refuse_lost_history(cases, adapter.passes_history)
        outcomes = [
            await ask(adapter, Question.of(case, k=k, retrieve_k=retrieve_k), config.run.case_timeout_seconds)
            for case in asked
        ]
    finally:
        await adapter.close()
    literals = [case.adversarial_payload for case in asked if case.adversarial_payload]
    redactor = Redactor(config.adapter().secrets(), exempt=literals)
    return [
        redactor.failure(outcome) if isinstance(outcome, CaseFailure) else redactor.output(outcome)
        for outcome in outcomes
    ]
