"""Missing values in a paired comparison: which cases are left, and how much the missing ones could change.

The comparison is over the cases that both runs scored. Its bounds fill every missing value with the end of
the metric's range that hurts most or helps most (Manski 1990): they hold whatever made the value missing.
Filling with the low end alone ("a failure scores 0") is one such assignment and is shown beside them, never
instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ragproof.statistics.paired_proportions import mcnemar
from ragproof.statistics.samples import FloatArray, ends, optional_sample


@dataclass(frozen=True)
class Missingness:
    """What is missing in two runs of the same cases, and what that leaves open.

    Attributes:
        n_total: cases.
        n_pairs: cases that both runs scored.
        missing_a: cases that A did not score, those that neither scored among them.
        missing_b: cases that B did not score.
        missing_both: cases that neither scored.
        mean_difference: B minus A over the pairs; None without a pair.
        lowest_mean_difference: over all cases, every missing value at the end that hurts B; None when the
            range is open and something is missing.
        highest_mean_difference: the same at the ends that help B.
        zero_filled_difference: over all cases with 0 for every missing value; None when 0 is not in the
            range.
        p_missing: McNemar's exact test of whether one run misses more cases than the other, in (0, 1].
        reasons_a: reason and number of cases, most frequent first; empty when none were given.
        reasons_b: the same of B.
    """

    n_total: int
    n_pairs: int
    missing_a: int
    missing_b: int
    missing_both: int
    mean_difference: float | None
    lowest_mean_difference: float | None
    highest_mean_difference: float | None
    zero_filled_difference: float | None
    p_missing: float
    reasons_a: tuple[tuple[str, int], ...] = ()
    reasons_b: tuple[tuple[str, int], ...] = ()


def missingness(
    a: Sequence[float | None],
    b: Sequence[float | None],
    *,
    lowest: float | None = None,
    highest: float | None = None,
    reasons_a: Sequence[str | None] = (),
    reasons_b: Sequence[str | None] = (),
) -> Missingness:
    """Describe what two runs of the same cases lack, and bound what it could change.

    Args:
        a: the baseline's values, one a case; None or NaN is a missing one. Oriented so that more is better.
        b: the candidate's, the same cases in the same order.
        lowest: the metric's smallest possible value; None when there is none.
        highest: the largest.
        reasons_a: why a value of A is missing, one a case, None where it is not; empty when not known.
        reasons_b: the same of B.

    Returns:
        Counts, bounds and the test of unequal missingness.

    Raises:
        ValueError: when the lengths differ, nothing is given, or a value lies outside the range.
    """
    first, second = paired_samples(a, b)
    span = ends(lowest, highest)
    within(first, span, "a")
    within(second, span, "b")
    gone_a, gone_b = np.isnan(first), np.isnan(second)
    pairs = ~gone_a & ~gone_b
    n = first.size
    both = int((gone_a & gone_b).sum())
    low, high = _bounds(first, second, span)
    return Missingness(
        n_total=n,
        n_pairs=int(pairs.sum()),
        missing_a=int(gone_a.sum()),
        missing_b=int(gone_b.sum()),
        missing_both=both,
        mean_difference=float((second - first)[pairs].mean()) if pairs.any() else None,
        lowest_mean_difference=low,
        highest_mean_difference=high,
        zero_filled_difference=_zero_filled(first, second, span),
        p_missing=mcnemar(both, int(gone_a.sum()) - both, int(gone_b.sum()) - both, int(pairs.sum())).p,
        reasons_a=_counted(reasons_a, n, "reasons_a"),
        reasons_b=_counted(reasons_b, n, "reasons_b"),
    )


def paired_samples(
    a: Sequence[float | None] | FloatArray, b: Sequence[float | None] | FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Read two runs' values of the same cases.

    Args:
        a: one value a case; None or NaN is a missing one.
        b: the same cases in the same order.

    Returns:
        Two float64 arrays of one length, NaN where a value is missing.

    Raises:
        ValueError: when the lengths differ or nothing is given.
    """
    first, second = optional_sample(a, "a"), optional_sample(b, "b")
    if first.size != second.size:
        raise ValueError(f"'b' has {second.size} cases; expected the {first.size} of 'a'")
    return first, second


def within(values: FloatArray, span: tuple[float, float] | None, name: str) -> None:
    """Refuse values outside the range: bounds computed from it would be wrong.

    Args:
        values: one a case, NaN where missing.
        span: the range's ends; None when it is open.
        name: what the values are called in the error.

    Raises:
        ValueError: when a value lies outside.
    """
    if span is None:
        return
    slack = 1e-9 * (span[1] - span[0])
    outside = values[(values < span[0] - slack) | (values > span[1] + slack)]
    if outside.size:
        raise ValueError(f"'{name}' holds {outside[0]}; expected values from {span[0]} to {span[1]}")


def _bounds(
    first: FloatArray, second: FloatArray, span: tuple[float, float] | None
) -> tuple[float | None, float | None]:
    if span is None:
        if np.isnan(first).any() or np.isnan(second).any():
            return None, None
        mean = float((second - first).mean())
        return mean, mean
    low, high = span
    worst = np.nan_to_num(second, nan=low) - np.nan_to_num(first, nan=high)
    best = np.nan_to_num(second, nan=high) - np.nan_to_num(first, nan=low)
    return float(worst.mean()), float(best.mean())


def _zero_filled(first: FloatArray, second: FloatArray, span: tuple[float, float] | None) -> float | None:
    if span is not None and not span[0] <= 0.0 <= span[1]:
        return None
    return float((np.nan_to_num(second, nan=0.0) - np.nan_to_num(first, nan=0.0)).mean())


def _counted(reasons: Sequence[str | None], n: int, name: str) -> tuple[tuple[str, int], ...]:
    if reasons and len(reasons) != n:
        raise ValueError(f"'{name}' has {len(reasons)} entries; expected one a case, {n}, or none")
    return tuple(Counter(reason for reason in reasons if reason is not None).most_common())
