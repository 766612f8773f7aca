"""`max_drop`: the paired one-sided bounds of candidate minus baseline, case by case, against the margin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ragproof.comparing.scored_run import CaseFacts, MetricScores, Standing
from ragproof.gating.cluster_bound import cluster_bounds
from ragproof.gating.outcome import Outcome, outcome_of, with_groups
from ragproof.gating.sample import Sample, counted, taken, turned
from ragproof.statistics.gate_bounds import Span
from ragproof.statistics.gate_rules import drop_verdict
from ragproof.statistics.samples import FloatArray, without_dust
from ragproof.statistics.sign_flip import UNRESOLVABLE_UP_TO


@dataclass(frozen=True)
class Drop:
    """Two runs' numbers of one metric on the cases that both speak of.

    Attributes:
        before: the baseline's, oriented, NaN where it is missing.
        after: the candidate's.
        span: the ends of the metric's range, oriented; None when it is open.
        sample: the differences, after minus before.
    """

    before: FloatArray
    after: FloatArray
    span: Span
    sample: Sample


def drop_of(
    first: MetricScores,
    second: MetricScores,
    cases: Sequence[CaseFacts],
    chosen: NDArray[np.bool_],
    span: Span,
    sign: float,
) -> Drop:
    """Line two runs up on one metric.

    Args:
        first: the baseline's scores over all of `cases`.
        second: the candidate's.
        cases: those that both runs have.
        chosen: which of them are looked at, shape (cases,).
        span: the ends of the metric's range; None when it is open.
        sign: 1, or -1 for a metric where less is better.
    """
    absent = int(Standing.ABSENT)
    spoken = chosen & (first.standing != absent) & (second.standing != absent)
    a, b = (sign * each.values()[spoken] for each in (first, second))
    oriented = turned(span, sign)
    low, high = oriented or (np.nan, np.nan)
    least = np.where(np.isnan(b), low, b) - np.where(np.isnan(a), high, a)
    most = np.where(np.isnan(b), high, b) - np.where(np.isnan(a), low, a)
    values = b - a
    reasons = [two or one for one, two in zip(first.reasons, second.reasons, strict=True)]
    sample = Sample(
        cases=taken(cases, spoken),
        values=values if np.isnan(values).all() else without_dust(values),
        ends=np.column_stack([least, most]),
        span=None if span is None else (span[0] - span[1], span[1] - span[0]),
        missing=counted(reasons, spoken & (first.missing | second.missing)),
        absent=counted(reasons, chosen & ~spoken),
    )
    return Drop(a, b, oriented, sample)


def judge_drop(drop: Drop, margin: float, noise_floor: float, confidence: float) -> Outcome:
    """Judge whether the candidate is worse by more than a margin.

    Args:
        drop: at least one case.
        margin: the drop that is allowed, at least 0.
        noise_floor: a smaller drop never fails, at least 0.
        confidence: one-sided, over one half.

    Returns:
        The outcome; the threshold that its bounds are compared with is -margin.
    """
    low, high = drop.span or (None, None)
    test = drop_verdict(
        drop.before,
        drop.after,
        margin=margin,
        lowest=low,
        highest=high,
        confidence=confidence,
        noise_floor=noise_floor,
    )
    sample = drop.sample
    outcome, clusters = outcome_of(test, confidence), sample.clusters
    beyond = outcome.upper is not None and outcome.upper < -margin  # then the noise floor held it back
    if outcome.because and not beyond and test.n > 1 and test.n_nonzero <= UNRESOLVABLE_UP_TO:
        told = "no case differs" if not test.n_nonzero else f"{test.n_nonzero} of {sample.n} cases differ"
        outcome = replace(outcome, because=f"{told}, and up to {UNRESOLVABLE_UP_TO} can show nothing")
    if clusters is None:
        return outcome
    moved = np.nan_to_num(sample.values) != 0.0
    bounds = cluster_bounds(sample.values, sample.ends, clusters, span=sample.span, confidence=confidence)
    return with_groups(outcome, bounds, -margin, np.unique(clusters[moved]).size)
