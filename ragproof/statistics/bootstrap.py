"""Bootstrap means of many contrasts at once: resample counts times the table is one matrix product a batch.

The cases of a row are drawn together, so every contrast sees the same resamples, as it sees the same cases. A
contrast that lacks cases keeps, in each resample, those that it has.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ragproof.statistics.samples import FloatArray
from ragproof.statistics.streams import checked_draws, resample_counts


@dataclass(frozen=True)
class Resampled:
    """Bootstrap replicates of the columns of a table.

    Attributes:
        shift: resampled mean minus the observed mean, shape (draws, m); NaN where a draw missed the column.
        standard_error: of each resampled mean, same shape; 0 where a resample has no spread; absent when it
            was not asked for.
    """

    shift: FloatArray
    standard_error: FloatArray | None


def resample(table: FloatArray, *, draws: int, seed: int, batch: int, with_errors: bool) -> Resampled:
    """Resample the cases of a table.

    Args:
        table: shape (n, m), NaN where a contrast lacks a case.
        draws: resamples, at least 1.
        seed: of the draws, at least 0.
        batch: resamples held at a time; changes memory and speed, no result.
        with_errors: whether the standard error of every resampled mean is needed too.

    Returns:
        The replicates.

    Raises:
        ValueError: when draws, seed or batch mean nothing.
    """
    checked_draws(draws, seed, batch)
    n, m = table.shape
    present = ~np.isnan(table)
    centred = np.where(present, table - np.nanmean(table, axis=0), 0.0)
    whole = bool(present.all())
    stacked = np.hstack([centred, centred**2] if with_errors else [centred])
    held = present.astype(np.float64)
    shift = np.empty((draws, m))
    errors = np.empty((draws, m)) if with_errors else None
    row = 0
    for counts in resample_counts(n, draws=draws, seed=seed, batch=batch):
        rows = slice(row, row + len(counts))
        sizes = np.full((len(counts), m), float(n)) if whole else counts @ held
        row = rows.stop
        with np.errstate(invalid="ignore", divide="ignore"):
            moments = counts @ stacked
            shift[rows] = moments[:, :m] / sizes
            if errors is not None:
                spread = moments[:, m:] / sizes - shift[rows] ** 2
                errors[rows] = np.sqrt(_without_rounding(spread, centred, sizes) / (sizes - 1.0))
    return Resampled(shift, errors)


def _without_rounding(spread: FloatArray, centred: FloatArray, sizes: FloatArray) -> FloatArray:
    """A resample of equal values leaves a spread of a few units in the last place, not zero."""
    scale = (centred**2).max(axis=0)
    return np.where((spread > 1e-12 * scale) & (sizes > 1.0), spread, 0.0)
