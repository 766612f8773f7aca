"""How a run ended, decided once over all its cases: an outage never looks like a success."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ragproof.outputs import CaseFailure
from ragproof.runs import CaseCounts, RunStatus


def conclude(
    counts: CaseCounts, failures: Sequence[CaseFailure], max_error_rate: float
) -> tuple[RunStatus, str | None]:
    """Decide the status of a run whose calls have all ended.

    Args:
        counts: how its calls ended; a run of no cases is completed.
        failures: the failed ones, in any order.
        max_error_rate: the share of failed cases above which the pipeline is held to have failed, 0 to 1.

    Returns:
        The status, and one sentence when it is not `completed`.
    """
    if counts.failed == 0 or (counts.ok and counts.failed / counts.total <= max_error_rate):
        return RunStatus.COMPLETED, None
    cause, times = Counter(failure.reason for failure in failures).most_common(1)[0]
    if counts.ok == 0:
        lead = f"every call failed ({counts.failed} of {counts.total})"
    else:
        share = counts.failed / counts.total
        lead = (
            f"{counts.failed} of {counts.total} calls failed ({share:.0%}), "
            f"more than run.max_error_rate allows ({max_error_rate:.0%})"
        )
    spread = "" if times == counts.failed else f" ({times} of them)"
    return RunStatus.FAILED_PIPELINE, f"{lead}: {cause}{spread}"
