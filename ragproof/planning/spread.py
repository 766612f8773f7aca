"""How much two variants differ from case to case, which is what a sample size depends on.

Measured on two runs where there are two; bounded by one run, or by the metric's range alone, where there are
not. False friend: the effect that two runs showed. Planning with that is "observed power", p in other words;
here only their variance is taken.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import Enum, auto

import numpy as np

from ragproof.comparing.scored_run import MetricScores, Traits
from ragproof.statistics.clusters import cluster_components
from ragproof.statistics.samples import FloatArray, all_equal, without_dust
from ragproof.statistics.sign_flip import UNRESOLVABLE_UP_TO
from ragproof.statistics.trials import paired_trial_variances, trial_variance

LEAST_CASES = 2
ASSUMED_CORRELATION = 0.2
"""Of questions on one document, where no run has shown it."""


class Basis(Enum):
    """What a spread rests on."""

    TWO_RUNS = auto()
    ONE_RUN = auto()
    """An upper bound: as if another variant succeeded on cases that have nothing to do with this one's."""
    RANGE = auto()
    """An upper bound too: as if each variant were at one end of the range in half of the cases."""


@dataclass(frozen=True)
class Trials:
    """Variances of a design in which each case is asked several times.

    Attributes:
        between: of the cases' true differences, at least 0.
        within_a: of trials inside a case of the baseline, at least 0.
        within_b: the same of the candidate.
    """

    between: float
    within_a: float
    within_b: float


@dataclass(frozen=True)
class Spread:
    """How paired differences vary.

    Attributes:
        basis: what it rests on.
        variance: of a case's difference, asked as often as in those runs, over 0.
        trials: the same in its parts; None when no case was asked twice.
        discordant: the share of cases that one variant alone gets right; None unless every value is 0 or 1.
        cases: behind it; 0 for a range alone.
        differing: cases on which the two runs differ; None unless there are two.
        correlation: of cases of one group, from 0 to 1; None when no group was seen twice.
    """

    basis: Basis
    variance: float
    trials: Trials | None = None
    discordant: float | None = None
    cases: int = 0
    differing: int | None = None
    correlation: float | None = None

    @property
    def deviation(self) -> float:
        """The standard deviation of a case's difference."""
        return math.sqrt(self.variance)

    @property
    def is_bound(self) -> bool:
        """Whether the truth is likely smaller."""
        return self.basis is not Basis.TWO_RUNS


def of_two_runs(
    first: MetricScores, second: MetricScores, clusters: Sequence[Hashable] | None
) -> Spread | None:
    """Measure the spread between two runs.

    Args:
        first: the baseline's scores.
        second: the candidate's, over the same cases in the same order.
        clusters: the group of each case; None when none repeats.

    Returns:
        The spread; None when so few of the cases that both scored differ that no test could tell the two
        apart, and so none could tell how much variants differ either.
    """
    both = first.scored & second.scored
    d = second.values()[both] - first.values()[both]
    differing = int((without_dust(d) != 0.0).sum()) if d.size else 0
    if differing <= UNRESOLVABLE_UP_TO or all_equal(d):
        return None
    a, b = (each.trials[both].tolist() for each in (first, second))
    parts = paired_trial_variances(a, b)
    trials = None
    if parts.omega2 is not None and parts.sigma2_a is not None and parts.sigma2_b is not None:
        trials = Trials(parts.omega2, parts.sigma2_a, parts.sigma2_b)
    once = _is_binary(first.trials[both], first.traits) and _is_binary(second.trials[both], second.traits)
    return Spread(
        basis=Basis.TWO_RUNS,
        variance=float(d.var(ddof=1)),
        trials=trials,
        discordant=differing / d.size if once else None,
        cases=int(both.sum()),
        differing=differing,
        correlation=_correlation(d, clusters, both),
    )


def of_one_run(scores: MetricScores, clusters: Sequence[Hashable] | None) -> Spread | None:
    """Bound the spread between a run and another variant.

    Args:
        scores: the run's.
        clusters: the group of each case; None when none repeats.

    Returns:
        Twice its own variance; None when under two cases are scored, or all are equal.
    """
    scored = scores.scored
    if scored.sum() < LEAST_CASES:
        return None
    values = scores.values()[scored]
    if all_equal(values):
        return None
    parts = trial_variance(scores.trials[scored].tolist())
    trials = None
    if parts.between is not None and parts.within is not None:
        trials = Trials(2.0 * parts.between, parts.within, parts.within)
    share = float(values.mean())
    once = _is_binary(scores.trials[scored], scores.traits)
    return Spread(
        basis=Basis.ONE_RUN,
        variance=2.0 * float(values.var(ddof=1)),
        trials=trials,
        discordant=2.0 * share * (1.0 - share) if once else None,
        cases=int(scored.sum()),
        correlation=_correlation(values, clusters, scored),
    )


def of_range(low: float | None, high: float | None) -> Spread | None:
    """Bound the spread by a metric's range: no variable in it varies more than (high - low)^2 / 4.

    Args:
        low: the smallest possible value; None when there is none.
        high: the largest.

    Returns:
        The bound; None when the range is open.
    """
    return None if low is None or high is None else Spread(Basis.RANGE, (high - low) ** 2 / 2.0)


def _is_binary(trials: FloatArray, traits: Traits) -> bool:
    """Say whether each case was asked once, and every value is 0 or 1."""
    once = bool(((~np.isnan(trials)).sum(axis=1) == 1).all())
    return once and traits.span == (0.0, 1.0) and bool(np.isin(trials[~np.isnan(trials)], (0.0, 1.0)).all())


def _correlation(
    values: FloatArray, clusters: Sequence[Hashable] | None, taken: np.ndarray[tuple[int], np.dtype[np.bool_]]
) -> float | None:
    if clusters is None:
        return None
    kept = [cluster for cluster, wanted in zip(clusters, taken, strict=True) if wanted]
    return cluster_components(values, kept).intraclass_correlation
