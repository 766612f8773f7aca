"""The first places of many rankings at once: by score, descending, ties by document id, descending.

trec_eval 9.0.8: scores are compared as float32, so that two which differ only below it are a tie, and ids by
code point, which is the order of their UTF-8 bytes. Ids stay where they are: they are asked for only where
scores tie. False friend: trec_eval 10 compares doubles, and sorts fewer ties by id.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ragproof.ranking.padding import smallest, squares

Floats = NDArray[np.float32]
Indexes = NDArray[np.int64]

NOWHERE = -1
"""The position of a place that a short ranking does not fill."""

IdsAt = Callable[[int, Indexes], Sequence[str]]
"""Gives the ids of one ranking's documents at some of its columns."""


def first_places(scores: Floats, lengths: Indexes, depth: int | None, ids_at: IdsAt) -> Indexes:
    """Order the first places of each ranking.

    Args:
        scores: every ranking's scores, one ranking after the other; no NaN.
        lengths: how many of them each ranking has; 0 is a ranking that found nothing.
        depth: how many places to order, at least 1; None is all.
        ids_at: called with a ranking's number and columns in it, where scores tie.

    Returns:
        A row a ranking and a column a place: the column of the document in its own ranking, best first,
        or `NOWHERE`.
    """
    longest = int(lengths.max(initial=0))
    depth = longest if depth is None else min(depth, longest)
    places = np.full((len(lengths), depth), NOWHERE, dtype=np.int64)
    for rows, negated in squares(-scores, lengths, np.nan):
        width = min(depth, negated.shape[1])
        in_order = np.arange(width)
        places[rows, :width] = np.where(in_order < lengths[rows][:, None], in_order, NOWHERE)
        chosen = np.flatnonzero(_disordered(negated, width))
        if len(chosen):
            rows = rows[chosen]
            places[rows, :width] = _ordered(rows, negated[chosen], lengths[rows], width, ids_at)
    return places


def least_scores(scores: Floats, lengths: Indexes, depth: int) -> Floats:
    """Return the score of each ranking's place `depth`, or of its last; infinity if it found nothing."""
    least = np.full(len(lengths), np.inf, dtype=np.float32)
    for rows, negated in squares(-scores, lengths, np.nan):
        last = np.minimum(lengths[rows], depth) - 1
        places = np.arange(len(rows))
        least[rows] = -negated[places, last]
        chosen = np.flatnonzero(_turned(negated))
        if len(chosen):
            best = smallest(negated[chosen], depth)
            least[rows[chosen]] = -best[places[: len(chosen)], last[chosen]]
    return least


def _turned(negated: Floats) -> NDArray[np.bool_]:
    """Say which rows are not in descending order of score throughout."""
    return np.asarray(np.any(negated[:, 1:] < negated[:, :-1], axis=1))


def _disordered(negated: Floats, depth: int) -> NDArray[np.bool_]:
    """Say which rows do not have their first places in order already, each before all that follows."""
    first = negated[:, : depth + 1]
    return np.asarray(_turned(negated) | np.any(first[:, 1:] <= first[:, :-1], axis=1))


def _ordered(rows: Indexes, negated: Floats, lengths: Indexes, depth: int, ids_at: IdsAt) -> Indexes:
    best = smallest(negated, depth + 1)
    counts = np.minimum(lengths, depth)
    last = best[np.arange(len(rows)), counts - 1]
    tied = (best[:, 1:] == best[:, :-1]).any(axis=1)

    # Without a tie, as many scores reach the last place's as there are places.
    chosen = negated <= last[:, None]
    chosen[tied] = False
    row, column = np.nonzero(chosen)
    inside = np.arange(depth) < np.where(tied, 0, counts)[:, None]
    columns = np.full((len(rows), depth), NOWHERE, dtype=np.int64)
    columns[inside] = column
    values = np.full((len(rows), depth), np.nan, dtype=np.float32)
    values[inside] = negated[row, column]
    columns = np.take_along_axis(columns, np.argsort(values, axis=1), axis=1)

    for number in np.flatnonzero(tied):
        candidates = np.flatnonzero(negated[number] <= last[number])
        first = _by_score_and_id(negated[number, candidates].tolist(), ids_at(int(rows[number]), candidates))[
            : counts[number]
        ]
        columns[number, : len(first)] = candidates[first]
    return columns


def _by_score_and_id(negated: list[float], ids: Sequence[str]) -> list[int]:
    by_id = sorted(range(len(ids)), key=ids.__getitem__, reverse=True)
    return sorted(by_id, key=negated.__getitem__)
