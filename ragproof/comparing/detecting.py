"""The smallest difference that a comparison would have seen 8 times in 10, given how its cases vary.

False friend: "observed power", computed from the difference just found, which is p in other words.
"""

from __future__ import annotations

import math
from functools import lru_cache

from ragproof.comparing.metric_comparison import ALPHA, POWER
from ragproof.comparing.paired_scores import PairedScores
from ragproof.statistics.power import detectable_effect
from ragproof.statistics.power_binary import detectable_binary_difference
from ragproof.statistics.power_trials import detectable_effect_with_trials
from ragproof.statistics.samples import all_equal

MANY_CASES = 1_000
"""From here on the normal formula is right to a thousandth, and spares a second of loading statsmodels."""
MANY_DISCORDANT = 200
"""From here on it is right to a fiftieth for McNemar's exact test, whose power takes a tenth of a second."""


def detectable(scores: PairedScores, design_effect: float | None) -> float | None:
    """Return the smallest mean difference that the test would see.

    Args:
        scores: a metric with at least one pair.
        design_effect: how much groups inflate the variance; None is independent cases, and one under 1 is
            not counted on to come again.

    Returns:
        In the metric's unit, over 0; None when no case differs, or so few would miss any difference.
    """
    among = scores.differences[scores.pairs]
    inflation = max(1.0, design_effect or 1.0)
    if all_equal(among):
        return None
    discordant = int((among != 0.0).sum())
    if scores.binary and (discordant < MANY_DISCORDANT or among.size < MANY_CASES):
        return _between_shares(among.size, discordant, inflation)
    spread = math.sqrt(discordant / among.size) if scores.binary else float(among.std(ddof=1))
    in_deviations = _in_deviations(among.size / inflation)
    return None if in_deviations is None else in_deviations * spread


@lru_cache(maxsize=256)
def _between_shares(cases: int, discordant: int, inflation: float) -> float | None:
    """The detectable difference of a metric of 0 and 1; several metrics often differ on as many cases."""
    return detectable_binary_difference(
        cases, discordant / cases, alpha=ALPHA, power=POWER, design_effect=inflation
    )


@lru_cache(maxsize=256)
def _in_deviations(cases: float) -> float | None:
    """The detectable effect in standard deviations; the same for all metrics of as many cases."""
    if cases < MANY_CASES:
        return detectable_effect(cases, 1.0, alpha=ALPHA, power=POWER)
    return detectable_effect_with_trials(
        int(cases), omega2=1.0, sigma2_a=0.0, sigma2_b=0.0, alpha=ALPHA, power=POWER
    )
