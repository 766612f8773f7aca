"""A leaderboard's means again for each value of a tag: where a run is strong, to be looked into.

Exploration: nothing is tested here, for a dozen tags of a few cases each would show something by chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ragproof.comparing.scored_run import CaseFacts, Traits
from ragproof.leaderboards.intervals import mean_intervals
from ragproof.leaderboards.shared_cases import documents_of
from ragproof.statistics.interval import Interval
from ragproof.statistics.samples import FloatArray


@dataclass(frozen=True)
class TagMeans:
    """The complete cases with one value of a tag.

    Attributes:
        value: of the tag; None is the cases without the tag.
        cases: how many, at least 1.
        means: of each run, in the order of the table.
        intervals: of those.
    """

    value: str | None
    cases: int
    means: tuple[float, ...]
    intervals: tuple[Interval, ...]


def by_tag(
    name: str, cases: Sequence[CaseFacts], table: FloatArray, traits: Traits, *, seed: int
) -> tuple[TagMeans, ...]:
    """Average runs over the cases of each value of a tag.

    Args:
        name: the tag's.
        cases: the complete ones.
        table: their values, shape (cases, runs).
        traits: of the metric.
        seed: of the resamples.

    Returns:
        By value, the cases without the tag last; empty when no case has it.
    """
    if all(name not in case.tags for case in cases):
        return ()
    values = sorted({case.tags.get(name) for case in cases}, key=lambda value: (value is None, value or ""))
    return tuple(_means(value, name, cases, table, traits, seed) for value in values)


def _means(
    value: str | None, name: str, cases: Sequence[CaseFacts], table: FloatArray, traits: Traits, seed: int
) -> TagMeans:
    places = np.array([place for place, case in enumerate(cases) if case.tags.get(name) == value])
    taken = table[places]
    clusters = documents_of([cases[place] for place in places])
    return TagMeans(
        value=value,
        cases=len(places),
        means=tuple(float(mean) for mean in taken.mean(axis=0)),
        intervals=mean_intervals(taken, traits, clusters, seed=seed),
    )
