"""A case that got worse, with all that a cause can be told by: both runs' outputs and scores side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from ragproof.cases import Case, CaseKind
from ragproof.comparing.metric_roles import Role, role_of
from ragproof.comparing.reach import Reach, reach, reach_of_values
from ragproof.evidence import Evidence, Settings
from ragproof.outputs import CaseFailure, Outcome, PipelineOutput

SLIGHT = 0.1
"""A fall up to which what a metric speaks of is taken to be as good as before, as a share of the range."""


@dataclass(frozen=True)
class Side:
    """One run's part in a case.

    Attributes:
        outcome: how the pipeline's call ended; None when that was not kept, as in an exported run.
        values: its numbers by metric.
    """

    outcome: Outcome | None = None
    values: Mapping[str, float] = field(default_factory=dict)

    @property
    def output(self) -> PipelineOutput | None:
        """What the pipeline gave back, where it did."""
        return self.outcome if isinstance(self.outcome, PipelineOutput) else None

    @property
    def failure(self) -> CaseFailure | None:
        """The pipeline's failure, where it failed."""
        return self.outcome if isinstance(self.outcome, CaseFailure) else None

    @property
    def answer(self) -> str | None:
        """The answer, where there is one."""
        return self.output.answer if self.output else None


@dataclass(frozen=True)
class WorsenedCase:
    """A case on which the candidate did worse than the baseline.

    Attributes:
        id: of the case.
        kind: what it tests.
        before: the baseline's part.
        after: the candidate's.
        falls: by how much of its range each metric got worse, over 0; empty when only scores were lost.
        lost: why the candidate has no score where the baseline has one, by metric.
        case: what was asked; None when that was not kept.
        settings: what gave the scores their meaning.
        gone: expected source ids that no longer are in the candidate's corpus, with what says so.
    """

    id: str
    kind: CaseKind
    before: Side
    after: Side
    falls: Mapping[str, float] = field(default_factory=dict)
    lost: Mapping[str, str] = field(default_factory=dict)
    case: Case | None = None
    settings: Settings = field(default_factory=Settings)
    gone: Mapping[str, str] = field(default_factory=dict)

    def fall(self, *roles: Role) -> float:
        """Return the mean fall over the metrics of some roles that fell, 0 when none did."""
        found = [fall for key, fall in self.falls.items() if role_of(key) in roles]
        return sum(found) / len(found) if found else 0.0

    @cached_property
    def evidence(self) -> tuple[Evidence | None, Evidence | None]:
        """What a metric would look at, before and after; None where case or output were not kept."""
        return self._evidence(self.before), self._evidence(self.after)

    @cached_property
    def reaches(self) -> tuple[Reach | None, Reach | None]:
        """How far the sources of the answer came, before and after; None where it cannot be told."""
        was, now = self.evidence
        return (
            reach_of_values(self.before.values) if was is None else reach(was),
            reach_of_values(self.after.values) if now is None else reach(now),
        )

    def _evidence(self, side: Side) -> Evidence | None:
        if self.case is None or side.output is None:
            return None
        return Evidence(self.case, side.output, self.settings)


def named(keys: Iterable[str], shown: int = 3) -> str:
    """Write metric keys as a list in one line."""
    known = list(keys)
    more = len(known) - shown
    return ", ".join([*known[:shown], f"and {more} more"] if more > 0 else known)
