"""Sign flips of many columns over the same cases: one set of random signs for all of them.

A column in which two cases of one group are paired is flipped by group, any other by case.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

import numpy as np

from ragproof.comparing.clustering import Clusters, repeats, sums_by_cluster
from ragproof.statistics.samples import FloatArray
from ragproof.statistics.sign_flip import SignFlip, sign_flips

K = TypeVar("K", bound=Hashable)


def flips_of(columns: Mapping[K, FloatArray], clusters: Clusters, *, seed: int = 0) -> dict[K, SignFlip]:
    """Test whether the mean of each column is zero.

    Args:
        columns: one number a case, NaN where a column lacks it; each has at least one; empty tests nothing.
        clusters: the cluster of each case.
        seed: of the random signs, at least 0.

    Returns:
        A test for each column; of one that is flipped by group, `n` and `n_nonzero` count groups.
    """
    grouped = {key: column for key, column in columns.items() if repeats(clusters, ~np.isnan(column))}
    alone = {key: column for key, column in columns.items() if key not in grouped}
    flips: dict[K, SignFlip] = {}
    for chosen, summed in ((alone, False), (grouped, True)):
        if chosen:
            table = np.column_stack(list(chosen.values()))
            units = sums_by_cluster(table, clusters) if summed else table
            flips |= zip(chosen, sign_flips(units, seed=seed), strict=True)
    return flips
