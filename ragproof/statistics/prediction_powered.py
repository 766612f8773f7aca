"""PPI++: a mean from many judge values, corrected by the human labels of some of the cases.

theta = mean(lambda * judge on all unlabelled) + mean(human - lambda * judge on the labelled), with the
lambda in [0, 1] that makes the interval shortest (Angelopoulos, Duchi and Zrnic 2023, arXiv 2311.01453;
agrees with ppi-python). Valid for labels drawn at random. False friend: mean(human) - mean(judge) added to
the judge's mean, which is lambda = 1 and wider.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ragproof.statistics.distributions import normal_quantile
from ragproof.statistics.interval import Interval
from ragproof.statistics.samples import FLOAT_DUST, FloatArray, probability, sample


@dataclass(frozen=True)
class PredictionPowered:
    """The PPI++ estimate by itself, whatever the number of labels.

    Attributes:
        estimate: the corrected mean.
        standard_error: of the estimate.
        interval: by the normal quantile.
        lam: the weight of the judge, in [0, 1].
    """

    estimate: float
    standard_error: float
    interval: Interval
    lam: float


def prediction_powered_mean(
    human: ArrayLike, judge: ArrayLike, judge_unlabelled: ArrayLike, *, confidence: float = 0.95
) -> PredictionPowered:
    """Compute PPI++ for a mean, without asking whether the labels suffice.

    Args:
        human: the human's value on each labelled case, shape (n,).
        judge: the judge's on the same cases in the same order.
        judge_unlabelled: the judge's on all other cases, shape (N,).
        confidence: in (0, 1).

    Returns:
        The estimate and its interval.

    Raises:
        ValueError: when a sample is empty or not finite, or the labelled lengths differ.
    """
    y, f, rest = labelled_and_rest(human, judge, judge_unlabelled)
    n, unlabelled = y.size, rest.size
    pooled = np.concatenate([f, rest])
    spread = float(pooled.var(ddof=1)) * (1.0 + n / unlabelled)
    together = float(((y - y.mean()) * (f - f.mean())).mean())
    lam = min(1.0, max(0.0, together / spread)) if spread > FLOAT_DUST**2 else 0.0
    rectifier = y - lam * f
    estimate = lam * float(rest.mean()) + float(rectifier.mean())
    error = math.sqrt(lam**2 * float(rest.var()) / unlabelled + float(rectifier.var()) / n)
    half = normal_quantile(0.5 + probability(confidence, "confidence") / 2) * error
    return PredictionPowered(
        estimate, error, Interval(estimate - half, estimate + half, confidence, "PPI++"), lam
    )


def labelled_and_rest(
    human: ArrayLike, judge: ArrayLike, judge_unlabelled: ArrayLike
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Read a labelled and an unlabelled sample.

    Args:
        human: the human's value on each labelled case, shape (n,).
        judge: the judge's on the same cases in the same order.
        judge_unlabelled: the judge's on all other cases, shape (N,).

    Returns:
        Three float64 arrays.

    Raises:
        ValueError: when a sample is empty or not finite, or the labelled lengths differ.
    """
    y, f, rest = sample(human, "human"), sample(judge, "judge"), sample(judge_unlabelled, "judge_unlabelled")
    if y.size != f.size:
        raise ValueError(f"'judge' has {f.size} cases; expected the {y.size} of 'human'")
    return y, f, rest
