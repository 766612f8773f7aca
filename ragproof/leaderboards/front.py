"""The Pareto front: the runs that no other beats in everything at once.

One run dominates another when it is at least as good in every respect that is known of both, and better in
one. What is not known of one of them is passed over, never taken for 0. False friend: the first in rank,
which is on the front and seldom alone there.
"""

from __future__ import annotations

from collections.abc import Sequence

Point = Sequence[float | None]


def front(points: Sequence[Point]) -> tuple[bool, ...]:
    """Say which points are on the front.

    Args:
        points: of each run the same respects in the same order, each so that more is better; None is unknown.

    Returns:
        One answer a run; equal points share theirs.
    """
    return tuple(not any(_dominates(other, point) for other in points) for point in points)


def _dominates(one: Point, other: Point) -> bool:
    known = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    return all(a >= b for a, b in known) and any(a > b for a, b in known)
