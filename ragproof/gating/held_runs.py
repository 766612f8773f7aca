"""The run that a gate judges, and the baseline it is held against, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.comparability import Difference
from ragproof.comparing.finished import COMPARED, Unfinished, refuse_unfinished
from ragproof.comparing.pairing import Incomparable, Pair, pair
from ragproof.comparing.scored_run import ScoredRun
from ragproof.runs import RunStatus


@dataclass(frozen=True)
class HeldRuns:
    """Both runs.

    Attributes:
        run: the one that is judged.
        baseline: None when there is none, or it could not be found.
        pair: both over the cases they share; None when they cannot be held against each other.
        problem: why there is no pair, for what needs one; None when there is one, or nothing needs it.
        differences: what differs in what gives their numbers meaning, when that is the problem.
    """

    run: ScoredRun
    baseline: ScoredRun | None = None
    pair: Pair | None = None
    problem: str | None = None
    differences: tuple[Difference, ...] = ()

    @property
    def run_problem(self) -> str | None:
        """Why the judged run says nothing at all; None when it is completed, or was stopped early."""
        if self.run.record.status in COMPARED:
            return None
        return _unfinished(self.run)

    @property
    def stopped_early(self) -> bool:
        """Whether it was stopped at a sure regression."""
        return self.run.record.status is RunStatus.STOPPED_EARLY


def hold(run: ScoredRun, baseline: ScoredRun, *, allow_mixed_judges: bool, min_coverage: float) -> HeldRuns:
    """Hold a run against a baseline.

    Args:
        run: the one that is judged.
        baseline: the one that it must not be worse than.
        allow_mixed_judges: let the judge differ, and only the judge.
        min_coverage: the least share of the smaller run's cases that both have, from 0 to 1.

    Returns:
        Both, paired or with the problem: nothing is raised, for an ERROR is a verdict too.
    """
    if baseline.record.id == run.record.id:
        return HeldRuns(
            run, baseline, problem="the baseline is the run itself, which shows nothing; name another"
        )
    if baseline.record.status is not RunStatus.COMPLETED:
        return HeldRuns(run, baseline, problem=f"the baseline cannot be used: {_unfinished(baseline)}")
    try:
        both = pair(baseline, run, allow_mixed_judges=allow_mixed_judges, min_coverage=min_coverage)
    except Incomparable as error:
        return HeldRuns(run, baseline, problem=str(error).partition("\n")[0], differences=error.differences)
    return HeldRuns(run, baseline, pair=both)


def _unfinished(run: ScoredRun) -> str:
    try:
        refuse_unfinished(run)
    except Unfinished as error:
        return str(error)
    return f"run '{run.source}' is {run.record.status.value}; expected a completed one"
