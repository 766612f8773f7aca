"""Three bands that scores are compared in: 0, 0.5 and 1, each score in the nearest.

A score halfway between two, .25 or .75, goes to the middle band: one claim of four unsupported is not full
support, one of four supported is not none, and turning the scale round changes no agreement. False friend:
cutting at thirds, which calls one claim of three in an answer "none".
"""

from __future__ import annotations

BANDS = (0.0, 0.5, 1.0)
FULL = 2
"""The place of the full band, which sensitivity and specificity are about."""

_BELOW_IS_NONE, _ABOVE_IS_FULL = 0.25, 0.75


def band_of(score: float) -> int:
    """Return the band of a score.

    Args:
        score: from 0 to 1.

    Returns:
        Its place in `BANDS`: 0, 1 or 2.

    Raises:
        ValueError: the score is outside of [0, 1], or no number.
    """
    if not 0.0 <= score <= 1.0:
        raise ValueError(f"score {score!r} is in no band; expected a number from 0 to 1")
    if score < _BELOW_IS_NONE:
        return 0
    return FULL if score > _ABOVE_IS_FULL else 1
