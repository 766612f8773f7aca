"""The outcome of one demand on one sample, and how groups of cases can take a verdict back.

Where cases come in groups both bounds must clear: that of independent cases and that of the groups. So groups
turn a PASS or a FAIL into INCONCLUSIVE, and never the other way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ragproof.gating.cluster_bound import ClusterBounds
from ragproof.gating.verdict import Verdict
from ragproof.statistics.sign_flip import UNRESOLVABLE_UP_TO
from ragproof.statistics.verdicts import RuleTest
from ragproof.statistics.verdicts import Verdict as Tested

_VERDICTS = {Tested.PASS: Verdict.PASS, Tested.FAIL: Verdict.FAIL, Tested.INCONCLUSIVE: Verdict.INCONCLUSIVE}
GROUPS_LEAVE_IT_OPEN = "the cases come in groups, and the groups leave it open"
ONE_GROUP = "all cases are of one group, which is one observation"


@dataclass(frozen=True)
class Outcome:
    """A verdict and the numbers it rests on, all oriented: more is better, and the threshold is a least.

    Attributes:
        verdict: PASS, FAIL or INCONCLUSIVE.
        because: why it is open; empty of the other two, whose numbers say it.
        value: what was measured; None when there is nothing.
        lower: the bound that PASS is asked of, with every missing value at its worst; None without one.
        upper: the bound that FAIL is asked of, of the values there are; None without one.
        confidence: one-sided, of the bounds.
        groups: how many groups the cases come in; None when they are independent.
        design_effect: how much the groups inflate the variance; None without groups, or without spread.
    """

    verdict: Verdict
    because: str
    value: float | None
    lower: float | None
    upper: float | None
    confidence: float
    groups: int | None = None
    design_effect: float | None = None


def outcome_of(test: RuleTest, confidence: float) -> Outcome:
    """Return the outcome of independent cases.

    Args:
        test: oriented, from the statistics.
        confidence: it was tested at.
    """
    verdict = _VERDICTS[test.verdict]
    because = test.reason if verdict is Verdict.INCONCLUSIVE else ""
    return Outcome(verdict, because, test.mean, test.decisive, test.upper, confidence)


def with_groups(
    outcome: Outcome, bounds: ClusterBounds, threshold: float, moved_groups: int | None = None
) -> Outcome:
    """Hold an outcome of independent cases against the bounds of their groups.

    Args:
        outcome: of the same sample.
        bounds: of its groups.
        threshold: what the bounds are compared with.
        moved_groups: groups with a difference that is not zero; None when no differences are looked at.

    Returns:
        The outcome with the wider of both bounds, and INCONCLUSIVE where the groups' does not clear.
    """
    lower, upper = _outer(min, outcome.lower, bounds.lower), _outer(max, outcome.upper, bounds.upper)
    verdict, because = outcome.verdict, outcome.because
    if verdict is Verdict.PASS and moved_groups is not None and moved_groups <= UNRESOLVABLE_UP_TO:
        verdict = Verdict.INCONCLUSIVE
        because = f"the cases that differ are of {moved_groups} groups, and up to 5 can show nothing"
    elif verdict is not Verdict.INCONCLUSIVE and not _clears(verdict, lower, upper, threshold):
        verdict, because = Verdict.INCONCLUSIVE, ONE_GROUP if bounds.groups == 1 else GROUPS_LEAVE_IT_OPEN
    return replace(
        outcome,
        verdict=verdict,
        because=because,
        lower=lower,
        upper=upper,
        groups=bounds.groups,
        design_effect=bounds.design_effect,
    )


def _clears(verdict: Verdict, lower: float | None, upper: float | None, threshold: float) -> bool:
    if verdict is Verdict.PASS:
        return lower is not None and lower > threshold
    return upper is not None and upper < threshold


def _outer(choose: Callable[[float, float], float], one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else choose(one, other)
