"""A binary metric on two variants: McNemar's exact test, mid-p, Newcombe's interval, the risk difference.

Everything is the first variant minus the second; for B minus A pass B's counts first. The exact test is the
sign flip on differences of -1, 0 and 1 (statsmodels' `mcnemar` agrees); mid-p as in Fagerland, Lydersen and
Laake 2013 (doi:10.1186/1471-2288-13-91); the interval is method 10 of Newcombe 1998
(doi:10.1002/(SICI)1097-0258(19981130)17:22<2635::AID-SIM954>3.0.CO;2-C). False friend: McNemar's chi-square,
which needs 25 discordant cases and has no use where the exact test is free.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from numpy.typing import ArrayLike

from ragproof.statistics.interval import Flag, Interval
from ragproof.statistics.proportions import wilson_interval
from ragproof.statistics.samples import sample


@dataclass(frozen=True)
class PairedTable:
    """Cases by what two variants got right.

    Attributes:
        both: right in both.
        only_first: right in the first alone.
        only_second: right in the second alone.
        neither: wrong in both.
    """

    both: int
    only_first: int
    only_second: int
    neither: int

    def __post_init__(self) -> None:
        for name, count in vars(self).items():
            if count < 0:
                raise ValueError(f"'{name}' is {count}; expected a count of at least 0")

    @property
    def n(self) -> int:
        """All cases."""
        return self.both + self.only_first + self.only_second + self.neither


@dataclass(frozen=True)
class McNemar:
    """McNemar's exact test with its effect sizes.

    Attributes:
        p: two-sided, in (0, 1].
        mid_p: ties weighing one half, in (0, 1).
        risk_difference: share right in the first minus share right in the second; None without a case.
        standard_error: of the risk difference, for a power calculation, not for an interval; None without a
            case.
        conditional_odds_ratio: only_first / only_second; None when only_second is 0.
        n: cases.
        n_discordant: cases that one variant alone got right.
    """

    p: float
    mid_p: float
    risk_difference: float | None
    standard_error: float | None
    conditional_odds_ratio: float | None
    n: int
    n_discordant: int


def paired_table(first: ArrayLike, second: ArrayLike) -> PairedTable:
    """Count a binary metric of two variants on the same cases.

    Args:
        first: 0 or 1 a case, shape (n,).
        second: the same cases in the same order.

    Returns:
        The counts.

    Raises:
        ValueError: when a value is neither 0 nor 1, or the lengths differ.
    """
    one, two = sample(first, "first"), sample(second, "second")
    if one.size != two.size:
        raise ValueError(f"'second' has {two.size} cases; expected the {one.size} of 'first'")
    for name, values in (("first", one), ("second", two)):
        odd = values[(values != 0.0) & (values != 1.0)]
        if odd.size:
            raise ValueError(f"'{name}' holds {odd[0]}; expected 0 or 1, and sign_flip() for a graded metric")
    right, also = one == 1.0, two == 1.0
    return PairedTable(
        both=int((right & also).sum()),
        only_first=int((right & ~also).sum()),
        only_second=int((~right & also).sum()),
        neither=int((~right & ~also).sum()),
    )


def mcnemar(both: int, only_first: int, only_second: int, neither: int) -> McNemar:
    """Test whether two variants get equally many cases right.

    Args:
        both: cases right in both.
        only_first: cases right in the first alone.
        only_second: cases right in the second alone.
        neither: cases wrong in both.

    Returns:
        The test; p = 1 without a discordant case.

    Raises:
        ValueError: when a count is negative.
    """
    table = PairedTable(both, only_first, only_second, neither)
    n, discordant = table.n, only_first + only_second
    few = min(only_first, only_second)
    tail = sum(math.comb(discordant, k) for k in range(few + 1))
    point = math.comb(discordant, few)
    ways = 2**discordant
    level = 2 * few == discordant
    return McNemar(
        p=1.0 if level else 2 * tail / ways,
        mid_p=1.0 - point / (2 * ways) if level else (2 * tail - point) / ways,
        risk_difference=(only_first - only_second) / n if n else None,
        standard_error=math.sqrt(discordant - (only_first - only_second) ** 2 / n) / n if n else None,
        conditional_odds_ratio=only_first / only_second if only_second else None,
        n=n,
        n_discordant=discordant,
    )


def newcombe_interval(
    both: int, only_first: int, only_second: int, neither: int, *, confidence: float = 0.95
) -> Interval:
    """Return Newcombe's method 10 interval of a difference of paired proportions, first minus second.

    Args:
        both: cases right in both.
        only_first: cases right in the first alone.
        only_second: cases right in the second alone.
        neither: cases wrong in both.
        confidence: in (0, 1).

    Returns:
        An interval inside [-1, 1], never of zero width; absent and flagged without a case.

    Raises:
        ValueError: when a count is negative.
    """
    n = PairedTable(both, only_first, only_second, neither).n
    if n == 0:
        return Interval(None, None, confidence, "none", Flag.NO_CASE)
    first, second = both + only_first, both + only_second
    phi = _phi(both, only_first, only_second, neither)
    down_1, up_1 = _reach(first, n, confidence)
    down_2, up_2 = _reach(second, n, confidence)
    difference = (only_first - only_second) / n
    low = difference - math.sqrt(max(0.0, down_1**2 - 2 * phi * down_1 * up_2 + up_2**2))
    high = difference + math.sqrt(max(0.0, up_1**2 - 2 * phi * up_1 * down_2 + down_2**2))
    return Interval(max(-1.0, low), min(1.0, high), confidence, "Newcombe 10")


def _reach(right: int, n: int, confidence: float) -> tuple[float, float]:
    """How far Wilson's interval reaches below and above the proportion."""
    wilson = wilson_interval(right, n, confidence=confidence)
    assert wilson.low is not None
    assert wilson.high is not None
    return right / n - wilson.low, wilson.high - right / n


def _phi(both: int, only_first: int, only_second: int, neither: int) -> float:
    """The correlation of the two variants, with Newcombe's continuity correction where it is positive."""
    margins = (both + only_first) * (only_second + neither) * (both + only_second) * (only_first + neither)
    if margins == 0:
        return 0.0
    n = both + only_first + only_second + neither
    cross = both * neither - only_first * only_second
    corrected = max(cross - n / 2, 0.0) if cross > 0 else float(cross)
    return corrected / math.sqrt(margins)
