"""Sums of cases under every way of flipping their signs, or under as many random ways as asked for.

One sign a case flips all columns of that case together: that is what makes the joint test of many contrasts,
the interaction test and the plain paired test one thing. Up to 16 cases all 2^k ways are listed and p is
exact; above that p = (1 + x)/(1 + B), which counts the observed signs as one draw and is never 0 (Phipson
and Smyth 2010, doi:10.2202/1544-6115.1585).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ragproof.statistics.samples import FloatArray
from ragproof.statistics.streams import checked_draws, plus_signs

EXACT_UP_TO = 16
_LISTED_AT_ONCE = 4_096


@dataclass(frozen=True)
class Flips:
    """The flips of one table.

    Attributes:
        table: shape (n, m), 0 where a contrast lacks a case.
        draws: random flips when there are too many cases to list all, at least 1.
        seed: of the random flips, at least 0.
        batch: flips held at a time; changes memory and speed, no result.
    """

    table: FloatArray
    draws: int
    seed: int
    batch: int

    def __post_init__(self) -> None:
        checked_draws(self.draws, self.seed, self.batch)

    @cached_property
    def moving(self) -> FloatArray:
        """The cases that a flip changes: those not 0 in every column."""
        return self.table[np.any(self.table != 0.0, axis=1)]

    @cached_property
    def exact(self) -> bool:
        """Whether every flip is listed."""
        return len(self.moving) <= EXACT_UP_TO

    @property
    def total(self) -> int:
        """Flips that `sums` yields."""
        return int(2 ** len(self.moving)) if self.exact else self.draws

    def sums(self) -> Iterator[FloatArray]:
        """Yield the columns' sums, shape (flips, m); the observed signs are among the exact ones only."""
        total = self.table.sum(axis=0)
        if not self.exact:
            for plus in plus_signs(len(self.table), draws=self.draws, seed=self.seed, batch=self.batch):
                yield 2.0 * (plus @ self.table) - total
            return
        moving = self.moving
        bits = np.arange(len(moving))
        for first in range(0, self.total, _LISTED_AT_ONCE):
            numbers = np.arange(first, min(first + _LISTED_AT_ONCE, self.total))
            yield (1.0 - 2.0 * ((numbers[:, None] >> bits) & 1)) @ moving

    def p(self, at_least: float) -> float:
        """Turn a count of flips at least as extreme as the observed into p, in (0, 1]."""
        return at_least / self.total if self.exact else monte_carlo_p(at_least, self.total)

    def mid_p(self, at_least: float, tied: float) -> float:
        """Turn the counts of flips at least as extreme, and tied, into mid-p: ties weigh one half."""
        if self.exact:
            return (at_least - 0.5 * tied) / self.total
        return (1.0 + at_least - 0.5 * (1.0 + tied)) / (1.0 + self.total)


def monte_carlo_p(at_least: float, draws: int) -> float:
    """Return p of a randomisation test, the observed arrangement counted as one draw.

    Args:
        at_least: random draws at least as extreme as the observed, from 0 to `draws`.
        draws: random draws B, at least 1.

    Returns:
        (1 + x)/(1 + B), in (0, 1]; never 0.
    """
    return (1.0 + at_least) / (1.0 + draws)
