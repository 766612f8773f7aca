"""Which cases got worse and which better, by one rule that a reader can check by hand.

A metric counts when it says which way is better and has a bounded range; a difference is taken as a share of
that range, candidate minus baseline, + is better. A case's change is the mean over metric families of its
mean within each, so that twelve retrieval metrics do not outvote one answer. A case is worse when its change
is negative, when one metric fell by more than half its range whatever the others did, or when a score was
lost to an error, for nobody knows what it would have been. Any other is better when its change is positive,
or when a score was gained.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ragproof.comparing.paired_scores import PairedScores
from ragproof.comparing.scored_run import MetricScores
from ragproof.scores import BUDGET_EXHAUSTED
from ragproof.statistics.samples import FloatArray
from ragproof.summarising import NOT_REACHED

LARGE_FALL = 0.5
"""A share of the range: beyond it, one metric makes a case worse."""
_DUST = 1e-9
_UNASKED = frozenset({NOT_REACHED.reason, BUDGET_EXHAUSTED.reason})
"""Reasons for which a score is not there because nobody asked, not because something broke."""


@dataclass(frozen=True)
class CaseChanges:
    """What became of each shared case.

    Attributes:
        metrics: keys of the metrics that count, a column each.
        before: the baseline's numbers, shape (cases, metrics); NaN where there is none.
        after: the candidate's.
        shares: oriented differences as shares of the range, shape (cases, metrics); NaN without a pair.
        change: their mean over families, shape (cases,); NaN where nothing is paired. In the metric's own
            unit when it is one metric without a bounded range.
        lost: which scores the candidate lost to an error, shape (cases, metrics).
        gained: which scores the baseline had lost.
    """

    metrics: tuple[str, ...]
    before: FloatArray
    after: FloatArray
    shares: FloatArray
    change: FloatArray
    lost: NDArray[np.bool_]
    gained: NDArray[np.bool_]

    @cached_property
    def is_worse(self) -> NDArray[np.bool_]:
        """Which cases got worse, shape (cases,)."""
        fell = (np.nan_to_num(self.shares) < -LARGE_FALL).any(axis=1)
        return np.asarray((self._known < -_DUST) | fell | self.lost.any(axis=1))

    @cached_property
    def is_better(self) -> NDArray[np.bool_]:
        """Which cases got better, shape (cases,); none of them got worse."""
        return np.asarray(((self._known > _DUST) | self.gained.any(axis=1)) & ~self.is_worse)

    def worse(self) -> list[int]:
        """Return the places of the cases that got worse: the largest measured fall first, then the lost."""
        return self._ordered(self.is_worse, self._known, self.lost.sum(axis=1))

    def better(self) -> list[int]:
        """Return the places of those that got better: the largest rise first, then the gained."""
        return self._ordered(self.is_better, -self._known, self.gained.sum(axis=1))

    @property
    def _known(self) -> FloatArray:
        return np.nan_to_num(self.change)

    @staticmethod
    def _ordered(which: NDArray[np.bool_], size: FloatArray, without: NDArray[np.int64]) -> list[int]:
        places = np.flatnonzero(which)
        order = np.lexsort((places, -without[places], np.round(size[places], 9)))
        return [int(place) for place in places[order]]


def case_changes(scores: Sequence[PairedScores], family_of: Callable[[str], str]) -> CaseChanges:
    """Find out what became of each case.

    Args:
        scores: the metrics asked about, over the same cases; when no metric among them has a bounded range,
            the first that ranks stands alone, in its own unit.
        family_of: the family of a metric's key.

    Returns:
        The changes; without a metric that ranks nothing changed.
    """
    ranking = [each for each in scores if each.ranks]
    counted = [each for each in ranking if each.span is not None] or ranking[:1]
    n = len(scores[0].differences) if scores else 0
    if not counted:
        none = np.zeros((n, 0))
        nobody = none.astype(np.bool_)
        return CaseChanges((), none, none, none, np.full(n, np.nan), nobody, nobody)
    shares = np.column_stack([each.differences / _width(each) for each in counted])
    families = [family_of(each.key) for each in counted]
    by_family = [
        _mean(shares[:, [place for place, each in enumerate(families) if each == family]])
        for family in dict.fromkeys(families)
    ]
    return CaseChanges(
        metrics=tuple(each.key for each in counted),
        before=np.column_stack([each.values[0] for each in counted]),
        after=np.column_stack([each.values[1] for each in counted]),
        shares=shares,
        change=_mean(np.column_stack(by_family)),
        lost=np.column_stack([each.first.scored & _erred(each.second) for each in counted]),
        gained=np.column_stack([_erred(each.first) & each.second.scored for each in counted]),
    )


def _width(scores: PairedScores) -> float:
    return 1.0 if scores.span is None else scores.span[1] - scores.span[0]


def _mean(columns: FloatArray) -> FloatArray:
    """The mean of each row over what it has; NaN where it has nothing."""
    held = ~np.isnan(columns)
    counts = held.sum(axis=1)
    total = np.where(held, columns, 0.0).sum(axis=1)
    means: FloatArray = np.divide(total, counts, out=np.full(len(columns), np.nan), where=counts > 0)
    return means


def _erred(scores: MetricScores) -> NDArray[np.bool_]:
    missing = scores.missing
    unasked = [place for place in np.flatnonzero(missing).tolist() if scores.reasons[place] in _UNASKED]
    missing[unasked] = False
    return missing
