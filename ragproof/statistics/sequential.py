"""Stopping a run early without being fooled by peeking: a betting e-process, then the fixed-size test.

A gambler bets against H0 on each case in turn; under H0 the wealth is a non-negative supermartingale, so it
ever reaches 1/alpha with chance at most alpha, whenever one looks (Ville). Bets are the plug-in of
Waudby-Smith and Ramdas 2024 (doi:10.1093/jrsssb/qkad009). Cases must come in random order. False friend: a t
test repeated every few cases, which passes falsely in 27 %. A stopped run's running mean is no estimate.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike

from ragproof.statistics.gate_bounds import Bounds, one_sided_bounds
from ragproof.statistics.samples import FloatArray, ends, probability, sample

FAIL_FAST_ALPHA = 0.01
FINAL_ALPHA = 0.04


class Side(StrEnum):
    """What the gambler bets on."""

    FAIL = "fail"
    PASS = "pass"


@dataclass(frozen=True)
class EProcess:
    """A betting e-process.

    Attributes:
        log_wealth: natural logarithm of the wealth after each case, length n.
        stop_at: the number of cases after which the wealth first reached 1/alpha; None when it never did.
        alpha: the chance of a false stop, at most.
    """

    log_wealth: tuple[float, ...]
    stop_at: int | None
    alpha: float


@dataclass(frozen=True)
class FailFast:
    """A run that may stop at a sure regression, and its test when it did not.

    Attributes:
        process: the e-process of the cases so far.
        stopped_at: cases after which the run should stop; None when it should go on, or went through.
        fails: True when stopped, or when the final bound lies under the margin; False when the run is
            complete and it does not; None while cases are still to come.
        final: one-sided bounds of the complete run at 1 - 0.04; None before that, or when it stopped.
    """

    process: EProcess
    stopped_at: int | None
    fails: bool | None
    final: Bounds | None


def betting_e_process(
    d: ArrayLike,
    *,
    margin: float,
    n_planned: int,
    alpha: float = FAIL_FAST_ALPHA,
    side: Side = Side.FAIL,
    lowest: float = -1.0,
    highest: float = 1.0,
    truncation: float = 0.5,
) -> EProcess:
    """Bet on a regression (or on its absence) case by case.

    Args:
        d: B minus A so far, oriented so that more is better, in the random order of the cases, shape (n,).
        margin: the drop that is allowed, in the metric's unit, at least 0.
        n_planned: cases of the complete run, at least n.
        alpha: in (0, 1).
        side: FAIL bets against "the mean is at least -margin", PASS against "it is at most -margin".
        lowest: the smallest difference possible.
        highest: the largest.
        truncation: the largest share of the wealth that one case may take, in (0, 1).

    Returns:
        The wealth after each case, and where it first reached 1/alpha.

    Raises:
        ValueError: when a difference lies outside the range, the margin is not inside it, there are more
            cases than planned, or a number is none.
    """
    values, span = sample(d), ends(lowest, highest)
    assert span is not None
    alpha, truncation = probability(alpha, "alpha"), probability(truncation, "truncation")
    if values.size > n_planned:
        raise ValueError(f"'n_planned' is {n_planned}; expected at least the {values.size} cases so far")
    if not (margin >= 0.0 and span[0] < -margin < span[1]):
        raise ValueError(f"'margin' is {margin}; expected a number from 0 to less than {-span[0]}")
    share = (values - span[0]) / (span[1] - span[0])
    if share.min() < -1e-9 or share.max() > 1.0 + 1e-9:
        raise ValueError(f"'d' goes from {values.min()} to {values.max()}; expected {span[0]} to {span[1]}")
    null = (-margin - span[0]) / (span[1] - span[0])
    room = 1.0 - null if side is Side.FAIL else null
    bets = np.minimum(
        np.sqrt(2.0 * math.log(1.0 / alpha) / (_variance_before(share) * n_planned)), truncation / room
    )
    gains = null - share if side is Side.FAIL else share - null
    log_wealth = np.cumsum(np.log1p(bets * gains))
    reached = np.flatnonzero(log_wealth >= math.log(1.0 / alpha))
    return EProcess(
        log_wealth=tuple(float(value) for value in log_wealth),
        stop_at=int(reached[0]) + 1 if reached.size else None,
        alpha=alpha,
    )


def fail_fast(
    d: ArrayLike, *, margin: float, n_planned: int, lowest: float = -1.0, highest: float = 1.0
) -> FailFast:
    """Stop a run at a sure regression (error 0.01), or test the complete run (error 0.04); 0.05 in all.

    Args:
        d: B minus A so far, oriented so that more is better, in the random order of the cases, shape (n,).
        margin: the drop that is allowed, in the metric's unit, at least 0.
        n_planned: cases of the complete run, at least n.
        lowest: the smallest difference possible.
        highest: the largest.

    Returns:
        Whether to stop, and the outcome when it is known.

    Raises:
        ValueError: when `betting_e_process` refuses the input.
    """
    process = betting_e_process(d, margin=margin, n_planned=n_planned, lowest=lowest, highest=highest)
    if process.stop_at is not None:
        return FailFast(process, process.stop_at, True, None)
    if len(process.log_wealth) < n_planned:
        return FailFast(process, None, None, None)
    final = one_sided_bounds(d, confidence=1.0 - FINAL_ALPHA, lowest=lowest, highest=highest)
    return FailFast(process, None, final.upper is not None and final.upper < -margin, final)


def _variance_before(share: FloatArray) -> FloatArray:
    """The running variance before each case; one imaginary case of mean 1/2 and variance 1/4 starts it."""
    counts = np.arange(1, share.size + 1)
    means = (0.5 + np.cumsum(share)) / (counts + 1)
    variances = (0.25 + np.cumsum((share - means) ** 2)) / (counts + 1)
    return np.concatenate([[0.25], variances[:-1]])
