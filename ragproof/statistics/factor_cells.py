"""A factor sweep as a table of complete blocks: every case in every cell, other factors averaged.

A case that lacks one cell is dropped whole and named, for half a block would compare cells on different
cases.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ragproof.statistics.samples import FloatArray


@dataclass(frozen=True)
class Blocks:
    """The complete cases of a sweep.

    Attributes:
        cells: shape (n, a) for one factor, (n, a, b) for two.
        kept: places of the cases that are in, ascending.
        dropped: places of the cases that lack a cell, ascending; empty when none does.
    """

    cells: FloatArray
    kept: tuple[int, ...]
    dropped: tuple[int, ...]


def complete_blocks(scores: ArrayLike, factors: Sequence[int]) -> Blocks:
    """Keep the cases that have every cell, and average the factors that are not asked about.

    Args:
        scores: shape (n, levels of factor 0, levels of factor 1, ...), trials averaged already; NaN or None
            where a case has no score. Oriented so that more is better.
        factors: the numbers of the one or two factors to keep, in the order wanted.

    Returns:
        The blocks; of no case when none is complete.

    Raises:
        ValueError: when a number names no factor, stands twice, or there are not one or two.
    """
    table = np.asarray(scores, dtype=np.float64)
    known = table.ndim - 1
    fine = len(factors) in (1, 2) and len(set(factors)) == len(factors)
    if not fine or any(not 0 <= factor < known for factor in factors):
        raise ValueError(
            f"'factors' is {tuple(factors)}; expected one or two different ones from 0 to {known - 1}"
        )
    whole = ~np.isnan(table).reshape(len(table), -1).any(axis=1)
    others = tuple(axis + 1 for axis in range(known) if axis not in factors)
    averaged = table[whole].mean(axis=others) if others else table[whole]
    if len(factors) == 2 and factors[0] > factors[1]:
        averaged = averaged.transpose(0, 2, 1)
    return Blocks(
        cells=averaged,
        kept=tuple(int(index) for index in np.flatnonzero(whole)),
        dropped=tuple(int(index) for index in np.flatnonzero(~whole)),
    )
