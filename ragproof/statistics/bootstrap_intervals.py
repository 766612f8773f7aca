"""The studentised and the BCa interval of many means from the same resamples, for the cost of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from numpy.typing import ArrayLike

from ragproof.statistics.bca import Bootstrap, bca_of
from ragproof.statistics.bootstrap import resample
from ragproof.statistics.interval import Interval
from ragproof.statistics.samples import columns, ends, probability
from ragproof.statistics.streams import BATCH, DRAWS
from ragproof.statistics.studentised import studentised_of


@dataclass(frozen=True)
class BootstrapIntervals:
    """Both intervals of one mean.

    Attributes:
        studentised: the one that decides.
        bootstrap: BCa, shown beside it where it can be trusted, and percentile.
    """

    studentised: Interval
    bootstrap: Bootstrap


def bootstrap_intervals(
    d: ArrayLike,
    ranges: Sequence[tuple[float, float] | None],
    *,
    confidence: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
    batch: int = BATCH,
) -> tuple[BootstrapIntervals, ...]:
    """Return what `studentised_intervals` and `bca_intervals` return, for one set of resamples.

    Args:
        d: shape (n, m), a contrast (or metric) a column; NaN is a case that it does not have.
        ranges: the smallest and largest value possible in each column; None where there is none.
        confidence: in (0, 1).
        draws: resamples, at least 1.
        seed: of the resamples, at least 0.
        batch: resamples held at a time; changes memory and speed, no result.

    Returns:
        One result a column, in order.

    Raises:
        ValueError: when a column holds no number, a number is infinite, the ranges are not one a column, or
            confidence or a range is none.
    """
    table, confidence = columns(d, "d"), probability(confidence, "confidence")
    if len(ranges) != table.shape[1]:
        raise ValueError(f"'ranges' has {len(ranges)} entries; expected one a column, {table.shape[1]}")
    spans = [None if span is None else ends(*span) for span in ranges]
    replicates = resample(table, draws=draws, seed=seed, batch=batch, with_errors=True)
    return tuple(
        BootstrapIntervals(studentised, bootstrap)
        for studentised, bootstrap in zip(
            studentised_of(table, replicates, spans, confidence),
            bca_of(table, lambda rest: replicates.shift[:, rest], confidence),
            strict=True,
        )
    )
