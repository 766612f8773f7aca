"""Drift over nights: a lower CUSUM of z scores, alarming at a slow decline that no single night shows.

S_t = max(0, S_(t-1) - z_t - k), alarm when S_t > h, with k = 0.5 and h = 5 (Page 1954; Montgomery,
Statistical Quality Control, section 9.1: about 465 nights between false alarms of both sides). z is measured
in trial noise: the cases are the same every night. False friend: the standard error over sampled cases, far
too wide here, with which a CUSUM never alarms.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ragproof.statistics.samples import FloatArray, sample

ALLOWANCE = 0.5
THRESHOLD = 5.0


@dataclass(frozen=True)
class Cusum:
    """A lower CUSUM over nights.

    Attributes:
        path: S after each night, at least 0, length n.
        alarms: places of the nights with S over the threshold, ascending; empty when there is none.
        began: the place of the first night of the decline behind the first alarm; None without one.
    """

    path: tuple[float, ...]
    alarms: tuple[int, ...]
    began: int | None


@dataclass(frozen=True)
class ChangePoint:
    """The place where a series most likely changed its level.

    Attributes:
        last_before: place of the last night before the change, from 0.
        mean_before: over the nights up to it.
        mean_after: over the nights after it.
        max_abs_cusum: the largest |sum of deviations from the overall mean|; 0 when all nights are equal.
    """

    last_before: int
    mean_before: float
    mean_after: float
    max_abs_cusum: float


def trial_noise_z(
    means: ArrayLike, *, reference: float, trial_variance: float, n_cases: int, trials: int = 1
) -> FloatArray:
    """Express nightly means in standard errors of their trial noise.

    Args:
        means: of each night, over the same cases, shape (n,).
        reference: the level to hold, such as the mean of the first nights.
        trial_variance: var_trial, over 0; see `trial_variance` in trials.
        n_cases: cases of a night, at least 1.
        trials: of each case in a night, at least 1.

    Returns:
        (mean - reference) / sqrt(trial_variance / (n_cases * trials)), shape (n,).

    Raises:
        ValueError: when the means are empty or not finite, or a number is not over 0.
    """
    values = sample(means, "means")
    for name, number in (("trial_variance", trial_variance), ("n_cases", n_cases), ("trials", trials)):
        if not number > 0:
            raise ValueError(f"'{name}' is {number}; expected a number over 0")
    return (values - reference) / math.sqrt(trial_variance / (n_cases * trials))


def lower_cusum(
    z: ArrayLike,
    *,
    allowance: float = ALLOWANCE,
    threshold: float = THRESHOLD,
    keys: Sequence[Hashable] | None = None,
) -> Cusum:
    """Watch a series of z scores for a decline.

    Args:
        z: of each night, oldest first, shape (n,).
        allowance: k, half the shift worth seeing, at least 0.
        threshold: h, over 0.
        keys: the comparability key of each night, length n; S starts again where it changes. None when all
            nights are comparable.

    Returns:
        The path and its alarms; the path is not reset by an alarm.

    Raises:
        ValueError: when z is empty or not finite, the lengths differ, or k or h is none.
    """
    values = sample(z, "z")
    if keys is not None and len(keys) != values.size:
        raise ValueError(f"'keys' has {len(keys)} entries; expected one a night, {values.size}")
    if not (allowance >= 0.0 and threshold > 0.0):
        raise ValueError(
            f"'allowance' is {allowance} and 'threshold' {threshold}; expected at least 0, over 0"
        )
    path: list[float] = []
    starts: list[int] = []
    level, start = 0.0, 0
    for night, score in enumerate(values.tolist()):
        if keys is not None and night and keys[night] != keys[night - 1]:
            level = 0.0
        if level == 0.0:
            start = night
        level = max(0.0, level - score - allowance)
        path.append(level)
        starts.append(start)
    alarms = tuple(night for night, level in enumerate(path) if level > threshold)
    return Cusum(tuple(path), alarms, starts[alarms[0]] if alarms else None)


def change_point(values: ArrayLike) -> ChangePoint:
    """Find where a series changed its level, once an alarm says that it did.

    Args:
        values: of each night, oldest first, shape (n,), at least 2; of one comparability key.

    Returns:
        The split with the largest |cumulative deviation| (Pettitt 1979, Taylor 2000); it always names one.

    Raises:
        ValueError: when there are under 2 nights, or a value is not finite.
    """
    series = sample(values, "values")
    if series.size < 2:
        raise ValueError(f"'values' has {series.size} night; expected at least 2")
    sums = np.cumsum(series - series.mean())[:-1]
    last = int(np.argmax(np.abs(sums)))
    return ChangePoint(
        last_before=last,
        mean_before=float(series[: last + 1].mean()),
        mean_after=float(series[last + 1 :].mean()),
        max_abs_cusum=float(np.abs(sums[last])),
    )
