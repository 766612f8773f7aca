"""A human label: what one person says that one metric should give one answer of one run.

It judges the answer, so it belongs to the run that gave it. False friend: a dataset's expected answer, which
judges nothing and holds for every run.
"""

from __future__ import annotations

from pydantic import Field, FiniteFloat

from ragproof.frozen import Frozen

UNNAMED = ""
"""The labeller where nobody is named."""


class HumanLabel(Frozen):
    """One person's verdict; all but `value` and `at_random` say what it is of, and by whom."""

    run_id: str
    case_id: str
    metric: str
    """Its key."""
    trial: int = Field(default=0, ge=0)
    """Which of a repeated case's answers; 0 is the first, as in the ledger."""
    labeller: str = UNNAMED
    """Who gave it; personal data, printed by `ragproof labels list` alone."""
    value: FiniteFloat
    """In the metric's range."""
    at_random: bool = False
    """The claim of whoever imported it: that the labelled cases were drawn at random from the run's."""

    @property
    def of(self) -> tuple[str, str, str, int, str]:
        """What tells it from every other label."""
        return (self.run_id, self.case_id, self.metric, self.trial, self.labeller)
