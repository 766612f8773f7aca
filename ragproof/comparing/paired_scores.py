"""One metric over the cases that two runs share: which of them form pairs, and why the others do not.

Oriented, so that a positive difference is better for the candidate whichever way the metric points. A case
that either run has nothing to say of is left out; one that should have had a number is missing, and bounded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ragproof.comparing.pairing import Pair
from ragproof.comparing.scored_run import MetricScores, ScoredRun, Standing
from ragproof.errors import ConfigurationError
from ragproof.metric import Direction
from ragproof.statistics.missing import Missingness, missingness
from ragproof.statistics.samples import TIE_TOLERANCE, FloatArray

Span = tuple[float, float] | None


@dataclass(frozen=True)
class Arm:
    """One run's part in a comparison on one metric, over the shared cases.

    Attributes:
        mean: over its own scored cases; None when there is none.
        scored: cases with a number.
        missing: cases that should have had one.
        absent: cases that the metric has nothing to say of.
        missing_reasons: cases by reason, most frequent first.
        absent_reasons: the same of those that are absent.
    """

    mean: float | None
    scored: int
    missing: int
    absent: int
    missing_reasons: Mapping[str, int]
    absent_reasons: Mapping[str, int]

    @property
    def expected(self) -> int:
        """Cases that the metric speaks of: scored or missing."""
        return self.scored + self.missing


@dataclass(frozen=True)
class PairedScores:
    """Both runs' numbers of one metric, case by case.

    Attributes:
        key: of the metric.
        direction: which way is better.
        span: both ends of its range; None when it is open or not known.
        first: the baseline's scores.
        second: the candidate's.
    """

    key: str
    direction: Direction
    span: Span
    first: MetricScores
    second: MetricScores

    @property
    def ranks(self) -> bool:
        """Whether one way is better; a metric that describes is shown and never tested."""
        return self.direction is not Direction.NONE

    @property
    def sign(self) -> float:
        """What turns a difference so that more is better."""
        return -1.0 if self.direction is Direction.LOWER else 1.0

    @cached_property
    def values(self) -> tuple[FloatArray, FloatArray]:
        """Baseline's and candidate's numbers as they were measured, NaN where there is none."""
        return self.first.values(), self.second.values()

    @cached_property
    def differences(self) -> FloatArray:
        """Candidate minus baseline, oriented, one a case; NaN where they are no pair."""
        first, second = self.values
        return self.sign * (second - first)

    @property
    def span_of_differences(self) -> Span:
        """The ends of what a difference can be; None when the range is open."""
        return None if self.span is None else (self.span[0] - self.span[1], self.span[1] - self.span[0])

    @cached_property
    def pairs(self) -> NDArray[np.bool_]:
        """Which cases both runs scored."""
        return ~np.isnan(self.differences)

    @property
    def n_pairs(self) -> int:
        """How many they are."""
        return int(self.pairs.sum())

    @cached_property
    def binary(self) -> bool:
        """Whether the pairs took the two ends of a range from 0 to 1 alone."""
        found = np.concatenate([each[self.pairs] for each in self.values])
        return self.span == (0.0, 1.0) and bool(np.isin(found, (0.0, 1.0)).all())

    def arms(self) -> tuple[Arm, Arm]:
        """Count what each run has."""
        return _arm(self.first, self.values[0]), _arm(self.second, self.values[1])

    def missingness(self) -> Missingness | None:
        """Bound what the missing cases could change, oriented; None when no case was in both runs' reach."""
        spoken = (self.first.standing != int(Standing.ABSENT)) & (
            self.second.standing != int(Standing.ABSENT)
        )
        if not spoken.any():
            return None
        ends = None if self.span is None else tuple(sorted(self.sign * end for end in self.span))
        return missingness(
            *((self.sign * each[spoken]).tolist() for each in self.values),
            lowest=None if ends is None else ends[0],
            highest=None if ends is None else ends[1],
            reasons_a=_missing_reasons(self.first, spoken),
            reasons_b=_missing_reasons(self.second, spoken),
        )


def paired_scores(pair: Pair, key: str) -> PairedScores:
    """Line one metric of two runs up.

    Args:
        pair: both runs over their shared cases.
        key: a metric that both measured.

    Raises:
        ConfigurationError: a value lies outside the metric's range, so that no bound of it would hold.
    """
    first, second = pair.first.scores[key], pair.second.scores[key]
    # A metric that is not known here any more has no range in this store, and may have one in a file.
    span = second.traits.span or first.traits.span
    for run, scores in ((pair.first, first), (pair.second, second)):
        _refuse_outside(run, key, scores, span)
    return PairedScores(key, second.traits.direction, span, first, second)


def _refuse_outside(run: ScoredRun, key: str, scores: MetricScores, span: Span) -> None:
    if span is None:
        return
    slack = TIE_TOLERANCE * (span[1] - span[0])
    odd = scores.trials[(scores.trials < span[0] - slack) | (scores.trials > span[1] + slack)]
    if odd.size:
        raise ConfigurationError(
            f"run '{run.source}' holds {odd[0]:g} for metric '{key}'; expected values from {span[0]:g} to"
            f" {span[1]:g}: measure it again, or export it again"
        )


def _arm(scores: MetricScores, values: FloatArray) -> Arm:
    missing, absent = scores.missing, scores.standing == int(Standing.ABSENT)
    return Arm(
        mean=float(values[scores.scored].mean()) if scores.scored.any() else None,
        scored=int(scores.scored.sum()),
        missing=int(missing.sum()),
        absent=int(absent.sum()),
        missing_reasons=_counted(scores.reasons, missing),
        absent_reasons=_counted(scores.reasons, absent),
    )


def _counted(reasons: Sequence[str | None], where: NDArray[np.bool_]) -> Mapping[str, int]:
    counts = Counter(reasons[place] or "no reason was kept" for place in np.flatnonzero(where).tolist())
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _missing_reasons(scores: MetricScores, where: NDArray[np.bool_]) -> list[str | None]:
    missing = scores.missing
    return [scores.reasons[place] if missing[place] else None for place in np.flatnonzero(where).tolist()]
