"""What the factors of a sweep do to a metric: each by itself, and two by two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ragproof.comparing.scored_run import ScoredRun
from ragproof.leaderboards.complete_cases import complete_cases
from ragproof.leaderboards.factorial import Design, NoDesign, design
from ragproof.leaderboards.interactions import FactorPair, factor_pairs
from ragproof.leaderboards.main_effects import LevelContrast, LevelMean, level_contrasts, level_means
from ragproof.leaderboards.shared_cases import documents_of

LEAST_CASES = 2


@dataclass(frozen=True)
class Effects:
    """The effects of a sweep's factors.

    Attributes:
        design: factors, levels and the run of each combination.
        cases: that every cell has scored, at least 2.
        dropped: shared cases that some cell has not scored.
        documents: how many documents the cases come from; None when they are independent.
        means: of each level.
        contrasts: of each pair of levels.
        pairs: of factors; empty for one factor.
    """

    design: Design
    cases: int
    dropped: int
    documents: int | None
    means: tuple[LevelMean, ...]
    contrasts: tuple[LevelContrast, ...]
    pairs: tuple[FactorPair, ...]

    def conditional(self, factor: int) -> bool:
        """Say whether a factor's main effect must be read at the levels of another: an interaction stands."""
        return any(pair.stands and factor in pair.factors for pair in self.pairs)


def effects(
    runs: Sequence[ScoredRun], metric: str, factors: Sequence[Mapping[str, str] | None], *, seed: int = 0
) -> Effects | NoDesign:
    """Compute the effects of the factors in which runs differ.

    Args:
        runs: over the same cases in the same order; all have the metric; in order of start.
        metric: its key.
        factors: of each run, its level by factor; None is a run without.
        seed: of random signs and resamples.

    Returns:
        The effects, oriented so that + is better for the second of two levels; or why there are none.
    """
    found = design(factors)
    if isinstance(found, NoDesign):
        return found
    of_cells = [runs[place] for place in found.places]
    cases = complete_cases(of_cells, metric)
    n = len(cases.table)
    if n < LEAST_CASES:
        return NoDesign(
            f"{n} of {len(cases.complete)} cases {'is' if n == 1 else 'are'} scored in every cell"
        )
    kept = [case for case, whole in zip(of_cells[0].cases, cases.complete, strict=True) if whole]
    clusters = documents_of(kept)
    cells = np.reshape(cases.table, (n, *found.shape))
    return Effects(
        design=found,
        cases=n,
        dropped=len(cases.complete) - n,
        documents=None if clusters is None else len(set(clusters)),
        means=level_means(cells, found, cases.traits, clusters, seed=seed),
        contrasts=level_contrasts(cells, found, cases.traits, clusters, seed=seed),
        pairs=factor_pairs(cells, found, cases.traits, clusters, seed=seed),
    )
