"""The five outcomes of measuring one case. Only `Scored` has a number, and it is finite."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, FiniteFloat, JsonValue

from ragproof.frozen import Frozen

DECLINES = "the answer declines"
"""The reason of a judged metric that an answer which declines leaves nothing to measure."""


class Scored(Frozen):
    """The metric was computed."""

    outcome: Literal["scored"] = "scored"
    value: FiniteFloat


class Skipped(Frozen):
    """The metric needs something this case or this pipeline does not have."""

    outcome: Literal["skipped"] = "skipped"
    reason: str = Field(min_length=1)


class NotApplicable(Frozen):
    """Everything needed is there, and the question the metric asks does not arise."""

    outcome: Literal["not_applicable"] = "not_applicable"
    reason: str = Field(min_length=1)


BUDGET_EXHAUSTED = Skipped(reason="budget exhausted")
"""What the budget did not reach; a resumed run with more of it does."""


class JudgeFailed(Frozen):
    """The judge gave no usable verdict."""

    outcome: Literal["judge_error"] = "judge_error"
    reason: str = Field(min_length=1)


class CaseFailed(Frozen):
    """The pipeline gave no output for this case, or the metric itself broke on it."""

    outcome: Literal["case_failed"] = "case_failed"
    reason: str = Field(min_length=1)


Measured = Scored | Skipped | NotApplicable | JudgeFailed | CaseFailed
Results = list[tuple[str, Measured]]
"""What came of one case: pairs of a metric's key and its result in one trial, in any order."""
OUTCOMES = ("scored", "skipped", "not_applicable", "judge_error", "case_failed")


class Score(Frozen):
    """One metric on one case in one trial."""

    case_id: str
    metric: str
    trial: int = Field(default=0, ge=0)
    result: Annotated[Measured, Field(discriminator="outcome")]
    details: dict[str, JsonValue] = Field(default_factory=dict)  # a default of {} would be copied deeply
    """What explains the result to a reader; never needed to compute anything."""

    @property
    def value(self) -> float | None:
        """The number when there is one."""
        return self.result.value if isinstance(self.result, Scored) else None

    @property
    def reason(self) -> str | None:
        """Why there is no number, when there is none."""
        return None if isinstance(self.result, Scored) else self.result.reason
