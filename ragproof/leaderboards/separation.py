"""Which runs the data tell apart: every pair tested at once, and letters for those that are not separated.

One sign a case for all pairs, step-down max-T over them (`ragproof.statistics.max_t`); where questions come
in documents, one sign a document. False friend: a test of each run against the next in rank.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from ragproof.leaderboards.complete_cases import CompleteCases, oriented, oriented_span
from ragproof.leaderboards.intervals import difference_intervals
from ragproof.statistics.clusters import cluster_sums
from ragproof.statistics.groups import Groups, indistinguishable_groups
from ragproof.statistics.interval import Interval
from ragproof.statistics.max_t import all_pairs, max_t
from ragproof.statistics.missing import missingness
from ragproof.statistics.samples import without_dust
from ragproof.statistics.sign_flip import UNRESOLVABLE_UP_TO

ALPHA = 0.05
"""The chance of any false separation on one leaderboard, at most."""


@dataclass(frozen=True)
class PairTest:
    """Two runs held against each other.

    Attributes:
        better: the place of the run with the better mean; of equal ones the first.
        worse: the place of the other.
        difference: the mean by which `better` leads, in the metric's unit, at least 0.
        interval: of `worse` minus `better`, oriented so that more is better; None unless `better` is first of
            all. Not adjusted for the number of pairs.
        p_raw: of this pair alone, in (0, 1].
        p: adjusted over all pairs.
        n_nonzero: cases, or documents, on which they differ.
        could_turn: whether missing values, at the ends of the range, could turn the order of a separated
            pair.
    """

    better: int
    worse: int
    difference: float
    interval: Interval | None
    p_raw: float
    p: float
    n_nonzero: int
    could_turn: bool

    @property
    def unresolvable(self) -> bool:
        """Whether no outcome on so few differing cases could have separated them."""
        return self.n_nonzero <= UNRESOLVABLE_UP_TO

    @property
    def separated(self) -> bool:
        """Whether the data tell them apart."""
        return self.p <= ALPHA and not self.unresolvable


@dataclass(frozen=True)
class Separation:
    """All pairs of a leaderboard.

    Attributes:
        pairs: in order of rank; empty for one run.
        groups: which runs are not told apart, by place.
        exact: whether every sign assignment was listed; None for one run.
    """

    pairs: tuple[PairTest, ...]
    groups: Groups
    exact: bool | None


def separate(
    cases: CompleteCases, order: Sequence[int], clusters: Sequence[Hashable] | None, *, seed: int
) -> Separation:
    """Test every pair of runs.

    Args:
        cases: at least one complete case.
        order: the runs' places, best first.
        clusters: the document of each complete case; None when cases are independent.
        seed: of the random signs.
    """
    names = [str(place) for place in order]
    if len(order) < 2:
        return Separation((), indistinguishable_groups(names, ()), None)
    table = cases.oriented[:, list(order)]
    places, contrasts = all_pairs(table)
    flipped = contrasts if clusters is None else cluster_sums(contrasts, clusters)
    tests = max_t(flipped, seed=seed)
    nonzero = (without_dust(flipped) != 0.0).sum(axis=0)
    best, others = cases.table[:, order[0]], cases.table[:, list(order[1:])]
    intervals = difference_intervals(best, others, cases.traits, clusters, seed=seed)
    pairs = tuple(
        PairTest(
            better=order[better],
            worse=order[worse],
            difference=-float(contrasts[:, at].mean()) + 0.0,
            interval=intervals[worse - 1] if better == 0 else None,
            p_raw=tests.p_raw[at],
            p=tests.p_step_down[at],
            n_nonzero=int(nonzero[at]),
            could_turn=tests.p_step_down[at] <= ALPHA and _could_turn(cases, order[better], order[worse]),
        )
        for at, (better, worse) in enumerate(places)
    )
    separated = [(str(pair.better), str(pair.worse)) for pair in pairs if pair.separated]
    return Separation(pairs, indistinguishable_groups(names, separated), tests.exact)


def _could_turn(cases: CompleteCases, better: int, worse: int) -> bool:
    pair = (cases.scores[worse], cases.scores[better])
    if not any((each.missing & cases.in_play).any() for each in pair):
        return False
    lowest, highest = oriented_span(cases.traits)
    a, b = (oriented(each.values()[cases.in_play], cases.traits).tolist() for each in pair)
    least = missingness(a, b, lowest=lowest, highest=highest).lowest_mean_difference
    return least is None or least <= 0.0


def in_rank_order(cases: CompleteCases) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Order runs by their mean over the complete cases.

    Args:
        cases: at least one complete case.

    Returns:
        Places, best first, the later of equal ones first; and the rank of each, from 1. Equal means share a
        rank, and the next one is skipped.
    """
    means = without_dust(cases.oriented.mean(axis=0))
    order = tuple(sorted(range(means.size), key=lambda place: (-means[place], -place)))
    ranks: list[int] = []
    for at, place in enumerate(order):
        tied = at > 0 and bool(np.isclose(means[place], means[order[at - 1]], rtol=1e-9, atol=1e-12))
        ranks.append(ranks[-1] if tied else at + 1)
    return order, tuple(ranks)
