"""Main effects: what a factor's levels do on average over all levels of the others.

Every pair of levels of every factor is one contrast, and all are tested together: one sign a case (or
document), step-down max-T. False friend: the mean of all runs with a level, which compares cases too when a
cell lacks some.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ragproof.comparing.scored_run import Traits
from ragproof.leaderboards.complete_cases import oriented
from ragproof.leaderboards.factorial import Design
from ragproof.leaderboards.intervals import difference_intervals, mean_intervals
from ragproof.statistics.clusters import cluster_sums
from ragproof.statistics.factor_cells import complete_blocks
from ragproof.statistics.interval import Interval
from ragproof.statistics.max_t import max_t
from ragproof.statistics.samples import FloatArray, without_dust
from ragproof.statistics.sign_flip import UNRESOLVABLE_UP_TO


@dataclass(frozen=True)
class LevelMean:
    """One level of a factor, averaged over the others.

    Attributes:
        factor: its place in the design.
        level: its place among the factor's levels.
        mean: in the metric's own unit.
        interval: of the mean.
    """

    factor: int
    level: int
    mean: float
    interval: Interval


@dataclass(frozen=True)
class LevelContrast:
    """Two levels of a factor held against each other, averaged over the others.

    Attributes:
        factor: its place in the design.
        levels: the two levels (i, k).
        difference: by how much level k is better than level i, in the metric's unit.
        interval: of the difference; not adjusted.
        p_raw: of this contrast alone, in (0, 1].
        p: adjusted over all contrasts of all factors.
        n_nonzero: cases, or documents, on which they differ.
    """

    factor: int
    levels: tuple[int, int]
    difference: float
    interval: Interval
    p_raw: float
    p: float
    n_nonzero: int

    @property
    def unresolvable(self) -> bool:
        """Whether no outcome on so few differing cases could have been told from chance."""
        return self.n_nonzero <= UNRESOLVABLE_UP_TO


def level_means(
    cells: FloatArray, design: Design, traits: Traits, clusters: Sequence[Hashable] | None, *, seed: int
) -> tuple[LevelMean, ...]:
    """Average each level of each factor over the others.

    Args:
        cells: in the metric's own unit, shape (n, levels of factor 0, ...), complete, n at least 1.
        design: which factor and level is where.
        traits: of the metric.
        clusters: the document of each case; None when cases are independent.
        seed: of the resamples.
    """
    found = []
    for factor in range(len(design.factors)):
        means = complete_blocks(cells, (factor,)).cells
        intervals = mean_intervals(means, traits, clusters, seed=seed)
        found += [
            LevelMean(factor, level, float(means[:, level].mean()), interval)
            for level, interval in enumerate(intervals)
        ]
    return tuple(found)


def level_contrasts(
    cells: FloatArray, design: Design, traits: Traits, clusters: Sequence[Hashable] | None, *, seed: int
) -> tuple[LevelContrast, ...]:
    """Test each pair of levels of each factor; arguments as of `level_means`."""
    places: list[tuple[int, tuple[int, int]]] = []
    columns: list[FloatArray] = []
    intervals: list[Interval] = []
    for factor in range(len(design.factors)):
        means = complete_blocks(cells, (factor,)).cells
        better = oriented(means, traits)
        for i, k in combinations(range(means.shape[1]), 2):
            places.append((factor, (i, k)))
            columns.append(better[:, k] - better[:, i])
            intervals += difference_intervals(means[:, i], means[:, k : k + 1], traits, clusters, seed=seed)
    table = np.column_stack(columns)
    flipped = table if clusters is None else cluster_sums(table, clusters)
    tests = max_t(flipped, seed=seed)
    nonzero = (without_dust(flipped) != 0.0).sum(axis=0)
    return tuple(
        LevelContrast(
            factor=factor,
            levels=levels,
            difference=float(table[:, at].mean()),
            interval=intervals[at],
            p_raw=tests.p_raw[at],
            p=tests.p_step_down[at],
            n_nonzero=int(nonzero[at]),
        )
        for at, (factor, levels) in enumerate(places)
    )
