"""Several questions on one document: the document is the unit, for its questions succeed and fail together.

Sign flip of whole documents; CR1 cluster-robust standard error of the mean over cases with Student's t on G
- 1 (statsmodels OLS, cov_type="cluster"; CR0 is the formula of Miller 2024, arXiv 2411.00640); a bootstrap
of documents from 40 on. False friend: any test over cases, which errs in 21.7 % at 10 documents of 5
questions.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ragproof.statistics.distributions import t_quantile, t_upper_tail
from ragproof.statistics.interval import Flag, Interval, equal_values_interval
from ragproof.statistics.samples import TIE_TOLERANCE, FloatArray, all_equal, ends, probability, sample
from ragproof.statistics.sign_flip import SignFlip, sign_flip
from ragproof.statistics.streams import BATCH, DRAWS, resample_counts
from ragproof.statistics.student import clipped
from ragproof.statistics.variance_components import Components, components

FEW_DOCUMENTS = 6
BOOTSTRAP_FROM = 40


@dataclass(frozen=True)
class Clustered:
    """A mean over cases that come in documents.

    Attributes:
        mean: over the cases, so a document weighs by its questions.
        standard_error: CR1; None when the documents do not vary, or there is one.
        standard_error_cr0: without the factor G/(G-1), as Miller writes it; None together with CR1.
        standard_error_naive: as if cases were independent; None for one case or equal ones.
        t: the statistic of CR1; None together with `standard_error`.
        df: G - 1.
        p: two-sided, by Student's t; None together with `t`.
        interval: by Student's t; flagged under 6 documents.
        design_effect: how much the documents inflate the variance, CR1 against naive; None without both.
        n: cases.
        n_clusters: documents G.
    """

    mean: float
    standard_error: float | None
    standard_error_cr0: float | None
    standard_error_naive: float | None
    t: float | None
    df: int
    p: float | None
    interval: Interval
    design_effect: float | None
    n: int
    n_clusters: int


def cluster_sums(d: ArrayLike, clusters: Sequence[Hashable]) -> FloatArray:
    """Add the cases of each document.

    Args:
        d: shape (n,) or (n, m).
        clusters: the document of each case, length n.

    Returns:
        Shape (G,) or (G, m), documents in order of first appearance.

    Raises:
        ValueError: when the lengths differ.
    """
    values = np.asarray(d, dtype=np.float64)
    places = _places(clusters, len(values))
    sums = np.zeros((int(places.max()) + 1, *values.shape[1:]))
    np.add.at(sums, places, values)
    return sums


def cluster_sign_flip(
    d: ArrayLike, clusters: Sequence[Hashable], *, draws: int = DRAWS, seed: int = 0, batch: int = BATCH
) -> SignFlip:
    """Test whether the mean is zero by flipping whole documents.

    Args:
        d: B minus A, one number a case, shape (n,).
        clusters: the document of each case, length n.
        draws: random sign assignments when p is not exact, at least 1.
        seed: of the random signs, at least 0.
        batch: draws held at a time; changes memory and speed, no result.

    Returns:
        The test on document sums: `n` and `n_nonzero` count documents, `mean` is the mean document sum.

    Raises:
        ValueError: when `d` is empty or not finite, or the lengths differ.
    """
    return sign_flip(cluster_sums(sample(d), clusters), draws=draws, seed=seed, batch=batch)


def cluster_interval(
    d: ArrayLike,
    clusters: Sequence[Hashable],
    *,
    confidence: float = 0.95,
    lowest: float | None = None,
    highest: float | None = None,
) -> Clustered:
    """Return the mean over cases with its cluster-robust (CR1) interval.

    Args:
        d: B minus A, one number a case, shape (n,).
        clusters: the document of each case, length n.
        confidence: in (0, 1).
        lowest: the smallest difference possible; None when there is none.
        highest: the largest.

    Returns:
        The mean and its spread; the interval is flagged under 6 documents, and never of zero width.

    Raises:
        ValueError: when `d` is empty or not finite, the lengths differ, or confidence or range is none.
    """
    values, span = sample(d), ends(lowest, highest)
    confidence = probability(confidence, "confidence")
    n, mean = values.size, float(values.mean())
    away = cluster_sums(values - mean, clusters)
    groups = away.size
    naive = None if all_equal(values) else float(values.std(ddof=1)) / math.sqrt(n)
    flag = Flag.FEW_DOCUMENTS if groups < FEW_DOCUMENTS else None
    total = math.sqrt(float((away**2).sum()))
    if groups == 1 or naive is None or total <= TIE_TOLERANCE * naive * n:
        held = equal_values_interval(
            mean, groups, ends=span, confidence=confidence, flag=flag or Flag.ALL_EQUAL
        )
        return Clustered(mean, None, None, naive, None, groups - 1, None, held, None, n, groups)
    cr0 = total / n
    error = cr0 * math.sqrt(groups / (groups - 1))
    half = t_quantile(0.5 + confidence / 2, groups - 1) * error
    low, high = clipped(mean - half, mean + half, span)
    return Clustered(
        mean=mean,
        standard_error=error,
        standard_error_cr0=cr0,
        standard_error_naive=naive,
        t=mean / error,
        df=groups - 1,
        p=2.0 * t_upper_tail(abs(mean / error), groups - 1),
        interval=Interval(low, high, confidence, "CR1", flag),
        design_effect=(error / naive) ** 2,
        n=n,
        n_clusters=groups,
    )


def cluster_bootstrap_interval(
    d: ArrayLike,
    clusters: Sequence[Hashable],
    *,
    confidence: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
    batch: int = BATCH,
) -> Interval:
    """Return the percentile interval of the mean over cases, documents drawn with replacement.

    Args:
        d: B minus A, one number a case, shape (n,).
        clusters: the document of each case, length n.
        confidence: in (0, 1).
        draws: resamples, at least 1.
        seed: of the resamples, at least 0.
        batch: resamples held at a time; changes memory and speed, no result.

    Returns:
        An interval; absent and flagged under 40 documents, where it is too short, and when they do not vary.

    Raises:
        ValueError: when `d` is empty or not finite, the lengths differ, or the confidence is none.
    """
    values, confidence = sample(d), probability(confidence, "confidence")
    sums = cluster_sums(values, clusters)
    sizes = cluster_sums(np.ones_like(values), clusters)
    if sums.size < BOOTSTRAP_FROM:
        return Interval(None, None, confidence, "none", Flag.FEW_FOR_DOCUMENT_BOOTSTRAP)
    if all_equal(sums / sizes):
        return Interval(None, None, confidence, "none", Flag.ALL_EQUAL)
    both = np.column_stack([sums, sizes])
    drawn = [counts @ both for counts in resample_counts(sums.size, draws=draws, seed=seed, batch=batch)]
    totals = np.concatenate(drawn)
    tail = (1.0 - confidence) / 2
    low, high = np.quantile(totals[:, 0] / totals[:, 1], [tail, 1.0 - tail])
    return Interval(float(low), float(high), confidence, "document bootstrap")


def cluster_components(d: ArrayLike, clusters: Sequence[Hashable]) -> Components:
    """Split the variance of a sample into documents (between) and questions (within).

    Args:
        d: one number a case, shape (n,).
        clusters: the document of each case, length n.

    Returns:
        The components; their intraclass correlation is what `design_effect` takes.

    Raises:
        ValueError: when `d` is empty or not finite, or the lengths differ.
    """
    values = sample(d)
    places = _places(clusters, values.size)
    order = np.argsort(places, kind="stable")
    starts = np.flatnonzero(np.diff(places[order])) + 1
    return components(np.split(values[order], starts))


def _places(clusters: Sequence[Hashable], n: int) -> NDArray[np.int64]:
    if len(clusters) != n:
        raise ValueError(f"'clusters' has {len(clusters)} entries; expected one a case, {n}")
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(cluster, len(numbers)) for cluster in clusters], dtype=np.int64)
