"""What a run says of one metric, over all cases or over one tag: a mean with its coverage."""

from __future__ import annotations

from pydantic import Field, FiniteFloat

from ragproof.frozen import Frozen
from ragproof.metric import Direction


class Tag(Frozen):
    """A subset of the cases: those whose tag `name` is `value`."""

    name: str = Field(min_length=1)
    value: str

    def __str__(self) -> str:
        return f"{self.name}={self.value}"


class Summary(Frozen):
    """One metric over one set of cases. Every case is in exactly one of the five counts."""

    metric: str
    direction: Direction
    tag: Tag | None = None
    """None is all cases of the run."""
    mean: FiniteFloat | None = None
    """Over the scored cases; None when there is none, never 0."""
    p50: FiniteFloat | None = None
    """Nearest rank: the value at position max(1, ceil(fraction * n)) of the sorted scores (source A)."""
    p95: FiniteFloat | None = None
    p99: FiniteFloat | None = None
    """For metrics that ask for it (latency)."""
    scored: int = Field(default=0, ge=0)
    skipped: int = Field(default=0, ge=0)
    not_applicable: int = Field(default=0, ge=0)
    judge_error: int = Field(default=0, ge=0)
    case_failed: int = Field(default=0, ge=0)
    lowest_mean: FiniteFloat | None = None
    """The mean had every errored case within reach scored the range's low end; None when unbounded."""
    highest_mean: FiniteFloat | None = None
    reasons: dict[str, int] = {}
    """How many cases have no number for each reason, most frequent first."""

    def without_estimates(self) -> Summary:
        """Return the counts alone: the mean of a run that stopped when it saw enough estimates nothing."""
        numbers = ("mean", "p50", "p95", "p99", "lowest_mean", "highest_mean")
        return self.model_copy(update=dict.fromkeys(numbers))

    @property
    def errored(self) -> int:
        """Source A's error count: judge errors and failed cases."""
        return self.judge_error + self.case_failed

    @property
    def cases(self) -> int:
        """How many cases the summary speaks of."""
        return self.scored + self.skipped + self.not_applicable + self.errored
