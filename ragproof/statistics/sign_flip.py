"""The paired randomisation test: were A and B exchangeable, each difference would carry a random sign.

Fisher's sign flip on the mean. Exact by listing up to 16 non-zero differences, exact by convolution when all
are multiples of one unit, else Monte Carlo. On a binary metric it is McNemar's exact test. False friends:
the sign test and Wilcoxon's flip signs too, but test the median and the ranks; they are another hypothesis.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike

from ragproof.statistics import lattice
from ragproof.statistics.flips import EXACT_UP_TO, Flips
from ragproof.statistics.samples import TIE_TOLERANCE, FloatArray, columns, sample, without_dust
from ragproof.statistics.streams import BATCH, DRAWS

UNRESOLVABLE_UP_TO = 5


class FlipMethod(StrEnum):
    """How p was found."""

    ENUMERATION = "every sign assignment"
    LATTICE = "convolution"
    MONTE_CARLO = "random signs"


@dataclass(frozen=True)
class SignFlip:
    """A paired randomisation test.

    Attributes:
        mean: the mean difference over the cases there are.
        p: two-sided, in (0, 1].
        mid_p: the same with ties weighing one half, less conservative on coarse metrics, in (0, 1).
        method: enumeration and convolution are exact.
        assignments: sign assignments behind p: 2**n when exact, the draws otherwise.
        n: cases.
        n_nonzero: differences that are not zero; the others say nothing about the direction.
    """

    mean: float
    p: float
    mid_p: float
    method: FlipMethod
    assignments: int
    n: int
    n_nonzero: int

    @property
    def unresolvable(self) -> bool:
        """Whether no outcome could have reached p < .05; reports print `unresolvable` instead of p."""
        return self.n_nonzero <= UNRESOLVABLE_UP_TO

    @property
    def p_least(self) -> float:
        """The smallest p that this many non-zero differences can reach."""
        return smallest_p(self.n_nonzero)


def smallest_p(n_nonzero: int) -> float:
    """Return the smallest two-sided p that a sign flip of so many non-zero differences can reach.

    Args:
        n_nonzero: non-zero differences, at least 0.

    Returns:
        2/2^k, and 1 for none; above .05 up to five.
    """
    return min(1.0, 2.0 / 2.0**n_nonzero)


def sign_flip(d: ArrayLike, *, draws: int = DRAWS, seed: int = 0, batch: int = BATCH) -> SignFlip:
    """Test whether the mean of paired differences is zero.

    Args:
        d: B minus A, one number a case, shape (n,); empty is refused.
        draws: random sign assignments when p is not exact, at least 1.
        seed: of the random signs, at least 0; the same seed gives the same p.
        batch: draws held at a time; changes memory and speed, no result.

    Returns:
        The test; p = 1 when every difference is zero.

    Raises:
        ValueError: when `d` is empty or not finite.
    """
    return sign_flips(sample(d)[:, None], draws=draws, seed=seed, batch=batch)[0]


def sign_flips(
    d: ArrayLike, *, draws: int = DRAWS, seed: int = 0, batch: int = BATCH
) -> tuple[SignFlip, ...]:
    """Run `sign_flip` on many contrasts of the same cases; random signs are shared, one a case.

    Args:
        d: shape (n, m), a contrast a column; NaN is a case that the contrast does not have.
        draws: random sign assignments where p is not exact, at least 1.
        seed: of the random signs, at least 0.
        batch: draws held at a time; changes memory and speed, no result.

    Returns:
        One test a column, in order; not adjusted for their number, see `max_t` and `holm`.

    Raises:
        ValueError: when a column holds no number, or a number is infinite.
    """
    table = without_dust(columns(d, "d"))
    exact = [_exact(column[~np.isnan(column)]) for column in table.T]
    rest = [index for index, found in enumerate(exact) if found is None]
    drawn = dict(zip(rest, _drawn(table[:, rest], draws, seed, batch), strict=True)) if rest else {}
    return tuple(found if found is not None else drawn[index] for index, found in enumerate(exact))


def _exact(d: FloatArray) -> SignFlip | None:
    moving = d[d != 0.0]
    if moving.size <= EXACT_UP_TO:
        flips = Flips(moving[:, None], 1, 0, 1)
        at_least, tied = _counts(flips)
        p, mid_p = flips.p(float(at_least[0])), flips.mid_p(float(at_least[0]), float(tied[0]))
        return SignFlip(float(d.mean()), p, mid_p, FlipMethod.ENUMERATION, 2**d.size, d.size, moving.size)
    multiples = lattice.units(moving)
    if multiples is None:
        return None
    p, tie = lattice.tail(multiples)
    return SignFlip(float(d.mean()), p, p - 0.5 * tie, FlipMethod.LATTICE, 2**d.size, d.size, moving.size)


def _drawn(table: FloatArray, draws: int, seed: int, batch: int) -> list[SignFlip]:
    flips = Flips(np.nan_to_num(table), draws, seed, batch)
    at_least, tied = _counts(flips)
    return [
        SignFlip(
            mean=float(np.nanmean(column)),
            p=flips.p(float(at_least[index])),
            mid_p=flips.mid_p(float(at_least[index]), float(tied[index])),
            method=FlipMethod.MONTE_CARLO,
            assignments=draws,
            n=int((~np.isnan(column)).sum()),
            n_nonzero=int((np.nan_to_num(column) != 0.0).sum()),
        )
        for index, column in enumerate(table.T)
    ]


def _counts(flips: Flips) -> tuple[FloatArray, FloatArray]:
    observed = np.abs(flips.table.sum(axis=0))
    slack = TIE_TOLERANCE * np.sqrt((flips.table**2).sum(axis=0))
    at_least, beyond = np.zeros_like(observed), np.zeros_like(observed)
    for sums in flips.sums():
        size = np.abs(sums)
        at_least += (size >= observed - slack).sum(axis=0)
        beyond += (size > observed + slack).sum(axis=0)
    return at_least, at_least - beyond
