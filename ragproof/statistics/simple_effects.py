"""After an interaction: which 2x2 corner carries it, and what a factor gains at each level of the other.

A difference in differences of levels (i, k) of A and (j, l) of B is (Y_kl - Y_kj) - (Y_il - Y_ij), case by
case. All of them are tested together by step-down max-T. A simple effect is a paired difference inside one
level of the other factor: "the gain of the reranker, given retriever r".
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from ragproof.statistics.clusters import cluster_interval, cluster_sums
from ragproof.statistics.interaction import two_factor_cells
from ragproof.statistics.interval import Interval
from ragproof.statistics.max_t import max_t
from ragproof.statistics.samples import FloatArray
from ragproof.statistics.streams import BATCH, DRAWS
from ragproof.statistics.student import paired_t
from ragproof.statistics.studentised import studentised_intervals


@dataclass(frozen=True)
class DifferenceInDifferences:
    """One 2x2 corner of an interaction.

    Attributes:
        levels_a: the two levels (i, k) of the first factor.
        levels_b: the two levels (j, l) of the second.
        mean: of (Y_kl - Y_kj) - (Y_il - Y_ij), in the metric's unit.
        p_raw: of this corner alone, in (0, 1].
        p: adjusted over all corners by step-down max-T, in (0, 1].
        interval: Student's t, CR1 for clustered cases; not adjusted.
    """

    levels_a: tuple[int, int]
    levels_b: tuple[int, int]
    mean: float
    p_raw: float
    p: float
    interval: Interval


@dataclass(frozen=True)
class SimpleEffect:
    """What changing one factor does while the other stays.

    Attributes:
        given: the level of the other factor.
        levels: the two levels (i, k) compared.
        mean: of level k minus level i, in the metric's unit.
        interval: studentised bootstrap, CR1 for clustered cases; not adjusted.
    """

    given: int
    levels: tuple[int, int]
    mean: float
    interval: Interval


def corner_contrasts(
    cells: ArrayLike,
) -> tuple[tuple[tuple[tuple[int, int], tuple[int, int]], ...], FloatArray]:
    """Form every 2x2 difference in differences, case by case.

    Args:
        cells: shape (n, a, b), every case in every cell.

    Returns:
        The levels ((i, k), (j, l)) of each corner, and their table, shape (n, corners).

    Raises:
        ValueError: when the shape is another or a number is not finite.
    """
    table = two_factor_cells(cells)
    _, a, b = table.shape
    corners = tuple(
        (rows, columns) for rows in combinations(range(a), 2) for columns in combinations(range(b), 2)
    )
    contrasts = [
        (table[:, k, right] - table[:, k, left]) - (table[:, i, right] - table[:, i, left])
        for (i, k), (left, right) in corners
    ]
    return corners, np.column_stack(contrasts)


def differences_in_differences(
    cells: ArrayLike,
    *,
    clusters: Sequence[Hashable] | None = None,
    confidence: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
    batch: int = BATCH,
) -> tuple[DifferenceInDifferences, ...]:
    """Test every 2x2 corner of an interaction together.

    Args:
        cells: shape (n, a, b), every case in every cell.
        clusters: the document of each case, length n; None when cases are independent.
        confidence: of the intervals, in (0, 1).
        draws: random sign assignments, at least 1.
        seed: of the random signs, at least 0.
        batch: draws held at a time; changes memory and speed, no result.

    Returns:
        One result a corner, a(a-1)/2 times b(b-1)/2 of them.

    Raises:
        ValueError: when the shape is another or a number is not finite.
    """
    corners, table = corner_contrasts(cells)
    flipped = table if clusters is None else cluster_sums(table, clusters)
    tests = max_t(flipped, draws=draws, seed=seed, batch=batch)
    return tuple(
        DifferenceInDifferences(
            levels_a=rows,
            levels_b=columns,
            mean=float(table[:, index].mean()),
            p_raw=tests.p_raw[index],
            p=tests.p_step_down[index],
            interval=_plain_interval(table[:, index], clusters, confidence),
        )
        for index, (rows, columns) in enumerate(corners)
    )


def simple_effects(
    cells: ArrayLike,
    *,
    of: int,
    clusters: Sequence[Hashable] | None = None,
    lowest: float | None = None,
    highest: float | None = None,
    confidence: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
    batch: int = BATCH,
) -> tuple[SimpleEffect, ...]:
    """Compare the levels of one factor inside every level of the other.

    Args:
        cells: shape (n, a, b), every case in every cell.
        of: 0 compares levels of the first factor, 1 those of the second.
        clusters: the document of each case, length n; None when cases are independent.
        lowest: the smallest difference possible; None when there is none.
        highest: the largest.
        confidence: of the intervals, in (0, 1).
        draws: resamples, at least 1.
        seed: of the resamples, at least 0.
        batch: resamples held at a time; changes memory and speed, no result.

    Returns:
        One effect for each level of the other factor and each pair of levels.

    Raises:
        ValueError: when the shape is another, a number is not finite, or `of` is neither 0 nor 1.
    """
    if of not in (0, 1):
        raise ValueError(f"'of' is {of}; expected 0 for the first factor or 1 for the second")
    table = two_factor_cells(cells)
    given_first = table if of == 1 else table.transpose(0, 2, 1)
    places = [
        (given, pair)
        for given in range(given_first.shape[1])
        for pair in combinations(range(given_first.shape[2]), 2)
    ]
    d = np.column_stack([given_first[:, given, k] - given_first[:, given, i] for given, (i, k) in places])
    if clusters is None:
        intervals = studentised_intervals(
            d, lowest=lowest, highest=highest, confidence=confidence, draws=draws, seed=seed, batch=batch
        )
    else:
        intervals = tuple(
            cluster_interval(column, clusters, confidence=confidence, lowest=lowest, highest=highest).interval
            for column in d.T
        )
    return tuple(
        SimpleEffect(given, pair, float(d[:, index].mean()), intervals[index])
        for index, (given, pair) in enumerate(places)
    )


def _plain_interval(d: FloatArray, clusters: Sequence[Hashable] | None, confidence: float) -> Interval:
    if clusters is None:
        return paired_t(d, confidence=confidence).interval
    return cluster_interval(d, clusters, confidence=confidence).interval
