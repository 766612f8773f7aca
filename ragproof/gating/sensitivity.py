"""What a gate could have seen at all: the drop it can tell from none, and the cases that would decide it.

From how the cases of this sample vary, one-sided as the gate decides, 8 times in 10. False friend: "observed
power", computed from the drop just found, which is the verdict in other words.
"""

from __future__ import annotations

import numpy as np

from ragproof.gating.outcome import Outcome
from ragproof.gating.sample import Sample
from ragproof.statistics.power import detectable_effect
from ragproof.statistics.power_trials import cases_for_trials, detectable_effect_with_trials
from ragproof.statistics.samples import FloatArray, all_equal

POWER = 0.8
MOST_CASES = 1_000_000
"""More than that is no advice."""
_MANY_CASES = 30
"""From here on the normal formula is right to 3 %, and spares a second of loading statsmodels."""


def detectable_drop(sample: Sample, outcome: Outcome) -> float | None:
    """Return the smallest drop that this gate tells from none.

    Args:
        sample: the differences.
        outcome: of the demand on them.

    Returns:
        In the metric's unit, over 0; None when nothing varies, or there are too few cases for any.
    """
    values, inflation = sample.values[~np.isnan(sample.values)], _inflation(outcome)
    if values.size < 2 or all_equal(values):
        return None
    alpha = 2.0 * (1.0 - outcome.confidence)
    if values.size / inflation < _MANY_CASES:
        return detectable_effect(
            values.size, _spread(values), alpha=alpha, power=POWER, design_effect=inflation
        )
    return detectable_effect_with_trials(
        values.size,
        omega2=_spread(values) ** 2,
        sigma2_a=0.0,
        sigma2_b=0.0,
        alpha=alpha,
        power=POWER,
        design_effect=inflation,
    )


def cases_to_decide(sample: Sample, outcome: Outcome, distance: float) -> int | None:
    """Return about how many cases would decide a demand.

    Args:
        sample: what it is judged on.
        outcome: of the demand on it.
        distance: how far the truth is taken to be from the threshold; the sign does not matter.

    Returns:
        More than there are; None when nothing varies, when so many would decide already, or beyond a million.
    """
    values = sample.values[~np.isnan(sample.values)]
    if values.size < 2 or all_equal(values) or abs(distance) <= 0.0:
        return None
    found = cases_for_trials(
        distance,
        omega2=_spread(values) ** 2,
        sigma2_a=0.0,
        sigma2_b=0.0,
        alpha=2.0 * (1.0 - outcome.confidence),
        power=POWER,
        design_effect=_inflation(outcome),
    )
    return found.n if sample.expected < found.n <= MOST_CASES else None


def _spread(values: FloatArray) -> float:
    return float(values.std(ddof=1))


def _inflation(outcome: Outcome) -> float:
    """How much groups inflate the variance; an effect under 1 is not counted on to come again."""
    return max(1.0, outcome.design_effect or 1.0)
