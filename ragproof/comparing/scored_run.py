"""A finished run as numbers: for each metric a row a case and a column a trial.

What compare, gate and leaderboard work on, whether it comes from a store or from a file in a repository.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from ragproof.cases import CaseKind
from ragproof.metric import Direction
from ragproof.runs import RunRecord
from ragproof.statistics.samples import FloatArray
from ragproof.summaries import Summary


class Standing(IntEnum):
    """Whether a case has a number for a metric, over all its trials."""

    SCORED = 0
    """Every trial that the metric applies to has one."""
    MISSING = 1
    """There should have been one: a trial erred, or was not reached, on a case within the metric's reach."""
    ABSENT = 2
    """The metric has nothing to say of it: skipped, not applicable, or out of its reach."""


@dataclass(frozen=True)
class Traits:
    """What a number of a metric means.

    Attributes:
        direction: which way is better.
        low: the smallest possible value; None when there is none, or it is not known.
        high: the largest.
        version: of the metric when it was measured.
    """

    direction: Direction
    low: float | None
    high: float | None
    version: int

    @property
    def span(self) -> tuple[float, float] | None:
        """Both ends of the range, or None when it is open."""
        return None if self.low is None or self.high is None else (self.low, self.high)


@dataclass(frozen=True)
class CaseFacts:
    """What a comparison needs to know of a case.

    Attributes:
        id: unique in its run.
        content_hash: two cases are one when everything a score depends on is the same.
        kind: what it tests.
        group: cases of one group are not independent; None stands alone.
        tags: by name.
    """

    id: str
    content_hash: str
    kind: CaseKind
    group: str | None = None
    tags: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class MetricScores:
    """One metric over the cases of a run, in the run's order.

    Attributes:
        traits: what its numbers mean.
        trials: shape (cases, trials), NaN where a trial has no number.
        standing: shape (cases,), values of `Standing`.
        reasons: one a case: why it has no number, or why a trial of it has none; None where all have.
    """

    traits: Traits
    trials: FloatArray
    standing: NDArray[np.int8]
    reasons: tuple[str | None, ...]

    @property
    def scored(self) -> NDArray[np.bool_]:
        """Which cases have a number in every trial, shape (cases,)."""
        return np.equal(self.standing, Standing.SCORED)

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Which cases should have had one, shape (cases,)."""
        return np.equal(self.standing, Standing.MISSING)

    def values(self) -> FloatArray:
        """Return one number a case, its trials averaged, shape (cases,); NaN unless it is scored.

        A case with a trial that erred has none: the mean of the trials that are left would be a guess.
        """
        numbers = ~np.isnan(self.trials)
        total = np.where(numbers, self.trials, 0.0).sum(axis=1)
        counts = numbers.sum(axis=1)
        means = np.divide(total, counts, out=np.full(len(total), np.nan), where=counts > 0)
        return np.where(self.scored, means, np.nan)

    def taken(self, places: NDArray[np.intp]) -> MetricScores:
        """Return the same metric over some of the cases, in the order of `places`."""
        return MetricScores(
            self.traits,
            self.trials[places],
            self.standing[places],
            tuple(self.reasons[place] for place in places),
        )


@dataclass(frozen=True)
class ScoredRun:
    """A run with its cases and their numbers.

    Attributes:
        record: the run.
        cases: in the dataset's order.
        scores: by metric key, in reading order; each over exactly `cases`.
        summaries: over all cases, by key, those of the whole run (`p95_latency_ms`) among them.
        served: the judge's model as its server named it; empty when nobody judged or it did not say.
        source: where it was read from, for people: a run id, or a file.
    """

    record: RunRecord
    cases: tuple[CaseFacts, ...]
    scores: Mapping[str, MetricScores]
    summaries: Mapping[str, Summary]
    served: tuple[str, ...] = ()
    source: str = ""

    @property
    def name(self) -> str:
        """What people call it: its variant and the beginning of its id."""
        return f"{self.record.pipeline} ({self.record.id})"
