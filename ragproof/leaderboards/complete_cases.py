"""The cases that every run has scored: means over other cases would differ by the cases, not by the runs.

What is left out is counted by run and reason. A score that should be there and is not is never filled in; the
mean is bounded instead by what the metric's range allows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragproof.comparing.scored_run import MetricScores, ScoredRun, Standing, Traits
from ragproof.metric import Direction
from ragproof.statistics.samples import FloatArray

UNSAID = "no reason was kept"


@dataclass(frozen=True)
class Dropped:
    """Cases that are left out because of one run.

    Attributes:
        place: of the run.
        standing: MISSING or ABSENT.
        reason: why it has no number.
        cases: how many; a case may be left out because of several runs.
    """

    place: int
    standing: Standing
    reason: str
    cases: int


@dataclass(frozen=True)
class CompleteCases:
    """One metric of several runs.

    Attributes:
        scores: of each run, over all shared cases.
        complete: the cases that all have scored, shape (cases,).
        table: their values in the metric's own unit, shape (complete cases, runs).
        dropped: why the others are not, by run.
    """

    scores: tuple[MetricScores, ...]
    complete: NDArray[np.bool_]
    table: FloatArray
    dropped: tuple[Dropped, ...]

    @property
    def traits(self) -> Traits:
        """What the numbers mean."""
        return self.scores[0].traits

    @property
    def oriented(self) -> FloatArray:
        """The table, negated when lower is better."""
        return oriented(self.table, self.traits)

    @property
    def in_play(self) -> NDArray[np.bool_]:
        """The cases that each run has a number of, or should have had."""
        absent = [np.equal(each.standing, Standing.ABSENT) for each in self.scores]
        return np.asarray(~np.logical_or.reduce(absent))

    def bounds(self, place: int) -> tuple[float, float] | None:
        """Return the lowest and highest mean of a run over the cases in play.

        Args:
            place: of the run.

        Returns:
            Both ends; None when none of its scores is missing, or the metric's range is open.
        """
        scores, span = self.scores[place], self.traits.span
        missing = scores.missing & self.in_play
        if span is None or not missing.any():
            return None
        there = scores.values()[self.in_play & ~missing]
        lost, n = int(missing.sum()), int(self.in_play.sum())
        low, high = ((float(there.sum()) + lost * end) / n for end in span)
        return low, high


def complete_cases(runs: Sequence[ScoredRun], metric: str) -> CompleteCases:
    """Keep the cases that every run has scored.

    Args:
        runs: over the same cases in the same order, at least one; all have the metric.
        metric: its key.
    """
    scores = tuple(run.scores[metric] for run in runs)
    complete = np.logical_and.reduce([each.scored for each in scores])
    table = np.column_stack([each.values()[complete] for each in scores])
    dropped = [
        Dropped(place, Standing(standing), reason, cases)
        for place, each in enumerate(scores)
        for (standing, reason), cases in _reasons(each).items()
    ]
    return CompleteCases(scores, complete, table, tuple(dropped))


def oriented(values: FloatArray, traits: Traits) -> FloatArray:
    """Return values so that more is better."""
    return -values if traits.direction is Direction.LOWER else values


def oriented_span(traits: Traits) -> tuple[float | None, float | None]:
    """Return the ends of the range of `oriented` values; None where it is open."""
    if traits.direction is not Direction.LOWER:
        return traits.low, traits.high
    return (None if traits.high is None else -traits.high), (None if traits.low is None else -traits.low)


def _reasons(scores: MetricScores) -> dict[tuple[int, str], int]:
    counts = Counter(
        (int(standing), reason or UNSAID)
        for standing, reason in zip(scores.standing, scores.reasons, strict=True)
        if standing != Standing.SCORED
    )
    return dict(counts.most_common())
