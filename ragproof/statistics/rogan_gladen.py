"""A prevalence corrected by a judge's sensitivity and specificity: Rogan and Gladen 1978.

theta = (raw + spec - 1) / (sens + spec - 1). Two intervals: the delta method, and Lang and Reiczigel 2014
(doi:10.1016/j.prevetmed.2013.09.015), which adds pseudo-counts and a shift and keeps its level; show that
one. Needs only the counts of a calibration set, not the labelled cases themselves. False friend: the raw
rate.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ragproof.statistics.distributions import normal_quantile
from ragproof.statistics.interval import Flag, Interval
from ragproof.statistics.samples import probability


@dataclass(frozen=True)
class Prevalence:
    """A corrected share of positives.

    Attributes:
        raw: the judge's share of positives, in [0, 1].
        sensitivity: share of the human positives that the judge finds, in [0, 1].
        specificity: share of the human negatives that the judge leaves alone, in [0, 1].
        estimate: the corrected share, cut to [0, 1]; None when the judge is no better than chance.
        standard_error: by the delta method; None together with the estimate.
        delta_interval: by the delta method, cut to [0, 1].
        lang_reiczigel_interval: the one to show, cut to [0, 1].
    """

    raw: float
    sensitivity: float
    specificity: float
    estimate: float | None
    standard_error: float | None
    delta_interval: Interval
    lang_reiczigel_interval: Interval


def rogan_gladen(
    judge_positives: int,
    n: int,
    *,
    true_positives: int,
    human_positives: int,
    true_negatives: int,
    human_negatives: int,
    confidence: float = 0.95,
) -> Prevalence:
    """Correct a judge's share of positives.

    Args:
        judge_positives: cases that the judge calls positive, from 0 to n.
        n: cases judged, at least 1.
        true_positives: calibration cases that both call positive.
        human_positives: calibration cases that the human calls positive, at least 1.
        true_negatives: calibration cases that both call negative.
        human_negatives: calibration cases that the human calls negative, at least 1.
        confidence: in (0, 1).

    Returns:
        The corrected share; without estimate, and flagged, when sensitivity + specificity is not over 1.

    Raises:
        ValueError: when a count is negative, more than its total, or a total is 0.
    """
    for part, whole, name in (
        (judge_positives, n, "judge_positives"),
        (true_positives, human_positives, "true_positives"),
        (true_negatives, human_negatives, "true_negatives"),
    ):
        if whole < 1 or not 0 <= part <= whole:
            raise ValueError(
                f"'{name}' is {part} of {whole}; expected a count from 0 to a total of at least 1"
            )
    z = normal_quantile(0.5 + probability(confidence, "confidence") / 2)
    raw = judge_positives / n
    sensitivity, specificity = true_positives / human_positives, true_negatives / human_negatives
    if sensitivity + specificity <= 1.0:
        absent = Interval(None, None, confidence, "none", Flag.NO_BETTER_THAN_CHANCE)
        return Prevalence(raw, sensitivity, specificity, None, None, absent, absent)
    theta = _theta(raw, sensitivity, specificity)
    error = _error(theta, raw, n, sensitivity, human_positives, specificity, human_negatives)
    low, high = _lang_reiczigel(
        (n * raw + z * z / 2) / (n + z * z),
        n + z * z,
        (true_positives + 1) / (human_positives + 2),
        human_positives + 2,
        (true_negatives + 1) / (human_negatives + 2),
        human_negatives + 2,
        z,
    )
    return Prevalence(
        raw=raw,
        sensitivity=sensitivity,
        specificity=specificity,
        estimate=_cut(theta),
        standard_error=error,
        delta_interval=Interval(_cut(theta - z * error), _cut(theta + z * error), confidence, "delta"),
        lang_reiczigel_interval=Interval(_cut(low), _cut(high), confidence, "Lang-Reiczigel"),
    )


def _theta(raw: float, sensitivity: float, specificity: float) -> float:
    return (raw + specificity - 1.0) / (sensitivity + specificity - 1.0)


def _error(
    theta: float, raw: float, n: float, sens: float, n_sens: float, spec: float, n_spec: float
) -> float:
    variance = (
        raw * (1.0 - raw) / n
        + theta**2 * sens * (1.0 - sens) / n_sens
        + (1.0 - theta) ** 2 * spec * (1.0 - spec) / n_spec
    )
    return math.sqrt(variance) / (sens + spec - 1.0)


def _lang_reiczigel(
    raw: float, n: float, sens: float, n_sens: float, spec: float, n_spec: float, z: float
) -> tuple[float, float]:
    theta = _theta(raw, sens, spec)
    shift = (
        2.0 * z * z * (theta * sens * (1.0 - sens) / n_sens - (1.0 - theta) * spec * (1.0 - spec) / n_spec)
    )
    half = z * _error(theta, raw, n, sens, n_sens, spec, n_spec)
    return theta + shift - half, theta + shift + half


def _cut(share: float) -> float:
    return min(1.0, max(0.0, share))
