"""Runs held against each other on one measure: how large each difference is, and whether it is one.

One sign a query flips every contrast of the measure at once (`ragproof.statistics.max_t`). False friends: a
t test of each pair, whose errors add up; Tukey's test, which takes the runs for unpaired.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ragproof.statistics.effects import EffectSizes
from ragproof.statistics.interval import Flag, Interval
from ragproof.statistics.max_t import all_pairs
from ragproof.statistics.paired_proportions import newcombe_interval, paired_table
from ragproof.statistics.samples import FloatArray, all_equal, without_dust
from ragproof.statistics.sign_flip import UNRESOLVABLE_UP_TO
from ragproof.statistics.studentised import studentised_intervals

ALPHA = 0.05
"""The chance of telling any two runs apart on one measure that do not differ, at most."""
CONFIDENCE = 0.95

Places = tuple[int, int]
"""Of the run and of the one it is held against."""


class Degenerate(StrEnum):
    """Why a contrast has no spread; the value is the words to print."""

    ONE_QUERY = "one query"
    SAME = "the same on every query"
    SHIFTED = "differs by the same amount on every query"


@dataclass(frozen=True)
class Contrast:
    """One run held against another on one measure.

    Attributes:
        run: the name of the one.
        against: the name of the other.
        effects: of the differences, `run` minus `against`, a query each; all measures rise with quality.
        interval: of the mean difference, of this contrast alone; without ends on a single query, flagged when
            the differences do not vary.
        p: adjusted over the contrasts of the measure, in (0, 1].
        p_raw: of this contrast alone.
        p_over_measures: `p` adjusted over the measures as well, for this contrast (Holm); None when one
            measure was tested.
        degenerate: why the differences do not vary; None when they do.
    """

    run: str
    against: str
    effects: EffectSizes
    interval: Interval
    p: float
    p_raw: float
    p_over_measures: float | None
    degenerate: Degenerate | None

    @property
    def nonzero(self) -> int:
        """Queries on which the two differ."""
        return self.effects.wins + self.effects.losses

    @property
    def unresolvable(self) -> bool:
        """Whether no outcome on so few differing queries could have told the two apart."""
        return self.nonzero <= UNRESOLVABLE_UP_TO

    @property
    def separated(self) -> bool:
        """Whether the two are told apart on this measure."""
        return self.p <= ALPHA and not self.unresolvable


@dataclass(frozen=True)
class Differences:
    """The contrasts of one measure, query by query.

    Attributes:
        places: the two runs of each contrast.
        table: first minus second, shape (queries, contrasts).
        intervals: of the mean of each contrast.
    """

    places: tuple[Places, ...]
    table: FloatArray
    intervals: tuple[Interval, ...]


def differences(scores: FloatArray, baseline: int | None, *, seed: int, draws: int) -> Differences:
    """Form the contrasts of some runs.

    Args:
        scores: of one measure between 0 and 1, shape (queries, runs), at least one query and two runs.
        baseline: the place of the run that every other is held against; None is every pair, the later run
            against the earlier one.
        seed: of the resamples, at least 0.
        draws: how many resamples, at least 1.
    """
    if baseline is None:
        pairs, table = all_pairs(scores)
        places = tuple((later, earlier) for earlier, later in pairs)
    else:
        places = tuple((run, baseline) for run in range(scores.shape[1]) if run != baseline)
        table = scores[:, [run for run, _ in places]] - scores[:, [baseline]]
    return Differences(places, table, _intervals(scores, places, table, seed, draws))


def degenerate(d: FloatArray) -> Degenerate | None:
    """Return why the differences of a contrast do not vary; None when they do.

    Args:
        d: one a query, at least one.
    """
    if d.size == 1:
        return Degenerate.ONE_QUERY
    if not all_equal(d):
        return None
    return Degenerate.SHIFTED if without_dust(d).any() else Degenerate.SAME


def _intervals(
    scores: FloatArray, places: Sequence[Places], table: FloatArray, seed: int, draws: int
) -> tuple[Interval, ...]:
    if len(table) == 1:
        # One query says nothing of a spread, and an interval of it would only repeat the measure's range.
        return (Interval(None, None, CONFIDENCE, "none", Flag.ONE_CASE),) * len(places)
    if np.isin(scores, (0.0, 1.0)).all():
        counts = [paired_table(scores[:, run], scores[:, against]) for run, against in places]
        return tuple(
            newcombe_interval(t.both, t.only_first, t.only_second, t.neither, confidence=CONFIDENCE)
            for t in counts
        )
    return studentised_intervals(
        table, lowest=-1.0, highest=1.0, confidence=CONFIDENCE, seed=seed, draws=draws
    )
