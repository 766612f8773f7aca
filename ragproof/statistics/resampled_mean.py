"""The bootstrap distribution of one mean: exact for data on a lattice, drawn otherwise.

The sum of n draws with replacement has the n-fold convolution of the data's own distribution. On a lattice
that is a power of one Fourier transform: the result of infinitely many resamples, for less than ten thousand
cost.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ragproof.statistics import lattice
from ragproof.statistics.samples import TIE_TOLERANCE, FloatArray

MOST_POINTS = 2**20


@dataclass(frozen=True)
class ResampledMean:
    """A distribution of resampled means.

    Attributes:
        points: ascending, shape (k,); on a lattice free of rounding, so that a mean of 0 is 0.
        cumulative: P(mean <= point), ascending to 1.
        exact: whether it stands for infinitely many resamples.
    """

    points: FloatArray
    cumulative: FloatArray
    exact: bool

    def quantile(self, p: float) -> float:
        """Return the smallest point whose cumulative probability reaches p, in [0, 1]."""
        index = int(np.searchsorted(self.cumulative, p - TIE_TOLERANCE, side="left"))
        return float(self.points[min(index, self.points.size - 1)])

    def below(self, mean: float, slack: float) -> float:
        """Return P(resampled mean < mean), those within the slack of it weighing one half."""
        under = int(np.searchsorted(self.points, mean - slack, side="left"))
        up_to = int(np.searchsorted(self.points, mean + slack, side="right"))
        chances = np.concatenate([[0.0], self.cumulative])
        return float(chances[under] + chances[up_to]) / 2.0


def exact_resampled_mean(values: FloatArray) -> ResampledMean | None:
    """Return the exact bootstrap distribution of a mean.

    Args:
        values: one number a case, shape (n,).

    Returns:
        The distribution; None when the values lie on no lattice, or on one too fine.
    """
    q = lattice.denominator(values)
    if q is None:
        return None
    multiples = np.rint(values * q).astype(np.int64)
    first, n = int(multiples.min()), values.size
    points = n * (int(multiples.max()) - first) + 1
    if points > MOST_POINTS:
        return None
    weights = np.bincount(multiples - first) / n
    length = 1 << (points - 1).bit_length()
    chance = np.fft.irfft(np.fft.rfft(weights, length) ** n, length)[:points].clip(0.0)
    sums = np.arange(points) + n * first
    return ResampledMean(sums / (q * n), np.cumsum(chance) / chance.sum(), True)


def drawn_resampled_mean(mean: float, shifts: FloatArray) -> ResampledMean:
    """Return the distribution of drawn means.

    Args:
        mean: the observed one.
        shifts: resampled means minus the observed one, shape (draws,); NaN is a resample without a case.

    Returns:
        The distribution.
    """
    points = mean + np.sort(shifts[~np.isnan(shifts)])
    return ResampledMean(points, np.arange(1, points.size + 1) / points.size, False)
