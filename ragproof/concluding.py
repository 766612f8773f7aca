"""How a run ended, decided once over all its cases: an outage never looks like a success."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ragproof.outputs import CaseFailure, Outcome
from ragproof.runs import CaseCounts, RunStatus


def count(outcomes: Iterable[Outcome], total: int) -> CaseCounts:
    """Count how the calls ended; cases never reached are in `total` alone."""
    failed = ok = 0
    for outcome in outcomes:
        if isinstance(outcome, CaseFailure):
            failed += 1
        else:
            ok += 1
    return CaseCounts(total=total, ok=ok, failed=failed)


def conclude(
    outcomes: Iterable[Outcome], total: int, max_error_rate: float
) -> tuple[RunStatus, str | None, CaseCounts]:
    """Decide the status of a run whose calls have all ended.

    Args:
        outcomes: every call's outcome.
        total: cases of the dataset; 0 is a run of nothing, and completed.
        max_error_rate: the share of failed cases above which the pipeline is held to have failed, 0 to 1.

    Returns:
        The status, one sentence when it is not `completed`, and the counts.
    """
    outcomes = tuple(outcomes)
    counts = count(outcomes, total)
    if counts.failed == 0 or (counts.ok and counts.failed / counts.total <= max_error_rate):
        return RunStatus.COMPLETED, None, counts
    causes = Counter(outcome.reason for outcome in outcomes if isinstance(outcome, CaseFailure))
    cause, times = causes.most_common(1)[0]
    if counts.ok == 0:
        lead = f"every call failed ({counts.failed} of {counts.total})"
    else:
        share = counts.failed / counts.total
        lead = (
            f"{counts.failed} of {counts.total} calls failed ({share:.0%}), "
            f"more than run.max_error_rate allows ({max_error_rate:.0%})"
        )
    spread = "" if times == counts.failed else f" ({times} of them)"
    return RunStatus.FAILED_PIPELINE, f"{lead}: {cause}{spread}", counts
