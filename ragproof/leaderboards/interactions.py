"""Interactions of a sweep's factors, two at a time: where they stand, what carries them, what could be seen.

Holm over the pairs of factors decides which interactions stand; only of those are the corners tested. How
three factors interact is not asked.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations

from ragproof.comparing.scored_run import Traits
from ragproof.leaderboards.complete_cases import oriented
from ragproof.leaderboards.factorial import Design
from ragproof.leaderboards.intervals import difference_span
from ragproof.leaderboards.separation import ALPHA
from ragproof.statistics.clusters import cluster_interval, cluster_sums
from ragproof.statistics.factor_cells import complete_blocks
from ragproof.statistics.interaction import Interaction, interaction
from ragproof.statistics.multiplicity import holm
from ragproof.statistics.power import detectable_effect
from ragproof.statistics.samples import FloatArray, all_equal, without_dust
from ragproof.statistics.sign_flip import UNRESOLVABLE_UP_TO
from ragproof.statistics.simple_effects import (
    DifferenceInDifferences,
    SimpleEffect,
    corner_contrasts,
    differences_in_differences,
    simple_effects,
)


@dataclass(frozen=True)
class FactorPair:
    """How two factors act together.

    Attributes:
        factors: their places in the design.
        means: of each cell in the metric's own unit, a row a level of the first.
        test: of the interaction, on oriented values: its cell effects are so that more is better.
        p: of the test, adjusted by Holm over all pairs of factors.
        n_nonzero: cases, or documents, on which the factors do not simply add up.
        corners: differences in differences; empty unless the interaction stands.
        given_second: what the levels of the first do at each level of the second.
        given_first: what the levels of the second do at each level of the first.
        detectable: the smallest difference in differences that 80 % power sees at 0.05, at the corner that
            varies most; None when nothing varies.
    """

    factors: tuple[int, int]
    means: tuple[tuple[float, ...], ...]
    test: Interaction
    p: float
    n_nonzero: int
    corners: tuple[DifferenceInDifferences, ...]
    given_second: tuple[SimpleEffect, ...]
    given_first: tuple[SimpleEffect, ...]
    detectable: float | None

    @property
    def unresolvable(self) -> bool:
        """Whether no outcome on so few cases could have been told from chance."""
        return self.n_nonzero <= UNRESOLVABLE_UP_TO

    @property
    def stands(self) -> bool:
        """Whether the effect of one factor depends on the other."""
        return self.p <= ALPHA and not self.unresolvable


def factor_pairs(
    cells: FloatArray, design: Design, traits: Traits, clusters: Sequence[Hashable] | None, *, seed: int
) -> tuple[FactorPair, ...]:
    """Test every pair of factors for an interaction.

    Args:
        cells: in the metric's own unit, shape (n, levels of factor 0, ...), complete, n at least 1.
        design: which factor is where.
        traits: of the metric.
        clusters: the document of each case; None when cases are independent.
        seed: of random signs and resamples.

    Returns:
        A result a pair of factors; empty for one factor.
    """
    places = tuple(combinations(range(len(design.factors)), 2))
    tables = [complete_blocks(cells, pair).cells for pair in places]
    better = [oriented(table, traits) for table in tables]
    tests = [interaction(table, clusters=clusters, seed=seed) for table in better]
    adjusted = holm([test.p for test in tests])
    return tuple(
        _pair(pair, raw, table, test, p, traits, clusters, seed)
        for pair, raw, table, test, p in zip(places, tables, better, tests, adjusted, strict=True)
    )


def _pair(
    factors: tuple[int, int],
    raw: FloatArray,
    better: FloatArray,
    test: Interaction,
    p: float,
    traits: Traits,
    clusters: Sequence[Hashable] | None,
    seed: int,
) -> FactorPair:
    _, corners = corner_contrasts(better)
    lowest, highest = difference_span(traits)
    flipped = without_dust(corners if clusters is None else cluster_sums(corners, clusters))
    n_nonzero = int((flipped != 0.0).any(axis=1).sum())
    stands = p <= ALPHA and n_nonzero > UNRESOLVABLE_UP_TO
    given_second, given_first = (
        simple_effects(better, of=of, clusters=clusters, lowest=lowest, highest=highest, seed=seed)
        for of in (0, 1)
    )
    return FactorPair(
        factors=factors,
        means=tuple(tuple(float(mean) for mean in row) for row in raw.mean(axis=0)),
        test=test,
        p=p,
        n_nonzero=n_nonzero,
        corners=differences_in_differences(better, clusters=clusters, seed=seed) if stands else (),
        given_second=given_second,
        given_first=given_first,
        detectable=_detectable(corners, clusters),
    )


def _detectable(corners: FloatArray, clusters: Sequence[Hashable] | None) -> float | None:
    found = [
        detectable_effect(len(corner), float(corner.std(ddof=1)), design_effect=_inflated(corner, clusters))
        for corner in corners.T
        if len(corner) > 1 and not all_equal(corner)
    ]
    return max((each for each in found if each is not None), default=None)


def _inflated(corner: FloatArray, clusters: Sequence[Hashable] | None) -> float:
    if clusters is None:
        return 1.0
    return cluster_interval(corner, clusters).design_effect or 1.0
