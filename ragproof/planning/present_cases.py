"""What the configured dataset holds for a metric: the cases in its reach, and the groups they come in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ragproof.cases import Case
from ragproof.evidence import Settings
from ragproof.metric import Metric
from ragproof.scoring import out_of_reach
from ragproof.statistics.design_effect import design_effect


@dataclass(frozen=True)
class PresentCases:
    """The cases of a dataset that a metric may score.

    Attributes:
        cases: that a run would ask.
        in_reach: of those, how many some output could be scored on.
        group_sizes: of the groups that those in reach come in, a case without one by itself.
        reason: why most of the others are out of reach; None when none is.
    """

    cases: int
    in_reach: int
    group_sizes: tuple[int, ...]
    reason: str | None

    @property
    def is_grouped(self) -> bool:
        """Whether some group has more than one of them."""
        return any(size > 1 for size in self.group_sizes)

    def design_effect(self, correlation: float) -> float:
        """Return by how much their groups inflate the variance of a mean, at least 1.

        Args:
            correlation: of cases of one group, from 0 to 1.
        """
        return design_effect(self.group_sizes, correlation) if self.is_grouped else 1.0


def present_cases(metric: Metric, cases: Sequence[Case], settings: Settings) -> PresentCases:
    """Look at a dataset with the eyes of a metric.

    Args:
        metric: the metric.
        cases: that a run would ask.
        settings: of the run.
    """
    reasons = [out_of_reach(metric, case, settings) for case in cases]
    reached = [case for case, reason in zip(cases, reasons, strict=True) if reason is None]
    groups = Counter(case.group for case in reached if case.group is not None)
    alone = sum(case.group is None for case in reached)
    out = Counter(reason for reason in reasons if reason is not None).most_common(1)
    return PresentCases(
        len(cases), len(reached), (*groups.values(), *[1] * alone), out[0][0] if out else None
    )
