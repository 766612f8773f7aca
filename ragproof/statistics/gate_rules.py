"""Gate rules: `max_drop` against a baseline, `min` and `max` of one run, each judged case by case.

Direction comes from the metric: where a rise is the regression both runs are negated first, and a `max` rule
is a `min` rule on negated values. False friend: comparing two means, which knows neither pairing nor noise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ragproof.statistics.gate_bounds import Span
from ragproof.statistics.missing import paired_samples, within
from ragproof.statistics.samples import FloatArray, ends, optional_sample, without_dust
from ragproof.statistics.verdicts import Rule, RuleTest, judged


def drop_verdict(
    baseline: Sequence[float | None] | FloatArray,
    candidate: Sequence[float | None] | FloatArray,
    *,
    margin: float,
    lowest: float | None = None,
    highest: float | None = None,
    higher_is_better: bool = True,
    confidence: float = 0.95,
    noise_floor: float = 0.0,
) -> RuleTest:
    """Judge a `max_drop` rule: is the candidate worse than the baseline by more than a margin?

    Args:
        baseline: one value a case; None or NaN is a missing one.
        candidate: the same cases in the same order.
        margin: the drop that is allowed, in the metric's unit, at least 0.
        lowest: the metric's smallest possible value; None when there is none.
        highest: the largest.
        higher_is_better: False for a metric where a rise is the regression.
        confidence: one-sided, in (0.5, 1).
        noise_floor: a mean drop smaller than this never fails, at least 0.

    Returns:
        The verdict; mean and bounds are of the oriented difference, candidate better is positive.

    Raises:
        ValueError: when the lengths differ, nothing is given, a value lies outside the range, or the margin,
            noise floor or confidence makes no sense.
    """
    for name, number in (("margin", margin), ("noise_floor", noise_floor)):
        if not (number >= 0.0 and math.isfinite(number)):
            raise ValueError(f"'{name}' is {number}; expected a number of at least 0")
    a, b = paired_samples(baseline, candidate)
    span = ends(lowest, highest)
    within(a, span, "baseline")
    within(b, span, "candidate")
    if not higher_is_better:
        a, b = -a, -b
        span = None if span is None else (-span[1], -span[0])
    pairs = ~np.isnan(a) & ~np.isnan(b)
    observed = without_dust(b[pairs] - a[pairs]) if pairs.any() else np.empty(0)
    rule = Rule(
        threshold=-margin,
        span=None if span is None else (span[0] - span[1], span[1] - span[0]),
        confidence=_one_sided(confidence),
        of_differences=True,
        noise_floor=noise_floor,
    )
    n_missing = int(np.isnan(a).sum() + np.isnan(b).sum())
    return judged(observed, _unknown_differences(a[~pairs], b[~pairs], span), n_missing, rule)


def level_verdict(
    values: Sequence[float | None] | FloatArray,
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    lowest: float | None = None,
    highest: float | None = None,
    confidence: float = 0.95,
) -> RuleTest:
    """Judge a `min` or `max` rule: is the mean of one run on the right side of a threshold?

    Args:
        values: one value a case; None or NaN is a missing one.
        at_least: the threshold of a `min` rule; None for the other kind.
        at_most: the threshold of a `max` rule; exactly one of the two is given.
        lowest: the metric's smallest possible value; None when there is none.
        highest: the largest.
        confidence: one-sided, in (0.5, 1).

    Returns:
        The verdict. On a metric that took only the two ends of its range, a bound must clear Wilson's too.

    Raises:
        ValueError: when no value is given, one lies outside the range, or not exactly one finite threshold
            is.
    """
    thresholds = [number for number in (at_least, at_most) if number is not None]
    if len(thresholds) != 1 or not math.isfinite(thresholds[0]):
        raise ValueError(
            f"the thresholds are {at_least} and {at_most}; expected one number, at_least or at_most"
        )
    span = ends(lowest, highest)
    read = optional_sample(values, "values")
    within(read, span, "values")
    sign = 1.0 if at_most is None else -1.0
    oriented = span if span is None or sign > 0 else (-span[1], -span[0])
    gone = int(np.isnan(read).sum())
    rule = Rule(sign * thresholds[0], oriented, _one_sided(confidence), of_differences=False)
    test = judged(sign * read[~np.isnan(read)], () if oriented is None else (oriented,) * gone, gone, rule)
    return test if sign > 0 else _turned(test)


def _one_sided(confidence: float) -> float:
    """A confidence under one half would put the lower bound above the mean."""
    if not 0.5 < confidence < 1.0:
        raise ValueError(f"'confidence' is {confidence}; expected a number over 0.5 and under 1")
    return confidence


def _unknown_differences(a: FloatArray, b: FloatArray, span: Span) -> tuple[tuple[float, float], ...]:
    """For every case without a pair, the least and the most that B - A could be."""
    if span is None:
        return ()
    least = np.where(np.isnan(b), span[0], b) - np.where(np.isnan(a), span[1], a)
    most = np.where(np.isnan(b), span[1], b) - np.where(np.isnan(a), span[0], a)
    return tuple(zip(least.tolist(), most.tolist(), strict=True))


def _turned(test: RuleTest) -> RuleTest:
    """A `max` rule was judged on negated values: turn its numbers back."""
    return replace(
        test,
        mean=_minus(test.mean),
        lower=_minus(test.upper),
        upper=_minus(test.lower),
        decisive=_minus(test.decisive),
        t=_minus(test.t),
    )


def _minus(number: float | None) -> float | None:
    return None if number is None else -number
