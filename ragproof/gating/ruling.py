"""What a gate says of one threshold on one set of cases, with every number it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ragproof.gating.demands import Demand
from ragproof.gating.verdict import Verdict
from ragproof.summaries import Tag


@dataclass(frozen=True)
class Counts:
    """How many cases a ruling is about.

    Attributes:
        scored: cases with a number; of a drop, in both runs.
        expected: those that should have one.
        missing: why the others have none: reason and number of cases, most frequent first.
        absent: why cases are left out that the metric has nothing to say of.
        groups: how many groups they come in; None when they are independent.
        design_effect: how much the groups inflate the variance; None without groups, or without spread.
    """

    scored: int
    expected: int
    missing: Mapping[str, int] = field(default_factory=dict)
    absent: Mapping[str, int] = field(default_factory=dict)
    groups: int | None = None
    design_effect: float | None = None


@dataclass(frozen=True)
class Numbers:
    """What was measured, and the bounds that decided.

    Attributes:
        measured: the run's mean, percentile or error rate; of a drop, its mean on the cases of both.
        baseline: the baseline's mean on those cases; None of anything but a drop.
        compared: what the bounds are bounds of: the mean, the difference (+ is better), or a share of cases.
        threshold: what they are compared with, in the same unit.
        pass_bound: PASS is asked of it, every missing value at its worst; None when there is none.
        fail_bound: FAIL is asked of it; None when there is none.
        confidence: one-sided, of the bounds.
        detectable: the drop that this gate tells from none 8 times in 10; None of anything but a drop.
        cases_needed: about how many cases would decide what is open; None when it is decided, or not known.
    """

    measured: float | None
    baseline: float | None
    compared: float | None
    threshold: float
    pass_bound: float | None
    fail_bound: float | None
    confidence: float
    detectable: float | None = None
    cases_needed: int | None = None


@dataclass(frozen=True)
class FallenCase:
    """A case on which the run is worse than the baseline.

    Attributes:
        id: of the case.
        before: the baseline's value.
        after: the run's.
    """

    id: str
    before: float
    after: float


@dataclass(frozen=True)
class Ruling:
    """A verdict on one demand.

    Attributes:
        demand: what was demanded.
        tag: of which cases; None is all.
        verdict: what is said.
        reason: why, in one sentence.
        counts: None when nothing was counted.
        numbers: None when nothing was judged.
        tags_tested: how many values of the tag share the chance of a false FAIL (Holm); 1 when it is alone.
        fallen: of a drop that failed, the cases that fell furthest, the worst first; empty otherwise.
    """

    demand: Demand
    tag: Tag | None
    verdict: Verdict
    reason: str
    counts: Counts | None = None
    numbers: Numbers | None = None
    tags_tested: int = 1
    fallen: tuple[FallenCase, ...] = ()

    @property
    def subject(self) -> str:
        """The metric, and the tag of its cases when it is not all of them."""
        tag = self.tag or self.demand.tag
        return self.demand.metric if tag is None else f"{self.demand.metric} [{tag}]"
