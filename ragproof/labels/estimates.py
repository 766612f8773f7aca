"""From what the statistics say to what is told: PPI++ where it holds, and people's labels alone beside it.

False friend: PPI++ over cases that come several to a group, which it takes for independent; there the labels
stand alone, with the interval of the groups.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ragproof.comparing.clustering import Clusters, repeats
from ragproof.labels.correction import Estimate
from ragproof.labels.labelled_scores import Mask
from ragproof.runs import RunRecord, RunStatus
from ragproof.statistics.clusters import cluster_interval
from ragproof.statistics.interval import Interval
from ragproof.statistics.judge_correction import Corrected
from ragproof.statistics.samples import FloatArray

Ask = Callable[[bool], Corrected]
"""Asks the statistics, told whether the labelled cases were drawn at random."""
Span = tuple[float, float] | None

NO_NUMBER = "the judge has a number for none of the labelled cases"
ALL_LABELLED = "every case with a number is labelled, so the labels need no judge"
GROUPED = "cases come several to a group, and PPI++ takes them for independent"


@dataclass(frozen=True)
class Told:
    """What may be said of a mean.

    Attributes:
        corrected: PPI++, or None.
        reason: why not.
        weight: of the judge; None together with `corrected`.
        people: the labels alone.
        disagreements: labelled cases where people and judge differ.
        rarer: labels of the rarer class; None for a metric that is not of 0 and 1.
    """

    corrected: Estimate | None
    reason: str | None
    weight: float | None
    people: Estimate
    disagreements: int
    rarer: int | None


def unfinished(run: RunRecord, called: str = "the run") -> str | None:
    """Say why a run's means are no estimate, calling it so; None for a completed run."""
    if run.status is RunStatus.COMPLETED:
        return None
    return f"{called} is {run.status.value}, and the cases that it scored stand for no others"


def told(
    ask: Ask,
    human: FloatArray,
    *,
    at_random: bool,
    reason: str | None,
    clusters: Clusters,
    basis: Mask,
    scored: Mask,
    span: Span,
) -> Told:
    """Say what may be said.

    Args:
        ask: the statistics.
        human: the labels that it is about, shape (n,).
        at_random: whether their cases were drawn at random.
        reason: why there is no correction, as far as is known; None leaves it to the statistics.
        clusters: the cluster of each case of the run, shape (cases,).
        basis: the labelled cases, shape (cases,).
        scored: all cases that the statistics see, shape (cases,).
        span: the ends of what a value can be; None when the range is open.
    """
    reason = reason or (GROUPED if at_random and repeats(clusters, scored) else None)
    found = ask(at_random and reason is None)
    reason = reason or found.reason
    alone = ask(False).interval
    if repeats(clusters, basis):
        lowest, highest = span if span is not None else (None, None)
        named = clusters[basis].tolist()
        alone = cluster_interval(human, named, lowest=lowest, highest=highest).interval
    return Told(
        corrected=None if reason else estimate(found.estimate, found.interval),
        reason=reason,
        weight=None if reason else found.lam,
        people=estimate(float(np.mean(human)), alone),
        disagreements=found.n_disagreements,
        rarer=found.n_rarer,
    )


def estimate(mean: float, interval: Interval) -> Estimate:
    """Join a mean and its interval."""
    return Estimate(
        mean=mean,
        low=interval.low,
        high=interval.high,
        confidence=interval.confidence,
        method=interval.method,
        note=interval.flag.value if interval.flag else None,
    )
