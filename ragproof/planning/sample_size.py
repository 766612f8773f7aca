"""Cases for an effect, and the effect for so many cases, by the test that the comparison will run.

The paired t test for a metric of many values, McNemar's exact test for one of 0 and 1, the normal formula
for repeated trials (`ragproof.statistics.power` and its neighbours).
"""

from __future__ import annotations

import math
from enum import StrEnum

from ragproof.planning.question import Question
from ragproof.planning.spread import Spread
from ragproof.statistics.power import cases_for_effect, detectable_effect
from ragproof.statistics.power_binary import (
    cases_for_mcnemar,
    detectable_binary_difference,
    power_of_mcnemar,
)
from ragproof.statistics.power_trials import cases_for_trials, detectable_effect_with_trials
from ragproof.statistics.sign_flip import UNRESOLVABLE_UP_TO

_STEPS = 40
_EXACT_UP_TO = 200_000
"""Above so many cases the exact power of McNemar's test is that of the normal approximation."""


class Method(StrEnum):
    """The test that is planned for; the value is its name for readers."""

    T = "paired t"
    MCNEMAR = "exact McNemar"
    TRIALS = "paired, repeated trials"


def method_of(spread: Spread) -> Method:
    """Return which test a spread is planned for."""
    if spread.trials is not None:
        return Method.TRIALS
    return Method.T if spread.discordant is None else Method.MCNEMAR


def cases_needed(spread: Spread, question: Question, design_effect: float) -> int:
    """Return how many scored cases see the effect.

    Args:
        spread: how differences vary.
        question: the effect and the errors.
        design_effect: how much groups of cases inflate the variance, at least 1.

    Returns:
        Whole cases: as many as the test's power takes, and as many as it takes for enough of them to differ.
    """
    return max(_for_power(spread, question, design_effect), _for_any_p(spread))


def _for_any_p(spread: Spread) -> int:
    """Cases of which so many differ that a sign flip can reach p < 0.05 at all."""
    if not spread.differing:
        return 0
    return math.ceil((UNRESOLVABLE_UP_TO + 1) * spread.cases / spread.differing)


def _for_power(spread: Spread, question: Question, design_effect: float) -> int:
    alpha, power, effect = question.alpha, question.power, question.effect
    if spread.trials is not None:
        return cases_for_trials(
            effect,
            omega2=spread.trials.between,
            sigma2_a=spread.trials.within_a,
            sigma2_b=spread.trials.within_b,
            trials_a=question.repeats,
            alpha=alpha,
            power=power,
            design_effect=design_effect,
        ).n
    deviation = spread.deviation
    if spread.discordant is not None:
        # An effect larger than the share that ever differed takes that many differing cases.
        discordant = max(spread.discordant, effect)
        deviation = math.sqrt(max(discordant - effect**2, 0.0))
        rough = discordant * 10.0 / effect**2
        if rough < _EXACT_UP_TO:
            better, worse = (discordant + effect) / 2, (discordant - effect) / 2
            return cases_for_mcnemar(better, worse, alpha=alpha, power=power, design_effect=design_effect).n
    return cases_for_effect(effect / deviation, alpha=alpha, power=power, design_effect=design_effect).n


def effect_seen(spread: Spread, cases: int, question: Question, design_effect: float) -> float | None:
    """Return the smallest effect that so many scored cases see; arguments as of `cases_needed`.

    Returns:
        In the metric's unit, over 0; None when they see none.
    """
    alpha, power = question.alpha, question.power
    if cases < 1:
        return None
    if spread.trials is not None:
        return detectable_effect_with_trials(
            cases,
            omega2=spread.trials.between,
            sigma2_a=spread.trials.within_a,
            sigma2_b=spread.trials.within_b,
            trials_a=question.repeats,
            alpha=alpha,
            power=power,
            design_effect=design_effect,
        )
    if spread.discordant is not None:
        found = detectable_binary_difference(
            cases, spread.discordant, alpha=alpha, power=power, design_effect=design_effect
        )
        return _one_sided(int(cases / design_effect), question) if found is None else found
    return detectable_effect(cases, spread.deviation, alpha=alpha, power=power, design_effect=design_effect)


def _one_sided(cases: int, question: Question) -> float | None:
    """The smallest share of cases that, all won by one variant, is seen: more must differ than ever did."""

    def seen(share: float) -> bool:
        return power_of_mcnemar(cases, share, 0.0, alpha=question.alpha) >= question.power

    if cases < 1 or not seen(1.0):
        return None
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if seen(middle) else (middle, high)
    return high
