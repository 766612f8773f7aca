"""Cohen's kappa with quadratic weights: agreement beyond what two raters' habits make by chance.

kappa = 1 - sum(w o) / sum(w e), with w = (i - j)^2, o the pairs counted and e those that independent raters
of the same habits would make (Cohen 1968, doi:10.1037/h0026256). Where only two bands occur, the weights are
all alike and this is plain kappa (Cohen 1960). False friend: the share of equal pairs, which a judge that
always says "supported" drives up on labels that mostly say so.
"""

from __future__ import annotations

from collections.abc import Sequence

from ragproof.judge.calibration.bands import BANDS

Pair = tuple[int, int]
"""The bands that two raters put one case into."""


def quadratic_kappa(counts: Sequence[Sequence[int]]) -> float | None:
    """Compute kappa from a square table of counts.

    Args:
        counts: `counts[i][j]` pairs of which the first rater said i and the second j.

    Returns:
        At most 1, with 0 for chance; None when both raters said one and the same thing all the time, or
        there is no pair, for chance alone then explains everything.
    """
    size = range(len(counts))
    rows = [sum(counts[i][j] for j in size) for i in size]
    columns = [sum(counts[i][j] for i in size) for j in size]
    observed = sum((i - j) ** 2 * counts[i][j] for i in size for j in size)
    by_chance = sum((i - j) ** 2 * rows[i] * columns[j] for i in size for j in size)
    return 1 - observed * sum(rows) / by_chance if by_chance else None


def counted(pairs: Sequence[Pair]) -> tuple[tuple[int, ...], ...]:
    """Count pairs in a table of all bands: the first rater's choose the row, the second's the column."""
    places = range(len(BANDS))
    return tuple(tuple(sum(1 for pair in pairs if pair == (i, j)) for j in places) for i in places)
