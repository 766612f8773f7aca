"""What a demand is judged on: one number a case that its metric speaks of, oriented so that + is better.

A case that the metric has nothing to say of is no part of it; one that should have had a number is, without
one. Which cases are in it, and how they are grouped, does not change when a number is lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragproof.comparing.clustering import Clusters, clusters_of, repeats
from ragproof.comparing.scored_run import CaseFacts
from ragproof.statistics.gate_bounds import Span
from ragproof.statistics.samples import FloatArray

NO_REASON = "no reason was kept"


@dataclass(frozen=True)
class Sample:
    """The numbers behind a verdict.

    Attributes:
        cases: those that the metric speaks of.
        values: one a case, NaN where it is missing.
        ends: the least and the most that each value could be, shape (cases, 2); NaN where the range is open.
        span: the ends of the range of any value; None when it is open.
        missing: why values are missing: reason and number of cases, most frequent first.
        absent: of the cases that are no part of it, the same.
    """

    cases: tuple[CaseFacts, ...]
    values: FloatArray
    ends: FloatArray
    span: Span
    missing: Mapping[str, int]
    absent: Mapping[str, int]

    @property
    def n(self) -> int:
        """How many cases have a number."""
        return int((~np.isnan(self.values)).sum())

    @property
    def expected(self) -> int:
        """How many should have one."""
        return len(self.cases)

    @property
    def coverage(self) -> float:
        """The share that has one, from 0 to 1; 0 when the metric speaks of no case."""
        return self.n / self.expected if self.expected else 0.0

    @property
    def clusters(self) -> Clusters | None:
        """The number of each case's group, or None when no group has two: then all are independent."""
        clusters = clusters_of(self.cases)
        if not repeats(clusters, np.ones(len(clusters), dtype=np.bool_)):
            return None
        return clusters


def taken(cases: Sequence[CaseFacts], chosen: NDArray[np.bool_]) -> tuple[CaseFacts, ...]:
    """Return some of the cases, in their order."""
    return tuple(cases[place] for place in np.flatnonzero(chosen).tolist())


def counted(reasons: Sequence[str | None], where: NDArray[np.bool_]) -> Mapping[str, int]:
    """Count the reasons of some cases, most frequent first."""
    counts = Counter(reasons[place] or NO_REASON for place in np.flatnonzero(where).tolist())
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def turned(span: Span, sign: float) -> Span:
    """Return a range as it is (sign 1), or that of the negated values (sign -1)."""
    return span if span is None or sign > 0 else (-span[1], -span[0])
