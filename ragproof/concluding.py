"""How a run ended, decided once over all its cases: an outage never looks like a success."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from ragproof.outputs import CaseFailure
from ragproof.runs import CaseCounts, RunStatus
from ragproof.scores import DECLINES
from ragproof.summaries import Summary


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


def unjudged(summaries: Sequence[Summary], judged: Collection[str]) -> tuple[RunStatus, str | None]:
    """Decide whether the judge failed a run: one of its metrics has errors and not one judgment.

    Args:
        summaries: of the run; those of tags are passed over.
        judged: the keys of the metrics that the judge decides; empty is a run without one.

    Returns:
        `completed`, or `failed:judge` with a sentence.
    """
    for summary in summaries:
        if summary.tag is not None or summary.metric not in judged or not summary.judge_error:
            continue
        undecided = summary.reasons.get(DECLINES, 0)  # says nothing of this metric's own question
        if summary.scored + summary.not_applicable - undecided == 0:
            cause = max(summary.reasons, key=lambda reason: (reason != DECLINES, summary.reasons[reason]))
            return (
                RunStatus.FAILED_JUDGE,
                f"every judgment of {summary.metric} failed ({summary.judge_error} cases): {cause}",
            )
    return RunStatus.COMPLETED, None
