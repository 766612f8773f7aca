"""The interval that fits the data: of whole documents, of a proportion, or of any mean.

CR1 when questions come in documents, Wilson and Newcombe's method 10 for a metric of 0 and 1, the studentised
bootstrap otherwise.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from ragproof.comparing.scored_run import Traits
from ragproof.metric import Direction
from ragproof.statistics.clusters import cluster_interval
from ragproof.statistics.interval import Interval
from ragproof.statistics.paired_proportions import newcombe_interval, paired_table
from ragproof.statistics.proportions import wilson_interval
from ragproof.statistics.samples import FloatArray
from ragproof.statistics.studentised import studentised_intervals


def mean_intervals(
    table: FloatArray, traits: Traits, clusters: Sequence[Hashable] | None, *, seed: int
) -> tuple[Interval, ...]:
    """Return the 95 % interval of each column's mean.

    Args:
        table: shape (n, runs), n at least 1, no number missing.
        traits: of the metric.
        clusters: the document of each case; None when cases are independent.
        seed: of the resamples.

    Returns:
        One interval a column, in order.
    """
    if clusters is not None:
        return tuple(
            cluster_interval(column, clusters, lowest=traits.low, highest=traits.high).interval
            for column in table.T
        )
    if is_binary(table, traits):
        return tuple(wilson_interval(int(column.sum()), len(column)) for column in table.T)
    return studentised_intervals(table, lowest=traits.low, highest=traits.high, seed=seed)


def difference_intervals(
    first: FloatArray,
    others: FloatArray,
    traits: Traits,
    clusters: Sequence[Hashable] | None,
    *,
    seed: int,
) -> tuple[Interval, ...]:
    """Return the 95 % interval of how much better each of `others` is than `first`.

    Args:
        first: values in the metric's own unit, shape (n,), n at least 1.
        others: likewise, shape (n, runs).
        traits: of the metric; its direction says what better is.
        clusters: the document of each case; None when cases are independent.
        seed: of the resamples.

    Returns:
        One interval a column, in order, under 0 where it is worse; not adjusted for their number.
    """
    both = [
        (first, column) if traits.direction is Direction.LOWER else (column, first) for column in others.T
    ]
    lowest, highest = difference_span(traits)
    if clusters is not None:
        return tuple(
            cluster_interval(more - less, clusters, lowest=lowest, highest=highest).interval
            for more, less in both
        )
    if is_binary(others, traits) and is_binary(first, traits):
        tables = [paired_table(more, less) for more, less in both]
        return tuple(newcombe_interval(t.both, t.only_first, t.only_second, t.neither) for t in tables)
    differences = np.column_stack([more - less for more, less in both])
    return studentised_intervals(differences, lowest=lowest, highest=highest, seed=seed)


def difference_span(traits: Traits) -> tuple[float | None, float | None]:
    """Return the ends of what a difference of two values can be; None when the range is open."""
    if traits.span is None:
        return None, None
    low, high = traits.span
    return low - high, high - low


def is_binary(table: FloatArray, traits: Traits) -> bool:
    """Say whether all values are 0 or 1, in a metric that lies between them."""
    return traits.span == (0.0, 1.0) and bool(np.isin(table, (0.0, 1.0)).all())
