"""A rating of 0, 1 or 2 as a score of 0, 0.5 or 1."""

from __future__ import annotations

from ragproof.judge.calls import Verdict
from ragproof.metric import Measurement

HIGHEST_RATING = 2


def banded(verdict: Verdict) -> Measurement:
    """Return the score of a rating, with the judge's reply."""
    assert isinstance(verdict.value, int)
    return Measurement(verdict.value / HIGHEST_RATING, {"rating": verdict.value, **verdict.transcript.told()})
