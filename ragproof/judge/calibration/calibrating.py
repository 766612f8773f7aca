"""Calibrating a judge: every labelled answer is measured as in a run, and held against its labels."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from ragproof.errors import RagproofError
from ragproof.evidence import Settings
from ragproof.judge.ask import Judge
from ragproof.judge.calibration.agreement import Agreement, Compared, agreement
from ragproof.judge.calibration.calibration import Calibration, asked_judge
from ragproof.judge.calibration.labelled import Labelled
from ragproof.judge.calibration.metrics import own_prompt
from ragproof.judge.calibration.source import Source
from ragproof.judge.calibration.thresholds import DEFAULT_THRESHOLDS, Thresholds
from ragproof.judge.calibration.watching import WatchedJudge
from ragproof.judge.config import JudgeConfig
from ragproof.judging import judge_case
from ragproof.metric import Metric
from ragproof.rubrics import prompt_hashes
from ragproof.scores import Score

Tell = Callable[[int, int], None]
"""Told how many answers are judged, and of how many."""


async def calibrate(
    judge: Judge,
    labelled: Sequence[Labelled],
    metrics: Mapping[str, Metric],
    *,
    config: JudgeConfig,
    source: Source,
    at: datetime,
    thresholds: Thresholds = DEFAULT_THRESHOLDS,
    tell: Tell = lambda _done, _of: None,
) -> Calibration:
    """Hold a judge against labels; answers are judged side by side, as many as the judge itself allows.

    Args:
        judge: who is asked.
        labelled: answers with their labels; at least one.
        metrics: at least those that are labelled, by key, in reading order.
        config: what the judge is, and whether it has to quote.
        source: where the labels come from.
        at: now, with a time zone.
        thresholds: the bar; nothing is raised below it.
        tell: told how far it is.

    Raises:
        RagproofError: the judge let nobody in, ended, or never replied: nothing was learnt about it.
    """
    watched = WatchedJudge(judge)
    scores = await _measured(watched, labelled, metrics, config.settings(), tell)
    if watched.ended is not None:
        raise watched.ended
    if not watched.has_replied and watched.failure is not None:
        raise RagproofError(f"the judge '{config.model}' never replied: {watched.failure.reason}")
    compared = _by_metric(labelled, scores)
    found = [_agreement(metrics[key], compared[key]) for key in metrics if key in compared]
    return Calibration(
        at=at,
        judge=asked_judge(config),
        models_served=watched.models_served,
        prompts=prompt_hashes(metrics[key] for key in compared),
        source=source,
        thresholds=thresholds,
        agreements=tuple(found),
    )


async def _measured(
    judge: Judge,
    labelled: Sequence[Labelled],
    metrics: Mapping[str, Metric],
    settings: Settings,
    tell: Tell,
) -> list[tuple[Score, ...]]:
    done = 0

    async def one(each: Labelled) -> tuple[Score, ...]:
        nonlocal done
        asked = [metrics[key] for key in each.labels]
        scores = await judge_case(asked, each.case, each.output, settings, judge)
        done += 1
        tell(done, len(labelled))
        return scores

    tell(0, len(labelled))
    return await asyncio.gather(*map(one, labelled))


def _by_metric(
    labelled: Sequence[Labelled], scores: Sequence[tuple[Score, ...]]
) -> dict[str, list[Compared]]:
    found: dict[str, list[Compared]] = {}
    for each, measured in zip(labelled, scores, strict=True):
        for (key, label), score in zip(each.labels.items(), measured, strict=True):
            found.setdefault(key, []).append(Compared(label, score, each.why))
    return found


def _agreement(metric: Metric, compared: Sequence[Compared]) -> Agreement:
    return agreement(metric.key, own_prompt(metric), compared)
