"""The human ceiling: how far people agree among themselves, which no judge can be asked to surpass.

Each pair of annotators is compared on the cases both have scored, and pairs are averaged. Beside it stands
how the judge agrees with single annotators on the same cases: held against their consensus it has an easier
task than they had with one another. False friend: a bar of kappa 0.8 for a judgment on which people reach
0.4 to 0.6.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from statistics import fmean

from ragproof.frozen import Frozen
from ragproof.judge.calibration.kappa import Pair, counted, quadratic_kappa


class Ceiling(Frozen):
    """Agreement among annotators, and of the judge with each of them."""

    cases: int
    """Those that two or more annotators have scored."""
    annotators: int
    """The most that any case has."""
    exact: float
    """Mean over the pairs of annotators of the share of cases they put into the same band."""
    kappa: float | None
    """Mean over the pairs of annotators; None when none of them has one."""
    judge_exact: float | None
    """Mean over annotators of the judge's share of the same band; None when it scored none of the cases."""
    judge_kappa: float | None
    """Mean over annotators; None when it has none with any of them."""


def ceiling(cases: Sequence[tuple[Sequence[int], int | None]]) -> Ceiling | None:
    """Compare annotators with one another, and the judge with each.

    Args:
        cases: the band each annotator chose, and the judge's; None where the judge gave no number.

    Returns:
        None when no case has two annotators.
    """
    several = [(bands, judge) for bands, judge in cases if len(bands) > 1]
    if not several:
        return None
    annotators = range(max(len(bands) for bands, _ in several))
    among = [
        [(bands[i], bands[j]) for bands, _ in several if len(bands) > j]
        for i, j in combinations(annotators, 2)
    ]
    with_judge = [
        [(bands[i], judge) for bands, judge in several if len(bands) > i and judge is not None]
        for i in annotators
    ]
    exact = _mean(map(_exact, among))
    assert exact is not None
    return Ceiling(
        cases=len(several),
        annotators=len(annotators),
        exact=exact,
        kappa=_mean(map(_kappa, among)),
        judge_exact=_mean(map(_exact, with_judge)),
        judge_kappa=_mean(map(_kappa, with_judge)),
    )


def _exact(pairs: Sequence[Pair]) -> float | None:
    return fmean(one == other for one, other in pairs) if pairs else None


def _kappa(pairs: Sequence[Pair]) -> float | None:
    return quadratic_kappa(counted(pairs))


def _mean(values: Iterable[float | None]) -> float | None:
    there = [value for value in values if value is not None]
    return fmean(there) if there else None
