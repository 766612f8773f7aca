"""Before a run with repeated trials: cases against trials, by the variances of both.

n = (z_(1-alpha/2) + z_power)^2 (omega2 + sigma2_A/K_A + sigma2_B/K_B) / delta^2 (Miller 2024, arXiv
2411.00640, equation 9). More trials shrink only the sigma terms: omega2 is the floor.
"""

from __future__ import annotations

import math

from ragproof.statistics.distributions import normal_quantile
from ragproof.statistics.power import SampleSize, whole
from ragproof.statistics.samples import probability


def cases_for_trials(
    delta: float,
    *,
    omega2: float,
    sigma2_a: float,
    sigma2_b: float,
    trials_a: float = 1,
    trials_b: float | None = None,
    alpha: float = 0.05,
    power: float = 0.8,
    design_effect: float = 1.0,
) -> SampleSize:
    """Return how many cases a paired comparison with repeated trials needs.

    Args:
        delta: the smallest mean difference worth seeing, not 0.
        omega2: variance of the cases' true differences, at least 0; see `paired_trial_variances`.
        sigma2_a: variance of trials inside a case of A, at least 0.
        sigma2_b: the same of B.
        trials_a: trials of each case in A, at least 1; `math.inf` is the floor that trials alone can reach.
        trials_b: of B; None is as many as A.
        alpha: in (0, 1).
        power: in (0, 1).
        design_effect: over 0; 1 for independent cases.

    Returns:
        The sample size; `n_exact` is the formula, which is normal.

    Raises:
        ValueError: when delta is 0, a variance is negative, or a number of trials is under 1.
    """
    if delta == 0.0 or not math.isfinite(delta):
        raise ValueError(f"'delta' is {delta}; expected an effect other than 0")
    variance = _variance(omega2, sigma2_a, sigma2_b, trials_a, trials_b)
    exact = _z(alpha, power) ** 2 * variance / delta**2 * design_effect
    return SampleSize(whole(exact), exact, whole(exact))


def detectable_effect_with_trials(
    n: int,
    *,
    omega2: float,
    sigma2_a: float,
    sigma2_b: float,
    trials_a: float = 1,
    trials_b: float | None = None,
    alpha: float = 0.05,
    power: float = 0.8,
    design_effect: float = 1.0,
) -> float:
    """Return the smallest mean difference that n cases with repeated trials will see.

    Args:
        n: cases, at least 1.
        omega2: variance of the cases' true differences, at least 0.
        sigma2_a: variance of trials inside a case of A, at least 0.
        sigma2_b: the same of B.
        trials_a: trials of each case in A, at least 1; may be `math.inf`.
        trials_b: of B; None is as many as A.
        alpha: in (0, 1).
        power: in (0, 1).
        design_effect: over 0; 1 for independent cases.

    Returns:
        In the metric's unit, at least 0.

    Raises:
        ValueError: when n is under 1, a variance is negative, or a number of trials is under 1.
    """
    if n < 1:
        raise ValueError(f"'n' is {n}; expected at least one case")
    variance = _variance(omega2, sigma2_a, sigma2_b, trials_a, trials_b)
    return _z(alpha, power) * math.sqrt(variance * design_effect / n)


def _z(alpha: float, power: float) -> float:
    return normal_quantile(1.0 - probability(alpha, "alpha") / 2) + normal_quantile(
        probability(power, "power")
    )


def _variance(
    omega2: float, sigma2_a: float, sigma2_b: float, trials_a: float, trials_b: float | None
) -> float:
    for name, value in (("omega2", omega2), ("sigma2_a", sigma2_a), ("sigma2_b", sigma2_b)):
        if not (value >= 0.0 and math.isfinite(value)):
            raise ValueError(f"'{name}' is {value}; expected a variance of at least 0")
    k_a, k_b = trials_a, trials_a if trials_b is None else trials_b
    for name, trials in (("trials_a", k_a), ("trials_b", k_b)):
        if not trials >= 1:
            raise ValueError(f"'{name}' is {trials}; expected at least 1 trial a case")
    return omega2 + sigma2_a / k_a + sigma2_b / k_b
