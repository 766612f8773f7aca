"""Lists of different length as matrices: numpy sorts many rows much faster than one list at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Number = TypeVar("Number", np.float32, np.int64, np.uint32)


def squares(
    values: NDArray[Number], lengths: NDArray[np.int64], padding: float
) -> Iterator[tuple[NDArray[np.int64], NDArray[Number]]]:
    """Group lists of similar length, so that one long list does not widen the rows of all the short ones.

    Args:
        values: the lists, one after the other.
        lengths: how many values each list has; an empty list is in no group.
        padding: what fills a row behind its list.

    Yields:
        The numbers of the lists, ascending, and a matrix with a row for each, less than twice as wide as the
        shortest of them.
    """
    starts = np.cumsum(lengths) - lengths
    first, last = _longest_run(lengths)
    rest = lengths != 0
    if rest[first:last].any():
        rest[first:last] = False
        end = starts[last - 1] + lengths[last - 1]
        yield np.arange(first, last), values[starts[first] : end].reshape(last - first, -1)
    others = np.flatnonzero(rest)
    sizes = np.frexp(lengths[others])[1]
    for size in np.unique(sizes):
        rows = others[sizes == size]
        columns = np.arange(lengths[rows].max())
        inside = columns < lengths[rows][:, None]
        square = np.full(inside.shape, padding, dtype=values.dtype)
        square[inside] = values[(starts[rows][:, None] + columns)[inside]]
        yield rows, square


def _longest_run(lengths: NDArray[np.int64]) -> tuple[int, int]:
    """Return where the longest stretch of lists of one length begins and ends; they need no padding."""
    if not len(lengths):
        return 0, 0
    edges = np.concatenate([[0], np.flatnonzero(np.diff(lengths)) + 1, [len(lengths)]])
    longest = int(np.diff(edges).argmax())
    return int(edges[longest]), int(edges[longest + 1])


def smallest(square: NDArray[Number], count: int) -> NDArray[Number]:
    """Return the `count` smallest values of each row, ascending, NaN last; all if the row has fewer."""
    if square.shape[1] > 2 * count:
        square = np.partition(square, count - 1, axis=1)[:, :count]
    return np.sort(square, axis=1)[:, :count]
