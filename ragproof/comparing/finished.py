"""Whether a run has come to an end that its numbers may be compared at, and what to do when it has not."""

from __future__ import annotations

from ragproof.comparing.scored_run import ScoredRun
from ragproof.errors import RagproofError
from ragproof.runs import RunStatus

COMPARED = frozenset({RunStatus.COMPLETED, RunStatus.STOPPED_EARLY})
_REPAIRED = {
    RunStatus.FAILED_PIPELINE: "repair the pipeline, and",
    RunStatus.FAILED_JUDGE: "repair the judge, and",
    RunStatus.ABORTED_BUDGET: "raise the budget, and",
}


class Unfinished(RagproofError):
    """A run whose numbers are a part of what was asked for: which part says more than the pipeline does."""


def refuse_unfinished(run: ScoredRun) -> None:
    """Let a run that is completed, or was stopped early on purpose, pass.

    Args:
        run: from a store or a file.

    Raises:
        Unfinished: it is another; the message has the cure.
    """
    status = run.record.status
    if status in COMPARED:
        return
    reason = f" ({run.record.status_reason})" if run.record.status_reason else ""
    raise Unfinished(f"run '{run.source}' is {status.value}{reason}; expected a completed one: {_cure(run)}")


def _cure(run: ScoredRun) -> str:
    if run.record.status is RunStatus.RUNNING:
        return "wait until it is over"
    begun = _REPAIRED.get(run.record.status)
    resume = f"'ragproof run --resume {run.record.id}' goes on with it"
    return resume if begun is None else f"{begun} {resume}"
