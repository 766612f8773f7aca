"""What two runs' numbers of one metric say: the difference, how sure it is, and what would have been seen."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ragproof.comparing.paired_scores import Arm, Span
from ragproof.metric import Direction
from ragproof.statistics.effects import EffectSizes
from ragproof.statistics.interval import Interval
from ragproof.statistics.missing import Missingness
from ragproof.statistics.sign_flip import SignFlip

ALPHA = 0.05
POWER = 0.8


class Verdict(StrEnum):
    """What may be claimed of a metric, with all that were tested beside it taken into account."""

    BETTER = "better"
    WORSE = "worse"
    NO_DIFFERENCE_SHOWN = "no difference shown"
    """Not the same as equal: the detectable effect says what would have been seen."""
    UNRESOLVABLE = "unresolvable"
    """At most five cases (or groups) differ: no outcome could have reached p < .05."""


class Unit(StrEnum):
    """What was flipped and resampled."""

    CASE = "case"
    GROUP = "group"
    """Cases come several to a group, and the groups are independent."""


class Degenerate(StrEnum):
    """Why there is nothing to test; the value is the words to print."""

    NO_PAIR = "no case was scored in both runs"
    ONE_PAIR = "one case alone was scored in both runs"
    SAME = "the same on every case"
    SHIFTED = "every case differs by the same amount"


@dataclass(frozen=True)
class Tested:
    """The tests of a metric that ranks.

    Attributes:
        sign_flip: of the mean difference; what decides.
        p_holm: its p, adjusted over the metrics tested, for claims.
        p_bh: the same by Benjamini and Hochberg, for exploration.
        t: of Student's paired t, or of the cluster-robust one; None without spread.
        t_p: its p.
        design_effect: how much groups inflate the variance; None of independent cases, and without spread.
    """

    sign_flip: SignFlip
    p_holm: float
    p_bh: float
    t: float | None
    t_p: float | None
    design_effect: float | None

    @property
    def verdict(self) -> Verdict:
        """The word for it."""
        if self.sign_flip.unresolvable:
            return Verdict.UNRESOLVABLE
        if self.p_holm > ALPHA:
            return Verdict.NO_DIFFERENCE_SHOWN
        return Verdict.BETTER if self.sign_flip.mean > 0.0 else Verdict.WORSE


@dataclass(frozen=True)
class MetricComparison:
    """One metric of two runs on their shared cases.

    Attributes:
        key: of the metric.
        direction: which way is better.
        span: both ends of its range; None when it is open or not known.
        first: the baseline's part.
        second: the candidate's part.
        n_pairs: cases that both scored.
        pair_means: baseline's and candidate's mean over the pairs alone; None without a pair.
        unit: what the tests flip.
        n_units: how many of them there are among the pairs.
        interval: of the mean difference, oriented; None when the metric describes or there is no pair.
        tested: None when the metric describes, or there is no pair.
        effects: likewise.
        risk_difference: the mean difference of a metric that took 0 and 1 alone; None of another.
        detectable: the smallest mean difference that would be seen 8 times in 10; None when nothing varies,
            or so few cases would miss any.
        missing: what the missing cases could change; None when no case was in both runs' reach.
        degenerate: why there is nothing to test; None when there is something.
    """

    key: str
    direction: Direction
    span: Span
    first: Arm
    second: Arm
    n_pairs: int
    pair_means: tuple[float, float] | None
    unit: Unit = Unit.CASE
    n_units: int = 0
    interval: Interval | None = None
    tested: Tested | None = None
    effects: EffectSizes | None = None
    risk_difference: float | None = None
    detectable: float | None = None
    missing: Missingness | None = None
    degenerate: Degenerate | None = None

    @property
    def difference(self) -> float | None:
        """Candidate minus baseline over the pairs, oriented where one way is better; None without a pair."""
        if self.pair_means is None:
            return None
        first, second = self.pair_means
        return first - second if self.direction is Direction.LOWER else second - first

    @property
    def verdict(self) -> Verdict | None:
        """What may be claimed; None of a metric that ranks nothing."""
        if self.direction is Direction.NONE:
            return None
        return Verdict.UNRESOLVABLE if self.tested is None else self.tested.verdict
