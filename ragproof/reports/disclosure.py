"""How much of the cases a report shows where others can read it.

Error texts count as content: a pipeline's exception quotes whatever it was working on.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ragproof.config import Content
from ragproof.judge.calls import JudgeFailureKind
from ragproof.outputs import FailureKind

if TYPE_CHECKING:
    from ragproof.reports.report import RunReport
    from ragproof.runs import RunRecord
    from ragproof.summaries import Summary

_KINDS = frozenset(kind.value for kind in (*FailureKind, *JudgeFailureKind))


def disclosed_reason(run: RunRecord, content: Content) -> str | None:
    """Return why a run ended as it did, without the words of a pipeline or a judge unless all is shown."""
    full = content is Content.FULL or run.status_reason is None
    return run.status_reason if full else str(run.status_reason).partition(": ")[0]


def disclose(report: RunReport, content: Content) -> RunReport:
    """Return the report with no more of the cases in it than `content` allows.

    Args:
        report: everything there is.
        content: `full` changes nothing; `ids` keeps case ids, numbers and kinds of failure; `none` keeps
            numbers alone.

    Returns:
        A report that may be shown.
    """
    if content is Content.FULL:
        return report
    run = report.run
    named = content is Content.IDS
    withheld = f"withheld; 'ragproof show {run.id} --case ID' tells"
    return report.model_copy(
        update={
            "run": run.model_copy(update={"status_reason": disclosed_reason(run, content)}),
            "summaries": tuple(_without_messages(summary) for summary in report.summaries),
            "failures": tuple(each.model_copy(update={"message": withheld}) for each in report.failures)
            if named
            else (),
            "uncertain": report.uncertain if named else (),
            "repeats": report.repeats
            if named or report.repeats is None
            else report.repeats.model_copy(update={"flaky": ()}),
            "worst": tuple(
                case.model_copy(update={"question": None, "answer": None}) for case in report.worst
            )
            if named
            else (),
        }
    )


def _without_messages(summary: Summary) -> Summary:
    reasons: Counter[str] = Counter()
    for reason, cases in summary.reasons.items():
        kind = reason.partition(": ")[0]
        reasons[kind if kind in _KINDS else reason] += cases
    return summary.model_copy(update={"reasons": dict(reasons.most_common())})
