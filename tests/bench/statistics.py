"""Speed of the resampling statistics against scipy and ranx: `python -m tests.bench.statistics`.

81 contrasts of 5,000 cases at 10,000 draws, continuous differences, so that nothing is exact. Ours is timed
on all contrasts and divided by 81; the others on one contrast with fewer draws, scaled up. Medians of
repetitions in one process, CPU and wall.
"""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec

import numpy as np
from scipy import stats

from ragproof.statistics.bca import bca_intervals
from ragproof.statistics.max_t import max_t
from ragproof.statistics.sign_flip import sign_flips
from ragproof.statistics.studentised import studentised_intervals

CONTRASTS, CASES, DRAWS = 81, 5_000, 10_000
FEWER_DRAWS = 1_000
REPETITIONS = 5
GOALS = {"permutation_test": 300, "bootstrap": 50, "ranx": 200}
GOAL_MIB = 400


def _median_seconds(call: Callable[[], object], repetitions: int) -> tuple[float, float]:
    cpu, wall = [], []
    for _ in range(repetitions):
        began_cpu, began = time.process_time(), time.perf_counter()
        call()
        cpu.append(time.process_time() - began_cpu)
        wall.append(time.perf_counter() - began)
    return statistics.median(cpu), statistics.median(wall)


def _scipy_permutation(a: np.ndarray, b: np.ndarray) -> object:
    def difference(x: np.ndarray, y: np.ndarray, axis: int) -> np.ndarray:
        return np.mean(y - x, axis=axis)

    asked = {"permutation_type": "samples", "vectorized": True, "n_resamples": FEWER_DRAWS, "rng": 1}
    return stats.permutation_test((a, b), difference, **asked)


def _scipy_bootstrap(a: np.ndarray, b: np.ndarray) -> object:
    return stats.bootstrap((b - a,), np.mean, method="BCa", n_resamples=FEWER_DRAWS, rng=1)


def _ranx_fisher(a: np.ndarray, b: np.ndarray) -> object:
    fisher = import_module("ranx.statistical_tests.fisher_randomization_test")
    return fisher.fisher_randomization_test(a, b, n_permutations=FEWER_DRAWS)


def measure() -> None:
    """Print seconds for all contrasts, the ratios for each contrast, and the peak memory of ours."""
    rng = np.random.default_rng(0)
    a = rng.beta(4, 2, CASES)
    b = np.clip(a[:, None] + rng.normal(0.005, 0.2, (CASES, CONTRASTS)), 0, 1)
    d = b - a[:, None]
    print(f"{CONTRASTS} contrasts of {CASES:,} cases, {DRAWS:,} draws; seconds for all, medians")
    ours = {}
    for name, call in (
        ("sign flip", lambda: sign_flips(d, draws=DRAWS)),
        ("step-down max-T", lambda: max_t(d, draws=DRAWS)),
        ("BCa", lambda: bca_intervals(d, draws=DRAWS)),
        ("studentised bootstrap", lambda: studentised_intervals(d, lowest=-1, highest=1, draws=DRAWS)),
    ):
        ours[name] = _median_seconds(call, REPETITIONS)
        print(f"  {name:<24}{ours[name][0]:>7.2f} CPU {ours[name][1]:>7.2f} wall")
    peak_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  peak memory {peak_mib:.0f} MiB, scipy loaded; the goal is under {GOAL_MIB}")
    _against("scipy permutation_test", _scipy_permutation, ours["sign flip"], GOALS["permutation_test"], a, b)
    _against("scipy bootstrap BCa", _scipy_bootstrap, ours["BCa"], GOALS["bootstrap"], a, b)
    if find_spec("ranx") is None:
        print("ranx is not installed; pip install ranx adds its Fisher test")
        return
    _ranx_fisher(a[:10], b[:10, 0])  # compiled at the first call
    _against("ranx Fisher test", _ranx_fisher, ours["sign flip"], GOALS["ranx"], a, b)


def _against(
    name: str,
    call: Callable[[np.ndarray, np.ndarray], object],
    ours: tuple[float, float],
    goal: int,
    a: np.ndarray,
    b: np.ndarray,
) -> None:
    theirs = _median_seconds(lambda: call(a, b[:, 0]), 3)
    cpu, wall = (
        their * DRAWS / FEWER_DRAWS / (our / CONTRASTS) for their, our in zip(theirs, ours, strict=True)
    )
    print(f"{name}, one contrast: {cpu:,.0f} times the CPU, {wall:,.0f} times the wall; the goal is {goal}")


if __name__ == "__main__":
    measure()
