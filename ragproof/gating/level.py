"""`min` and `max` on the mean of one run: its one-sided bound against the threshold.

A `max` demand is a `min` demand on negated values. False friend: comparing the mean itself, which flakes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ragproof.comparing.scored_run import CaseFacts, MetricScores, Standing
from ragproof.gating.cluster_bound import cluster_bounds
from ragproof.gating.outcome import Outcome, outcome_of, with_groups
from ragproof.gating.sample import Sample, counted, taken, turned
from ragproof.statistics.gate_rules import level_verdict


def level_sample(
    scores: MetricScores, cases: Sequence[CaseFacts], chosen: NDArray[np.bool_], sign: float
) -> Sample:
    """Take one run's numbers.

    Args:
        scores: of the metric, over all of `cases`.
        cases: of the run.
        chosen: which of them are looked at, shape (cases,).
        sign: 1, or -1 to turn the numbers so that less is better.
    """
    spoken = chosen & (scores.standing != int(Standing.ABSENT))
    span = turned(scores.traits.span, sign)
    values = sign * scores.values()[spoken]
    return Sample(
        cases=taken(cases, spoken),
        values=values,
        ends=np.tile(np.array(span or (np.nan, np.nan)), (values.size, 1)),
        span=span,
        missing=counted(scores.reasons, spoken & scores.missing),
        absent=counted(scores.reasons, chosen & ~spoken),
    )


def judge_level(sample: Sample, threshold: float, confidence: float) -> Outcome:
    """Judge whether the mean is over a threshold.

    Args:
        sample: at least one case.
        threshold: oriented as the sample is.
        confidence: one-sided, over one half.
    """
    low, high = sample.span or (None, None)
    test = level_verdict(sample.values, at_least=threshold, lowest=low, highest=high, confidence=confidence)
    outcome, clusters = outcome_of(test, confidence), sample.clusters
    if clusters is None:
        return outcome
    bounds = cluster_bounds(sample.values, sample.ends, clusters, span=sample.span, confidence=confidence)
    return with_groups(outcome, bounds, threshold)
