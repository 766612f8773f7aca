"""Before a run on a binary metric: the exact unconditional power of McNemar's exact test.

The number of discordant cases is binomial, and so is their split; the power is the mixture over both (Duffy
1984; no approximation). It is a saw tooth in n, for the test can use only some of its 5 %.
"""

from __future__ import annotations

import numpy as np

from ragproof.statistics.distributions import special
from ragproof.statistics.power import SampleSize, whole
from ragproof.statistics.samples import FloatArray, probability

MOST_CASES = 1_000_000
_TEETH = 40


def power_of_mcnemar(n: int, p_only_b: float, p_only_a: float, *, alpha: float = 0.05) -> float:
    """Return the chance that McNemar's exact two-sided test sees a difference.

    Args:
        n: cases, at least 1.
        p_only_b: chance that B alone is right on a case, from 0 to 1.
        p_only_a: chance that A alone is; the two sum to at most 1.
        alpha: in (0, 1).

    Returns:
        In [0, 1]; 0 when nothing is ever discordant.

    Raises:
        ValueError: when n is under 1, or the chances are none.
    """
    alpha = probability(alpha, "alpha")
    discordant = _discordant(p_only_b, p_only_a)
    if n < 1:
        raise ValueError(f"'n' is {n}; expected at least one case")
    if discordant == 0.0:
        return 0.0
    spread = 12.0 * np.sqrt(n * discordant * (1.0 - discordant)) + 12.0
    middle = n * discordant
    counts = np.arange(max(0, int(middle - spread)), min(n, int(middle + spread)) + 1, dtype=np.float64)
    weights = _binomial_cdf(counts, n, discordant) - _binomial_cdf(counts - 1.0, n, discordant)
    critical = _critical(counts, alpha)
    share = p_only_b / discordant
    seen = _binomial_cdf(critical, counts, share) + _binomial_cdf(critical, counts, 1.0 - share)
    return float(np.clip((weights * np.where(critical >= 0.0, seen, 0.0)).sum(), 0.0, 1.0))


def cases_for_mcnemar(
    p_only_b: float,
    p_only_a: float,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
    design_effect: float = 1.0,
) -> SampleSize:
    """Return how many cases McNemar's exact two-sided test needs.

    Args:
        p_only_b: chance that B alone is right on a case.
        p_only_a: chance that A alone is; not the same.
        alpha: in (0, 1).
        power: in (0, 1).
        design_effect: over 0; 1 for independent cases.

    Returns:
        The smallest n from which the power stays reached over the next teeth of the saw; `n_normal` is
        Connor's approximation (1987).

    Raises:
        ValueError: when the chances are equal or none, or over a million cases would be needed.
    """
    discordant, difference = _discordant(p_only_b, p_only_a), abs(p_only_b - p_only_a)
    power = probability(power, "power")
    if difference == 0.0:
        raise ValueError(f"'p_only_b' and 'p_only_a' are both {p_only_b}; expected a difference to see")
    z_alpha = float(special().ndtri(1.0 - probability(alpha, "alpha") / 2))
    z_power = float(special().ndtri(power))
    normal = (
        (z_alpha * np.sqrt(discordant) + z_power * np.sqrt(discordant - difference**2)) / difference
    ) ** 2
    n = _smallest(p_only_b, p_only_a, alpha, power, start=max(8, int(normal)))
    return SampleSize(whole(n * design_effect), n * design_effect, whole(float(normal) * design_effect))


def detectable_binary_difference(
    n: int, discordant: float, *, alpha: float = 0.05, power: float = 0.8, design_effect: float = 1.0
) -> float | None:
    """Return the smallest difference of two shares that McNemar's exact two-sided test will see.

    Args:
        n: cases, at least 1.
        discordant: share of cases that one variant alone gets right, in (0, 1].
        alpha: in (0, 1).
        power: in (0, 1).
        design_effect: over 0; 1 for independent cases.

    Returns:
        In (0, discordant]; None when even a difference of the whole discordant share would be missed.

    Raises:
        ValueError: when the share is none.
    """
    if not 0.0 < discordant <= 1.0:
        raise ValueError(f"'discordant' is {discordant}; expected a share over 0, at most 1")
    cases = int(n / design_effect)

    def reached(difference: float) -> bool:
        better, worse = (discordant + difference) / 2, (discordant - difference) / 2
        return cases >= 1 and power_of_mcnemar(cases, better, worse, alpha=alpha) >= power

    if not reached(discordant):
        return None
    low, high = 0.0, discordant
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high


def _smallest(p_only_b: float, p_only_a: float, alpha: float, power: float, *, start: int) -> int:
    def reached(n: int) -> bool:
        return power_of_mcnemar(n, p_only_b, p_only_a, alpha=alpha) >= power

    high = start
    while high <= MOST_CASES and not all(reached(high + step) for step in range(0, _TEETH, 4)):
        high = int(high * 1.2) + 1
    if high > MOST_CASES:
        raise ValueError(f"over {MOST_CASES} cases would be needed; expected a larger difference to see")
    low = 0
    while high - low > _TEETH:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    n = high
    while n > 1 and reached(n - 1):
        n -= 1
    return n


def _critical(counts: FloatArray, alpha: float) -> FloatArray:
    """The largest k with 2 P(X <= k) <= alpha for a fair coin thrown that often; -1 where there is none."""
    guess = np.floor(counts / 2 - 0.5 * np.sqrt(counts) * special().ndtri(1.0 - alpha / 2))
    best = np.full(counts.shape, -1.0)
    for step in range(-4, 5):
        k = guess + step
        fits = (k >= 0) & (2.0 * _binomial_cdf(k, counts, 0.5) <= alpha * (1.0 + 1e-12))
        best = np.where(fits, np.maximum(best, k), best)
    return best


def _binomial_cdf(k: FloatArray, n: FloatArray | int, p: float) -> FloatArray:
    """P(X <= k), by the incomplete beta function; 0 under 0, 1 from n on."""
    inside = (k >= 0) & (k < n)
    held = np.where(inside, k, 0.0)
    size = np.where(inside, n, 1.0)
    value = special().betainc(size - held, held + 1.0, 1.0 - p)
    return np.where(k < 0, 0.0, np.where(inside, value, 1.0))


def _discordant(p_only_b: float, p_only_a: float) -> float:
    if not (0.0 <= p_only_b <= 1.0 and 0.0 <= p_only_a <= 1.0 and p_only_b + p_only_a <= 1.0 + 1e-12):
        raise ValueError(
            f"'p_only_b' is {p_only_b} and 'p_only_a' {p_only_a}; expected two chances with a sum up to 1"
        )
    return min(1.0, p_only_b + p_only_a)
