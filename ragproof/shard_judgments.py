"""Judging the cases of a shard side by side; each reply is kept before anything is computed from it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from ragproof.cases import Case
from ragproof.evidence import Settings
from ragproof.judge.ask import Judge
from ragproof.judging import judge_case
from ragproof.metric import Metric
from ragproof.outputs import Outcome
from ragproof.scores import Score
from ragproof.scoring import in_trial, not_reached


async def judge_cases(
    metrics: Sequence[Metric],
    cases: Sequence[Case],
    outcomes: Mapping[str, Outcome],
    settings: Settings,
    judge: Judge,
    trial: int = 0,
) -> tuple[Score, ...]:
    """Measure every case on every metric.

    Args:
        metrics: each with a `judged`.
        cases: the shard's; empty measures nothing.
        outcomes: by case id; a case without one was not reached before the budget was spent.
        settings: what gives the scores their meaning.
        judge: who is asked; how many calls are under way at once is its own concern.
        trial: repeat index: a repeat is judged anew, even where the pipeline answered the same again.

    Returns:
        A score for each case and metric.

    Raises:
        StoreError: a reply could not be kept.
    """
    reached = [case for case in cases if case.id in outcomes]
    scores = await asyncio.gather(
        *(judge_case(metrics, case, outcomes[case.id], settings, judge, trial=trial) for case in reached)
    )
    unreached = (not_reached(metrics, case, settings) for case in cases if case.id not in outcomes)
    return in_trial(trial, tuple(score for of_case in (*scores, *unreached) for score in of_case))
