"""Why a run asked no more before its end."""

from __future__ import annotations

from ragproof.frozen import Frozen
from ragproof.judge.calls import BudgetExhausted, JudgingEnds
from ragproof.runs import RunStatus


class RunEnd(Frozen):
    """How the run will end, and why."""

    status: RunStatus
    reason: str


def run_end(error: JudgingEnds | None, otherwise: RunStatus) -> RunEnd | None:
    """Return how a run ends that asks no more; None while it goes on.

    Args:
        error: why it asks no more.
        otherwise: the status when that is not the budget.
    """
    if error is None:
        return None
    status = RunStatus.ABORTED_BUDGET if isinstance(error, BudgetExhausted) else otherwise
    return RunEnd(status=status, reason=str(error))
