"""The ranking measures of many queries at once: one matrix of gains, a row a query, gives all of them.

The formulas are those of `formulas.py`. Sums run along a row in rank order, as trec_eval's loops do, so that
values agree to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import log2

import numpy as np
from numpy.typing import NDArray

from ragproof.ranking.measures import Measure

Integers = NDArray[np.int64]
Values = NDArray[np.float64]

UNJUDGED = np.iinfo(np.int64).min
"""Stands for the gain of a document that nobody judged; below every gain."""


@dataclass(frozen=True)
class Judged:
    """What was judged for some queries."""

    ideal: Integers
    """A row a query: its judged gains in descending order as far as they can count, then 0."""
    relevant: Mapping[int, Integers]
    """By level: how many documents of each query were judged relevant."""


@dataclass(frozen=True)
class GainMatrix:
    """The gains of some rankings, and what was judged for their queries."""

    gains: Integers
    """A row a query and a column a place, best first; `UNJUDGED` also where a short ranking has no place."""
    retrieved: Integers
    """How many documents each query's ranking has, in all."""
    judged: Judged

    def values(self, measure: Measure, level: int) -> Values:
        """Return one value a query.

        Args:
            measure: not deeper than the matrix, unless that holds the whole rankings.
            level: the gain from which a document is relevant, unless the measure has its own.

        Returns:
            Values from 0 to 1; NaN only for `judged` where nothing was retrieved.
        """
        if measure.name == "ndcg":
            return self._ndcg(measure.k)
        if measure.name == "judged":
            return self._judged(measure.k)
        level = measure.level or level
        if level not in self._levels:
            self._levels[level] = _Hits(self, level)
        return _FORMULAS[measure.name](self._levels[level], measure.k)

    @cached_property
    def _levels(self) -> dict[int, _Hits]:
        return {}

    @cached_property
    def _discounted(self) -> tuple[Values, Values]:
        return _discounted(self.gains), _discounted(self.judged.ideal)

    def _ndcg(self, k: int | None) -> Values:
        found, ideal = (_at(sums, k) for sums in self._discounted)
        return np.divide(found, ideal, out=np.zeros(len(ideal)), where=ideal > 0)

    def _judged(self, k: int | None) -> Values:
        known = np.count_nonzero(self.gains[:, :k] != UNJUDGED, axis=1)
        places = self.retrieved if k is None else np.minimum(self.retrieved, k)
        nothing = np.full(len(places), np.nan)
        shares: Values = np.divide(known, places, out=nothing, where=places > 0)
        return shares


class _Hits:
    """Which places hold a relevant document, at one level."""

    def __init__(self, matrix: GainMatrix, level: int) -> None:
        self.relevant = matrix.judged.relevant[level]
        self.hits = matrix.gains >= level
        self.counts = np.add.accumulate(self.hits, axis=1, dtype=np.int64)

    @cached_property
    def precisions(self) -> Values:
        """The precision at each place that is a hit, summed up to there."""
        ranks = np.arange(1, self.hits.shape[1] + 1)
        return np.add.accumulate(np.where(self.hits, self.counts / ranks, 0.0), axis=1)

    def over_relevant(self, numerator: Values | Integers) -> Values:
        """Divide by the number of relevant documents; 0 where there is none."""
        return np.divide(numerator, self.relevant, out=np.zeros(len(self.relevant)), where=self.relevant > 0)


def _precision(hits: _Hits, k: int | None) -> Values:
    assert k is not None
    return np.divide(_at(hits.counts, k), k)


def _recall(hits: _Hits, k: int | None) -> Values:
    return hits.over_relevant(_at(hits.counts, k))


def _f1(hits: _Hits, k: int | None) -> Values:
    assert k is not None
    return np.divide(2 * _at(hits.counts, k), k + hits.relevant)


def _mrr(hits: _Hits, k: int | None) -> Values:
    top = hits.hits[:, :k]
    found = top.any(axis=1)
    first = top.argmax(axis=1) + 1 if top.shape[1] else np.ones(len(top))
    return np.divide(1.0, first, out=np.zeros(len(top)), where=found)


def _map(hits: _Hits, k: int | None) -> Values:
    return hits.over_relevant(_at(hits.precisions, k))


def _hit_rate(hits: _Hits, k: int | None) -> Values:
    return (_at(hits.counts, k) > 0).astype(np.float64)


def _r_precision(hits: _Hits, k: int | None) -> Values:
    width = hits.counts.shape[1]
    if width == 0:
        return np.zeros(len(hits.relevant))
    depth = np.minimum(hits.relevant, width if k is None else min(k, width))
    within = hits.counts[np.arange(len(depth)), np.maximum(depth, 1) - 1]
    return hits.over_relevant(within)


def _complete_recall(hits: _Hits, k: int | None) -> Values:
    complete: Values = ((_at(hits.counts, k) == hits.relevant) & (hits.relevant > 0)).astype(np.float64)
    return complete


_FORMULAS: Mapping[str, Callable[[_Hits, int | None], Values]] = {
    "precision": _precision,
    "recall": _recall,
    "f1": _f1,
    "mrr": _mrr,
    "map": _map,
    "hit_rate": _hit_rate,
    "r_precision": _r_precision,
    "complete_recall": _complete_recall,
}


def _discounted(gains: Integers) -> Values:
    discounts = np.array([log2(rank + 1) for rank in range(1, gains.shape[1] + 1)])
    return np.add.accumulate(np.maximum(gains, 0) / discounts, axis=1)


def _at(running: Values | Integers, k: int | None) -> Values | Integers:
    """Return each row's running total at place k, or at its last place."""
    width = running.shape[1]
    if width == 0:
        return np.zeros(len(running))
    return running[:, (width if k is None else min(k, width)) - 1]
