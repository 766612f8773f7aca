"""The default interval: a symmetric studentised bootstrap, clipped to the metric's range.

mean -+ q * s/sqrt(n), where q is the confidence quantile of |resampled mean - mean| / its own standard error
(Efron and Tibshirani 1993, chapter 12; the symmetric form of Hall 1988). False friend: the percentile
bootstrap, which is too short on small samples.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ragproof.statistics.bootstrap import Resampled, resample
from ragproof.statistics.interval import Flag, Interval
from ragproof.statistics.samples import FloatArray, all_equal, columns, ends, probability, sample
from ragproof.statistics.streams import BATCH, DRAWS
from ragproof.statistics.student import clipped, paired_t


def studentised_interval(
    d: ArrayLike,
    *,
    lowest: float | None = None,
    highest: float | None = None,
    confidence: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
    batch: int = BATCH,
) -> Interval:
    """Return the studentised bootstrap interval of a mean.

    Args:
        d: differences, or the values of one run, one a case, shape (n,); empty is refused.
        lowest: the smallest value possible; None when there is none. For a metric in [0, 1] a difference
            has -1 and 1.
        highest: the largest.
        confidence: in (0, 1).
        draws: resamples, at least 1.
        seed: of the resamples, at least 0.
        batch: resamples held at a time; changes memory and speed, no result.

    Returns:
        An interval; flagged, and never of zero width, when nothing varies; flagged Student's t when so few
        values differ that more than 1 - confidence of the resamples have no spread.

    Raises:
        ValueError: when `d` is empty or not finite, or the confidence or the range is none.
    """
    return studentised_intervals(
        sample(d)[:, None],
        lowest=lowest,
        highest=highest,
        confidence=confidence,
        draws=draws,
        seed=seed,
        batch=batch,
    )[0]


def studentised_intervals(
    d: ArrayLike,
    *,
    lowest: float | None = None,
    highest: float | None = None,
    confidence: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
    batch: int = BATCH,
) -> tuple[Interval, ...]:
    """Return `studentised_interval` for many contrasts of the same cases, resampled together.

    Args:
        d: shape (n, m), a contrast a column; NaN is a case that the contrast does not have.
        lowest: the smallest value possible in every column; None when there is none.
        highest: the largest.
        confidence: in (0, 1).
        draws: resamples, at least 1.
        seed: of the resamples, at least 0.
        batch: resamples held at a time; changes memory and speed, no result.

    Returns:
        One interval a column, in order.

    Raises:
        ValueError: when a column holds no number, a number is infinite, or confidence or range is none.
    """
    table, span = columns(d, "d"), ends(lowest, highest)
    confidence = probability(confidence, "confidence")
    replicates = resample(table, draws=draws, seed=seed, batch=batch, with_errors=True)
    return studentised_of(table, replicates, (span,) * table.shape[1], confidence)


def studentised_of(
    table: FloatArray,
    replicates: Resampled,
    spans: Sequence[tuple[float, float] | None],
    confidence: float,
) -> tuple[Interval, ...]:
    """Return the studentised intervals of a table that has been resampled.

    Args:
        table: shape (n, m), NaN where a contrast lacks a case.
        replicates: its resamples, with standard errors.
        spans: the ends of the range of each column; None where it is open.
        confidence: in (0, 1).

    Returns:
        One interval a column, in order.
    """
    assert replicates.standard_error is not None
    ratios = _ratios(replicates.shift, replicates.standard_error)
    draws = len(ratios)
    rank = min(draws, math.ceil((draws + 1) * confidence)) - 1
    quantiles = np.partition(ratios, rank, axis=0)[rank]
    return tuple(
        _interval(column[~np.isnan(column)], float(quantile), span, confidence)
        for column, quantile, span in zip(table.T, quantiles, spans, strict=True)
    )


def _ratios(shift: FloatArray, errors: FloatArray) -> FloatArray:
    with np.errstate(invalid="ignore", divide="ignore"):
        ratios = np.abs(shift) / errors
    # A resample that missed every case of a column, or all that vary, says the mean could be anywhere.
    return np.where(np.isnan(ratios), np.inf, ratios)


def _interval(
    values: FloatArray, quantile: float, span: tuple[float, float] | None, confidence: float
) -> Interval:
    lowest, highest = span if span is not None else (None, None)
    if all_equal(values):
        return paired_t(values, confidence=confidence, lowest=lowest, highest=highest).interval
    if not math.isfinite(quantile):
        plain = paired_t(values, confidence=confidence, lowest=lowest, highest=highest).interval
        return Interval(plain.low, plain.high, confidence, plain.method, Flag.SPARSE)
    half = quantile * float(values.std(ddof=1)) / math.sqrt(values.size)
    mean = float(values.mean())
    low, high = clipped(mean - half, mean + half, span)
    return Interval(low, high, confidence, "studentised bootstrap")
