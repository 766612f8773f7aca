"""The four verdicts of a gate; the worst of its rules' is its own.

False friend: `ragproof.statistics.verdicts.Verdict`, which knows no ERROR, for numbers alone cannot be out of
order.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Verdict(StrEnum):
    """What a gate says, the best first."""

    PASS = "PASS"
    """Shown to hold, whatever the missing values are."""
    INCONCLUSIVE = "INCONCLUSIVE"
    """Neither shown to hold nor to be broken."""
    FAIL = "FAIL"
    """Shown to be broken."""
    ERROR = "ERROR"
    """The numbers do not say what the rule is about: an outage, another dataset, no baseline."""


_BY_SEVERITY = tuple(Verdict)


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the worst of some verdicts: ERROR, FAIL, INCONCLUSIVE, PASS.

    Args:
        verdicts: at least one.

    Raises:
        ValueError: there is none, and nothing passes for want of rules.
    """
    return max(verdicts, key=_BY_SEVERITY.index)
