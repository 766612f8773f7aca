"""The verdict of one gate rule: PASS, FAIL or INCONCLUSIVE, from one-sided bounds against the threshold.

PASS only when the lower bound clears the threshold at every assignment of the missing values; FAIL when the
upper bound of the values there are lies under it; else INCONCLUSIVE. Losing a scored value never turns a
verdict that was no PASS into one. False friend: "not significantly worse, so it passes".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ragproof.statistics.distributions import t_upper_tail
from ragproof.statistics.gate_bounds import MOST_MISSING, Span, lowest_lower_bound, one_sided_bounds
from ragproof.statistics.interval import Flag
from ragproof.statistics.proportions import wilson_interval
from ragproof.statistics.samples import FloatArray, all_equal
from ragproof.statistics.sign_flip import UNRESOLVABLE_UP_TO


class Verdict(StrEnum):
    """What a rule says of a run."""

    PASS = "pass"
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True)
class RuleTest:
    """A verdict and what it rests on, all in the orientation of the metric: of `max` rules as they stand.

    Attributes:
        verdict: PASS, FAIL or INCONCLUSIVE.
        reason: one sentence for whoever reads it.
        mean: of the values, or differences, there are; None without any.
        lower: one-sided lower bound of the values there are; None when they carry none.
        upper: one-sided upper bound; None together with `lower`.
        decisive: the bound that PASS was asked of, with every missing value at its worst; None when there is
            none.
        t: (mean - threshold) / standard error; None without spread.
        p: one-sided, that the threshold is not cleared; None together with t.
        n: values, or pairs, there are.
        n_missing: missing values; a case that both runs lack counts twice.
        n_nonzero: differences, or values, that are not zero.
        flag: what is wrong with the data; None when nothing.
    """

    verdict: Verdict
    reason: str
    mean: float | None
    lower: float | None
    upper: float | None
    decisive: float | None
    t: float | None
    p: float | None
    n: int
    n_missing: int
    n_nonzero: int
    flag: Flag | None = None


@dataclass(frozen=True)
class Rule:
    """An oriented rule: the mean should be above the threshold.

    Attributes:
        threshold: what the mean is compared with.
        span: the ends of the range of one value, or difference; None when it is open.
        confidence: one-sided, in (0, 1).
        of_differences: whether the values are paired differences.
        noise_floor: a mean drop smaller than this never fails, at least 0; of differences alone.
    """

    threshold: float
    span: Span
    confidence: float
    of_differences: bool
    noise_floor: float = 0.0


def judged(
    observed: FloatArray, unknown: Sequence[tuple[float, float]], n_missing: int, rule: Rule
) -> RuleTest:
    """Judge an oriented sample.

    Args:
        observed: the values there are, shape (n,); may be empty.
        unknown: for every case without a value the lowest and highest it could be; empty when the range is
            open.
        n_missing: missing values, at least 0.
        rule: the oriented rule.

    Returns:
        The verdict and what it rests on, in the rule's orientation.
    """
    n_nonzero = int((observed != 0.0).sum())
    if observed.size < 2:
        return _of_too_few(observed, n_missing, n_nonzero)
    span = rule.span
    bounds = one_sided_bounds(
        observed,
        confidence=rule.confidence,
        lowest=span[0] if span else None,
        highest=span[1] if span else None,
    )
    lower, upper = bounds.lower, bounds.upper
    known = span is not None or n_missing == 0
    decisive = (
        lowest_lower_bound(observed, unknown, span=span, confidence=rule.confidence)
        if known and n_missing <= MOST_MISSING
        else None
    )
    if span is not None and not rule.of_differences and np.isin(observed, span).all():
        lower, upper, decisive = _with_wilson(observed, n_missing, span, rule, (lower, upper, decisive))
    verdict, reason = _verdict(rule, decisive, upper, bounds.mean, n_missing, n_nonzero)
    t, p = _against(observed, rule.threshold)
    return RuleTest(
        verdict=verdict,
        reason=reason,
        mean=bounds.mean,
        lower=lower,
        upper=upper,
        decisive=decisive,
        t=t,
        p=p,
        n=observed.size,
        n_missing=n_missing,
        n_nonzero=n_nonzero,
        flag=bounds.flag,
    )


def _of_too_few(observed: FloatArray, n_missing: int, n_nonzero: int) -> RuleTest:
    flag = Flag.ONE_CASE if observed.size else Flag.NO_CASE
    return RuleTest(
        verdict=Verdict.INCONCLUSIVE,
        reason=f"{flag}, at least two scored cases are needed",
        mean=float(observed[0]) if observed.size else None,
        lower=None,
        upper=None,
        decisive=None,
        t=None,
        p=None,
        n=observed.size,
        n_missing=n_missing,
        n_nonzero=n_nonzero,
        flag=flag,
    )


def _verdict(
    rule: Rule, decisive: float | None, upper: float | None, mean: float, n_missing: int, n_nonzero: int
) -> tuple[Verdict, str]:
    few = rule.of_differences and n_nonzero <= UNRESOLVABLE_UP_TO
    if decisive is not None and decisive > rule.threshold and not few:
        return Verdict.PASS, "the bound clears the threshold whatever the missing values are"
    if upper is not None and upper < rule.threshold:
        if rule.of_differences and -mean < rule.noise_floor:
            return Verdict.INCONCLUSIVE, f"the drop is under the noise floor of {rule.noise_floor}"
        return Verdict.FAIL, "the whole interval lies beyond the threshold"
    if few:
        return Verdict.INCONCLUSIVE, f"{n_nonzero} differences are not zero, and up to 5 can show nothing"
    if n_missing > MOST_MISSING:
        return Verdict.INCONCLUSIVE, f"{n_missing} values are missing, over {MOST_MISSING}"
    if n_missing and rule.span is None:
        return Verdict.INCONCLUSIVE, "a value is missing and the metric has no range to bound it"
    if decisive is None:
        return Verdict.INCONCLUSIVE, str(Flag.ALL_EQUAL)
    return Verdict.INCONCLUSIVE, "the interval reaches both sides of the threshold"


def _with_wilson(
    observed: FloatArray,
    n_missing: int,
    span: tuple[float, float],
    rule: Rule,
    bounds: tuple[float | None, float | None, float | None],
) -> tuple[float | None, float | None, float | None]:
    """Pull every bound out to Wilson's: t is too short where nearly all values are one end of the range."""
    high = int((observed == span[1]).sum())
    two_sided = 2.0 * rule.confidence - 1.0
    seen = wilson_interval(high, observed.size, confidence=two_sided)
    worst = wilson_interval(high, observed.size + n_missing, confidence=two_sided)
    lower, upper, decisive = bounds
    return (
        _outer(min, lower, seen.low, span),
        _outer(max, upper, seen.high, span),
        _outer(min, decisive, worst.low, span),
    )


def _outer(
    choose: Callable[[float, float], float],
    bound: float | None,
    share: float | None,
    span: tuple[float, float],
) -> float | None:
    if bound is None or share is None:
        return bound
    return choose(bound, span[0] + share * (span[1] - span[0]))


def _against(observed: FloatArray, threshold: float) -> tuple[float | None, float | None]:
    if all_equal(observed):
        return None, None
    error = float(observed.std(ddof=1)) / math.sqrt(observed.size)
    t = (float(observed.mean()) - threshold) / error
    return t, t_upper_tail(t, observed.size - 1)
