"""A share of cases with its 95 % Wilson interval, because a dozen cases say little."""

from __future__ import annotations

from pydantic import Field

from ragproof.frozen import Frozen
from ragproof.statistics.proportions import wilson_interval


class Share(Frozen):
    """So many of so many."""

    count: int = Field(ge=0)
    of: int = Field(ge=0)
    value: float | None
    """None of no cases: never 0."""
    low: float | None
    high: float | None

    def reaches(self, least: float) -> bool:
        """Say whether the share itself, not its interval, is at least so much; that of no cases is not."""
        return self.value is not None and self.value >= least


def share(count: int, of: int) -> Share:
    """Make a share.

    Args:
        count: from 0 to `of`.
        of: cases; 0 gives a share without value and interval.
    """
    interval = wilson_interval(count, of)
    return Share(count=count, of=of, value=count / of if of else None, low=interval.low, high=interval.high)
