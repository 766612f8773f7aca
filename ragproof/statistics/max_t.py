"""Many contrasts of the same cases, the family-wise error held: joint sign flip with step-down max-T.

One sign a case flips every contrast at once, so their dependence is kept. Statistic: |mean| / sqrt(mean
square), which a flip leaves comparable between contrasts; step-down as in Westfall and Young 1993, algorithm
4.1. False friends: scipy's `tukey_hsd` and `dunnett`, which treat the runs as unpaired.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from ragproof.statistics.flips import Flips
from ragproof.statistics.samples import TIE_TOLERANCE, FloatArray, columns, without_dust
from ragproof.statistics.streams import BATCH, DRAWS


@dataclass(frozen=True)
class MaxT:
    """Adjusted tests of many contrasts.

    Attributes:
        p_raw: of each contrast alone, in (0, 1].
        p_single_step: against the largest of all contrasts; for showing how much step-down gains.
        p_step_down: against the largest of those not more extreme; the one to report.
        statistic: |mean| / sqrt(mean square) of each contrast, in [0, 1]; 0 where every difference is zero.
        exact: whether every sign assignment was listed.
        assignments: sign assignments behind the p.
        n: cases.
    """

    p_raw: tuple[float, ...]
    p_single_step: tuple[float, ...]
    p_step_down: tuple[float, ...]
    statistic: tuple[float, ...]
    exact: bool
    assignments: int
    n: int


def max_t(d: ArrayLike, *, draws: int = DRAWS, seed: int = 0, batch: int = BATCH) -> MaxT:
    """Test many contrasts of the same cases together.

    Args:
        d: shape (n, m), a contrast a column; NaN is a case that the contrast does not have. For clustered
            cases pass `cluster_sums(d, clusters)`.
        draws: random sign assignments when there are over 16 cases that differ, at least 1.
        seed: of the random signs, at least 0.
        batch: draws held at a time; changes memory and speed, no result.

    Returns:
        Raw, single-step and step-down p, in the columns' order.

    Raises:
        ValueError: when a column holds no number, or a number is infinite.
    """
    read = columns(d, "d")
    table = np.nan_to_num(without_dust(read))
    norm = np.sqrt((table**2).sum(axis=0))
    scale = np.where(norm > 0.0, norm, 1.0)
    flips = Flips(table, draws, seed, batch)
    observed = np.abs(table.sum(axis=0)) / scale
    order = np.argsort(-observed, kind="stable")
    raw, single, step = (np.zeros(observed.size) for _ in range(3))
    least = observed - TIE_TOLERANCE
    for sums in flips.sums():
        size = np.abs(sums) / scale
        raw += (size >= least).sum(axis=0)
        descending = np.maximum.accumulate(size[:, order[::-1]], axis=1)[:, ::-1]
        step += (descending >= least[order]).sum(axis=0)
        single += (descending[:, :1] >= least).sum(axis=0)
    stepped = np.empty(observed.size)
    stepped[order] = np.maximum.accumulate([flips.p(count) for count in step])
    cases = (~np.isnan(read)).sum(axis=0)
    return MaxT(
        p_raw=tuple(flips.p(float(count)) for count in raw),
        p_single_step=tuple(flips.p(float(count)) for count in single),
        p_step_down=tuple(float(p) for p in stepped),
        statistic=tuple(float(value) for value in observed / np.sqrt(cases)),
        exact=flips.exact,
        assignments=flips.total,
        n=len(table),
    )


def all_pairs(scores: ArrayLike) -> tuple[tuple[tuple[int, int], ...], FloatArray]:
    """Form every contrast of two variants.

    Args:
        scores: shape (n, k), a variant a column; NaN is a case without a score.

    Returns:
        The column numbers (i, j) of each pair, i < j, and the table of j minus i, shape (n, k(k-1)/2); a case
        that either variant lacks is NaN.

    Raises:
        ValueError: when there are under two variants, or one has no score at all.
    """
    table = columns(scores, "scores")
    if table.shape[1] < 2:
        raise ValueError(f"'scores' has {table.shape[1]} variant; expected at least 2 columns")
    pairs = tuple(combinations(range(table.shape[1]), 2))
    first, second = zip(*pairs, strict=True)
    return pairs, table[:, list(second)] - table[:, list(first)]
