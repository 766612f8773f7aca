"""How long a run was worked on: the sum of its segments, each from a start or a resume to where it ended.

The time between an interruption and the resume is nobody's work. A segment whose process was killed has no
end: it counts up to the last call that was sent or ended in it, so what it did after that call is left out.
False friend: `finished_at - started_at`, which counts the nights in between.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ragproof.runs import RunRecord


def taken_up(run: RunRecord, at: datetime, last_call_at: datetime | None) -> dict[str, Any]:
    """Return what changes in a run when a segment of work begins.

    Args:
        run: as its last segment left it.
        at: now.
        last_call_at: when a call of the run was last sent or ended; None when there was none.

    Returns:
        Fields of RunRecord.
    """
    return {"worked_seconds": _worked(run, last_call_at), "working_since": at}


def put_down(run: RunRecord, at: datetime) -> dict[str, Any]:
    """Return what changes in a run when a segment of work ends at the moment `at`."""
    return {"worked_seconds": _worked(run, at), "working_since": None, "finished_at": at}


def _worked(run: RunRecord, until: datetime | None) -> float:
    """Add the open segment, if there is one; a clock that was put back takes nothing away."""
    if run.working_since is None or until is None:
        return run.worked_seconds
    return run.worked_seconds + max(0.0, (until - run.working_since).total_seconds())
