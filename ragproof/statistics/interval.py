"""What an interval is: two ends, how they were made, and a flag when the data could not carry one.

Data without spread get no zero-width interval. When the range of the metric is known they get what n equal
numbers do say: the share of cases that are anything else is at most 1 - alpha^(1/n) (Clopper and Pearson 1934
with no success, the "rule of three"), and that share could lie at either end of the range.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Flag(StrEnum):
    """Why an interval is absent, or is not the one that was asked for; the value is the sentence to print."""

    ALL_EQUAL = "all values are equal, so their spread is unknown"
    ONE_CASE = "one case has no spread"
    SPARSE = "too few values differ to resample them, Student's t is shown"
    ONE_SIDED = "every resample lies on one side, so there is no BCa interval"
    FEW_FOR_BCA = "BCa needs at least 100 cases and 30 non-zero differences"
    FEW_DOCUMENTS = "under 6 documents"
    FEW_FOR_DOCUMENT_BOOTSTRAP = "a bootstrap of documents needs at least 40"
    NO_CASE = "no case"
    NO_BETTER_THAN_CHANCE = "the judge is no better than chance against these labels"


@dataclass(frozen=True)
class Interval:
    """A confidence interval.

    Attributes:
        low: the lower end; None when the data carry no interval, and `flag` says why.
        high: the upper end; None together with `low`.
        confidence: in (0, 1).
        method: the method's usual name.
        flag: what a reader must know; None when nothing.
    """

    low: float | None
    high: float | None
    confidence: float
    method: str
    flag: Flag | None = None


def share_elsewhere(n: int, confidence: float) -> float:
    """Bound the share of cases that differ from n equal ones.

    Args:
        n: equal cases seen, at least 1.
        confidence: one-sided, in (0, 1).

    Returns:
        The Clopper-Pearson upper bound for none in n, in (0, 1).
    """
    return float(1.0 - (1.0 - confidence) ** (1.0 / n))


def equal_values_interval(
    value: float, n: int, *, ends: tuple[float, float] | None, confidence: float, flag: Flag
) -> Interval:
    """Return the interval that n equal values carry.

    Args:
        value: the number they all are.
        n: how many, at least 1.
        ends: the range's ends; None when it is open, and then there is no interval.
        confidence: in (0, 1).
        flag: why the asked-for interval is not shown.

    Returns:
        A flagged interval; of positive width when the range is known, absent otherwise.
    """
    if ends is None:
        return Interval(None, None, confidence, "none", flag)
    share = share_elsewhere(n, confidence)
    low = value - share * (value - ends[0])
    high = value + share * (ends[1] - value)
    return Interval(low, high, confidence, "equal values", flag)
