"""Causes outside the answer: the pipeline failed, the judge did, or it read the same answer otherwise."""

from __future__ import annotations

from ragproof.comparing.metric_roles import is_judged
from ragproof.comparing.worsened_case import SLIGHT, Side, WorsenedCase, named
from ragproof.judge.calls import JudgeFailureKind
from ragproof.outputs import Chunk, FailureKind

_PIPELINE_KINDS = frozenset(kind.value for kind in FailureKind)
_JUDGE_KINDS = frozenset(kind.value for kind in JudgeFailureKind)


def pipeline_failed(worsened: WorsenedCase) -> str | None:
    """Tell that the candidate's pipeline gave no output for the case, where the baseline's did."""
    if worsened.after.failure is not None:
        return worsened.after.failure.reason
    return next((reason for reason in worsened.lost.values() if _kind(reason) in _PIPELINE_KINDS), None)


def judge_failed(worsened: WorsenedCase) -> str | None:
    """Tell that the judge is what changed: scores were lost to its failures alone, or its verdict is another.

    The same answer, citations and chunks under another verdict are the judge's doing.
    """
    if max(worsened.falls.values(), default=0.0) <= SLIGHT:
        lost = verdicts_lost(worsened)
        if lost is not None or not worsened.falls:
            return lost
    before, after = _told(worsened.before), _told(worsened.after)
    if before is None or before != after or not all(map(is_judged, worsened.falls)):
        return None
    return f"the same answer on the same chunks, another verdict on {named(worsened.falls)}"


def verdicts_lost(worsened: WorsenedCase) -> str | None:
    """Tell that scores were lost to the judge, whatever else fell: for a case that nothing else explains."""
    reasons = {key: reason for key, reason in worsened.lost.items() if _by_judge(key, reason)}
    return f"{named(reasons)}: {next(iter(reasons.values()))}" if reasons else None


def _by_judge(key: str, reason: str) -> bool:
    return _kind(reason) in _JUDGE_KINDS or (is_judged(key) and not reason.startswith("metric '"))


def _kind(reason: str) -> str:
    return reason.partition(": ")[0]


def _told(side: Side) -> tuple[object, ...] | None:
    """All of an output that a judge is shown; None when it was not kept."""
    output = side.output
    if output is None:
        return None
    return output.answer, output.citations, _shown(output.retrieved), _shown(output.context)


def _shown(chunks: tuple[Chunk, ...] | None) -> tuple[tuple[str, str], ...] | None:
    return None if chunks is None else tuple((chunk.id, chunk.text) for chunk in chunks)
