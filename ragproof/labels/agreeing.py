"""How the judge agrees with the labels of a metric, and people with one another, which is its ceiling.

In the bands of `ragproof calibrate`, over the metric's range from worst to best end or the reverse; what
people say of a case is the mean of their labels. False friend: the ceiling by place in a list, where the
first annotator of one case is another person than the first of the next; here people are paired by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from statistics import fmean

import numpy as np

from ragproof.judge.calibration.bands import band_of
from ragproof.judge.calibration.ceiling import Ceiling
from ragproof.judge.calibration.kappa import Pair, counted, quadratic_kappa
from ragproof.judge.calibration.shares import share
from ragproof.labels.correction import Agreement
from ragproof.labels.labelled_scores import LabelledScores


def agreement(scores: LabelledScores) -> Agreement | None:
    """Hold the judge against the labels.

    Args:
        scores: of one metric.

    Returns:
        None when the metric's range is open or not known, or no labelled case has the judge's number.
    """
    span, places = scores.scores.traits.span, np.flatnonzero(scores.compared).tolist()
    if span is None or not places:
        return None

    def band(value: float) -> int:
        return band_of(min(1.0, max(0.0, (value - span[0]) / (span[1] - span[0]))))

    judge = {at: band(float(scores.judged[at])) for at in places}
    pairs = [(band(float(scores.human[at])), judge[at]) for at in places]
    by_labeller: dict[str, dict[int, int]] = {}
    for at in places:
        for who, value in scores.by_labeller[at].items():
            by_labeller.setdefault(who, {})[at] = band(value)
    return Agreement(
        exact=share(sum(label == given for label, given in pairs), len(pairs)),
        within_band=share(sum(abs(label - given) <= 1 for label, given in pairs), len(pairs)),
        kappa=_kappa(pairs),
        ceiling=_ceiling([*by_labeller.values()], judge),
    )


def _ceiling(people: Sequence[dict[int, int]], judge: dict[int, int]) -> Ceiling | None:
    """Pair people on the cases that both have labelled, and the judge with each of them on those cases."""
    several = {at for one, other in combinations(people, 2) for at in one.keys() & other.keys()}
    among = [
        pairs
        for one, other in combinations(people, 2)
        if (pairs := [(one[at], other[at]) for at in sorted(one.keys() & other.keys())])
    ]
    if not among:
        return None
    with_judge = [
        pairs for one in people if (pairs := [(one[at], judge[at]) for at in sorted(one.keys() & several)])
    ]
    return Ceiling(
        cases=len(several),
        annotators=max(sum(at in one for one in people) for at in several),
        exact=fmean(map(_exact, among)),
        kappa=_mean(map(_kappa, among)),
        judge_exact=_mean(map(_exact, with_judge)),
        judge_kappa=_mean(map(_kappa, with_judge)),
    )


def _exact(pairs: Sequence[Pair]) -> float:
    return fmean(one == other for one, other in pairs)


def _kappa(pairs: Sequence[Pair]) -> float | None:
    return quadratic_kappa(counted(pairs))


def _mean(values: Iterable[float | None]) -> float | None:
    there = [value for value in values if value is not None]
    return fmean(there) if there else None
