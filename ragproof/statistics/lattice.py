"""The exact sign-flip distribution of differences that are all multiples of one unit, by convolution.

A difference of u units contributes +u or -u with probability one half, so the sum is a random walk on a
lattice and its distribution is a product of two-point distributions. Grades 0, 0.5 and 1, precision@5 and
every binary metric are such lattices: their p needs no random draw at any n.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ragproof.statistics.samples import TIE_TOLERANCE, FloatArray

LARGEST_DENOMINATOR = 1_000
MOST_DISTINCT = 2_000
_TRIED_AT_ONCE = 50
MOST_STEPS = 100_000_000
"""Additions that a convolution may take, some 150 ms; a longer one is left to Monte Carlo."""


def denominator(d: FloatArray) -> int | None:
    """Find the smallest q for which every number is a whole multiple of 1/q.

    Args:
        d: finite numbers, shape (k,); zeros fit every q.

    Returns:
        q from 1 to 1,000; None when there is no such q.
    """
    sizes = np.unique(np.abs(d))
    if sizes.size > MOST_DISTINCT:
        return None
    for first in range(1, LARGEST_DENOMINATOR, _TRIED_AT_ONCE):
        tried = np.arange(first, first + _TRIED_AT_ONCE, dtype=np.float64)
        scaled = tried[:, None] * sizes
        whole = np.rint(scaled)
        fits = (np.abs(scaled - whole) <= TIE_TOLERANCE * whole).all(axis=1)
        if fits.any():
            return int(tried[np.argmax(fits)])
    return None


def units(d: FloatArray) -> NDArray[np.int64] | None:
    """Express non-zero differences as whole multiples of 1/q, for the smallest such q.

    Args:
        d: non-zero differences, shape (k,).

    Returns:
        Whole numbers, none of them 0; None when there is no q up to 1,000 or the convolution would be too
        long.
    """
    q = denominator(d)
    if q is None:
        return None
    multiples = np.rint(d * q)
    short = np.abs(multiples).sum() * d.size <= 2 * MOST_STEPS
    return multiples.astype(np.int64) if short else None


def tail(multiples: NDArray[np.int64]) -> tuple[float, float]:
    """Return the two-sided tail of the sum of randomly signed whole numbers.

    Args:
        multiples: non-zero whole numbers, shape (k,).

    Returns:
        P(|T| >= |t|) and P(|T| = |t|), both in [0, 1].
    """
    sizes = np.sort(np.abs(multiples))
    total = int(sizes.sum())
    # T = 2 W - total, where W is the sum of the sizes that drew a plus: half as many points to carry.
    chance = np.zeros(total + 1)
    chance[0] = 1.0
    reach = 0
    for size in sizes.tolist():
        moved = chance[: reach + 1] * 0.5
        chance[: reach + 1] = moved
        chance[size : size + reach + 1] += moved
        reach += size
    sums = np.abs(2 * np.arange(total + 1) - total)
    observed = abs(int(multiples.sum()))
    return min(1.0, float(chance[sums >= observed].sum())), float(chance[sums == observed].sum())
