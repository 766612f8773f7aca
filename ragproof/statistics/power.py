"""Before a run: the cases needed to see an effect, and the effect that so many cases can see.

The paired t test's power by the noncentral t (statsmodels `TTestPower`); the sign flip's is within a percent
of it beyond a few dozen non-zero differences. False friend: "observed power", computed from the effect just
found, which is p in other words.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

import numpy as np

from ragproof.statistics.distributions import normal_quantile, special, t_quantile
from ragproof.statistics.samples import probability

LEAST_CASES = 2.0


@dataclass(frozen=True)
class SampleSize:
    """How many cases a design needs.

    Attributes:
        n: whole cases, the design effect included.
        n_exact: before rounding up.
        n_normal: whole cases by the normal approximation, for a check by hand.
    """

    n: int
    n_exact: float
    n_normal: int


def power_of_paired_t(d_z: float, n: float, *, alpha: float = 0.05) -> float:
    """Return the chance that a two-sided paired t test sees an effect.

    Args:
        d_z: the true mean difference in standard deviations of the differences; the sign does not matter.
        n: cases, over 1; fractions are allowed for effective cases.
        alpha: in (0, 1).

    Returns:
        In [alpha, 1].

    Raises:
        ValueError: when n is not over 1, or alpha is none.
    """
    if not n > 1.0:
        raise ValueError(f"'n' is {n}; expected more than one case")
    size, alpha = abs(d_z), probability(alpha, "alpha")
    with np.errstate(all="ignore"):
        power = float(import_module("statsmodels.stats.power").TTestPower().power(size, n, alpha))
    return power if math.isfinite(power) else _integrated_power(size * math.sqrt(n), n - 1.0, alpha)


def cases_for_effect(
    d_z: float, *, alpha: float = 0.05, power: float = 0.8, design_effect: float = 1.0
) -> SampleSize:
    """Return how many cases a two-sided paired t test needs.

    Args:
        d_z: the smallest mean difference worth seeing, in standard deviations of the differences; not 0.
        alpha: in (0, 1).
        power: in (alpha, 1).
        design_effect: over 0; 1 for independent cases.

    Returns:
        The sample size, at least 2.

    Raises:
        ValueError: when the effect is 0, or the power is not over alpha.
    """
    size, deff = abs(d_z), _over_zero(design_effect, "design_effect")
    if not (size > 0.0 and math.isfinite(size)):
        raise ValueError(f"'d_z' is {d_z}; expected an effect other than 0")
    _power_over_alpha(power, alpha)
    exact = _first_over(lambda n: power_of_paired_t(size, n, alpha=alpha) - power, LEAST_CASES)
    normal = ((normal_quantile(1 - alpha / 2) + normal_quantile(power)) / size) ** 2
    return SampleSize(whole(exact * deff), exact * deff, whole(normal * deff))


def detectable_effect(
    n: float,
    standard_deviation: float,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
    design_effect: float = 1.0,
) -> float | None:
    """Return the smallest mean difference that a two-sided paired t test will see.

    Args:
        n: cases.
        standard_deviation: of the differences, or of a difference in differences, over 0.
        alpha: in (0, 1).
        power: in (alpha, 1).
        design_effect: over 0; 1 for independent cases.

    Returns:
        In the metric's unit, over 0; None when n / design_effect is under 2.

    Raises:
        ValueError: when the standard deviation is not over 0, or the power is not over alpha.
    """
    _over_zero(standard_deviation, "standard_deviation")
    _power_over_alpha(power, alpha)
    effective = n / _over_zero(design_effect, "design_effect")
    if effective < LEAST_CASES:
        return None
    d_z = _first_over(lambda size: power_of_paired_t(size, effective, alpha=alpha) - power, 1e-9)
    return d_z * standard_deviation


def whole(cases: float) -> int:
    """Round cases up, forgiving rounding in the last places."""
    return max(int(LEAST_CASES), math.ceil(cases - 1e-9))


def _first_over(excess: Callable[[float], float], least: float) -> float:
    """The root of a rising function, or the least argument when it is over zero from there on."""
    if excess(least) >= 0.0:
        return least
    high = 2.0 * least
    while excess(high) < 0.0:
        high *= 4.0
    return float(import_module("scipy.optimize").brentq(excess, least, high, xtol=1e-12, rtol=1e-12))


def _integrated_power(noncentrality: float, df: float, alpha: float) -> float:
    """The power by integrating over the sample's standard deviation: scipy's noncentral t is NaN far out."""
    scores = np.linspace(-9.0, 9.0, 361)
    weights = np.exp(-(scores**2) / 2) * (scores[1] - scores[0]) / math.sqrt(2 * math.pi)
    below, above = special().ndtr(scores), special().ndtr(-scores)
    chi_square = 2.0 * np.where(
        scores < 0, special().gammaincinv(df / 2, below), special().gammainccinv(df / 2, above)
    )
    reach = t_quantile(1.0 - alpha / 2, df) * np.sqrt(chi_square / df)
    seen = special().ndtr(noncentrality - reach) + special().ndtr(-noncentrality - reach)
    return float((weights * seen).sum())


def _over_zero(value: float, name: str) -> float:
    if not (value > 0.0 and math.isfinite(value)):
        raise ValueError(f"'{name}' is {value}; expected a number over 0")
    return float(value)


def _power_over_alpha(power: float, alpha: float) -> None:
    if not probability(power, "power") > probability(alpha, "alpha"):
        raise ValueError(f"'power' is {power}; expected more than alpha, {alpha}")
