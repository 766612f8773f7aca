"""The judged side of some queries: the ideal order of their gains, and how many documents are relevant."""

from __future__ import annotations

import numpy as np

from ragproof.ranking.evaluation import Options
from ragproof.ranking.matrix import Integers, Judged
from ragproof.ranking.padding import smallest, squares


def judged(gains: Integers, lengths: Integers, options: Options) -> Judged:
    """Sort and count the gains of some queries.

    Args:
        gains: every query's judged gains, one query after the other, in any order.
        lengths: how many of them each query has, at least 1.
        options: how deep the ideal order is needed, and at which levels documents are counted.
    """
    starts = np.cumsum(lengths) - lengths
    relevant = {level: np.add.reduceat((gains >= level).astype(np.int64), starts) for level in options.levels}
    longest = int(lengths.max())
    width = longest if options.depth is None else min(options.depth, longest)
    ideal = np.zeros((len(lengths), width), dtype=np.int64)
    for rows, negated in squares(-gains, lengths, 0):
        best = smallest(negated, width)
        ideal[rows, : best.shape[1]] = -best
    return Judged(ideal, relevant)
