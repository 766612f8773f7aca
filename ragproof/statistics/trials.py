"""Repeated trials of a case: averaged inside the case first, for a trial is not another case.

The spread of trials says what asking again could change, the spread of cases what asking others could. False
friend: pooling all trials as if they were cases, which makes every interval too short.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ragproof.statistics.samples import FloatArray
from ragproof.statistics.variance_components import Components, components


@dataclass(frozen=True)
class PairedTrials:
    """The three variances that a repeated-trials design is planned from.

    Attributes:
        omega2: of the cases' true differences B - A, at least 0; None when a trial variance is not known.
        sigma2_a: of trials inside a case of A; None when no case has 2 trials.
        sigma2_b: the same of B.
        n: cases that both ran.
    """

    omega2: float | None
    sigma2_a: float | None
    sigma2_b: float | None
    n: int


def case_means(trials: Sequence[Sequence[float | None]]) -> FloatArray:
    """Average the trials of every case.

    Args:
        trials: the values of each case's trials; None or NaN is a trial without a score. Cases may differ in
            how many they have.

    Returns:
        One mean a case, shape (n,); NaN for a case without a scored trial.
    """
    return np.array([group.mean() if group.size else np.nan for group in _scored(trials)])


def trial_variance(trials: Sequence[Sequence[float | None]]) -> Components:
    """Split the variance of one run into cases (between) and trials (within).

    Args:
        trials: the values of each case's trials; None or NaN is a trial without a score.

    Returns:
        `between` is var_case, `within` is var_trial; None where trials or cases are too few to tell.
    """
    return components(_scored(trials))


def paired_trial_variances(
    a: Sequence[Sequence[float | None]], b: Sequence[Sequence[float | None]]
) -> PairedTrials:
    """Estimate what `cases_for_trials` plans from.

    Args:
        a: the baseline's trials of each case.
        b: the candidate's, the same cases in the same order.

    Returns:
        omega2 is the variance of the mean differences less what the trials put into it, at least 0.

    Raises:
        ValueError: when the numbers of cases differ.
    """
    if len(a) != len(b):
        raise ValueError(f"'b' has {len(b)} cases; expected the {len(a)} of 'a'")
    pairs = [(one, two) for one, two in zip(_scored(a), _scored(b), strict=True) if one.size and two.size]
    first, second = [one for one, _ in pairs], [two for _, two in pairs]
    sigma2_a, sigma2_b = components(first).within, components(second).within
    if sigma2_a is None or sigma2_b is None or len(pairs) < 2:
        return PairedTrials(None, sigma2_a, sigma2_b, len(pairs))
    d = np.array([two.mean() - one.mean() for one, two in pairs])
    noise = np.mean([sigma2_a / one.size + sigma2_b / two.size for one, two in pairs])
    return PairedTrials(max(0.0, float(d.var(ddof=1) - noise)), sigma2_a, sigma2_b, len(pairs))


def _scored(trials: Sequence[Sequence[float | None]]) -> list[FloatArray]:
    groups = [np.asarray(group, dtype=np.float64) for group in trials]
    return [group[~np.isnan(group)] for group in groups]
