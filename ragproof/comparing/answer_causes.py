"""Causes in the answer: with its sources at hand it declined, cited wrongly, or said something else."""

from __future__ import annotations

from collections.abc import Sequence

from ragproof.cases import CaseKind
from ragproof.comparing.conflict import conflict, speaks_of
from ragproof.comparing.metric_roles import (
    ABSTENTION_RATE,
    CONTEXT_RECALL,
    GROUNDING,
    OVERREFUSAL,
    Role,
)
from ragproof.comparing.reach import chunks_read
from ragproof.comparing.worsened_case import SLIGHT, Side, WorsenedCase, named
from ragproof.metrics.answer.contains_answer import contains_answer
from ragproof.metrics.robustness.refusal import detect
from ragproof.outputs import Chunk
from ragproof.reports import rounding


def over_refusal(worsened: WorsenedCase) -> str | None:
    """Tell that the candidate declined an answerable question whose sources it was given.

    Where nothing tells what it was given, declining what the baseline answered counts.
    """
    if worsened.kind is not CaseKind.QA or at_hand(worsened) is False:
        return None
    if not declines(worsened, worsened.after) or declines(worsened, worsened.before):
        return None
    return "it declined a question that the baseline answered"


def wrong_citation(worsened: WorsenedCase) -> str | None:
    """Tell that the citations got worse and the answer, and how far it stands in what was read, did not."""
    if not worsened.fall(Role.CITATIONS):
        return None
    if worsened.fall(Role.ANSWER) > SLIGHT or worsened.fall(Role.GROUNDING) > SLIGHT:
        return None
    was, now = worsened.before.output, worsened.after.output
    if was is None or now is None:
        return "its citations got worse, its answer did not"
    return f"it cited {_listed(now.citations)}, the baseline {_listed(was.citations)}"


def contradicted(worsened: WorsenedCase) -> str | None:
    """Tell that the answer says otherwise than its context.

    Words tell (`conflict`), unless a judge found the answer as well supported as before. Where a judge found
    less support, an answer that speaks of what its source speaks of contradicts it; one that speaks of
    something else passes it by.
    """
    less_support = worsened.fall(Role.GROUNDING) > 0.0
    judged = any(key in worsened.after.values for key in GROUNDING)
    if not less_support and (judged or not worsened.fall(Role.ANSWER)):
        return None
    evidence = worsened.evidence[1]
    if evidence is None:
        return _support(worsened) if less_support else None
    if evidence.case.kind is CaseKind.UNANSWERABLE or not evidence.output.answer:
        return None
    answer, question, read = evidence.output.answer, evidence.case.question, chunks_read(evidence)
    right = [*evidence.case.expected_answers, *filter(None, [worsened.before.answer])]
    found = conflict(answer, [chunk.text for chunk in read], right, question)
    if found is not None or not less_support:
        return found
    return _support(worsened) if speaks_of(answer, [question, *right]) else None


def ignored(worsened: WorsenedCase) -> str | None:
    """Tell that the answer got more than slightly worse though what it needed was at hand."""
    if worsened.kind is CaseKind.UNANSWERABLE or worsened.fall(Role.ANSWER) <= SLIGHT:
        return None
    if not at_hand(worsened) or _still_right(worsened):
        return None
    return "a source of the expected answer was read, and the answer does not use it"


def at_hand(worsened: WorsenedCase) -> bool | None:
    """Say whether the candidate's generator was given what the answer stands in.

    Returns:
        True when an expected source was read, a judge finds as much of the expected answer in what was read
        as before, it stands there word for word, or all that the baseline's generator read was read; None
        when it cannot be told.
    """
    found = worsened.reaches[1]
    recall = worsened.after.values.get(CONTEXT_RECALL, 0.0)
    if (found is not None and found.read) or (recall > 0.0 and CONTEXT_RECALL not in worsened.falls):
        return True
    was, now = worsened.evidence
    if now is not None:
        wanted, read = now.case.expected_answers, chunks_read(now)
        if was is not None and _includes(read, chunks_read(was)):
            return True
        if any(contains_answer(chunk.text, wanted) for chunk in read):
            return True
    return None if found is None else False


def declines(worsened: WorsenedCase, side: Side) -> bool:
    """Say whether one side's answer declines: as its metrics found, else by the rules of refusal."""
    for key in (OVERREFUSAL, ABSTENTION_RATE):
        if key in side.values:
            return side.values[key] > 0.5
    language = worsened.case.language if worsened.case else None
    return side.answer is not None and detect(side.answer, language).refused is True


def _support(worsened: WorsenedCase) -> str:
    key = next(key for key in worsened.falls if key in GROUNDING)
    was, now = (rounding.value(key, side.values.get(key)) for side in (worsened.before, worsened.after))
    return f"{key} fell from {was} to {now}: what it says has less support in what it was given"


def _still_right(worsened: WorsenedCase) -> bool:
    """Whether the answer still holds an expected one, so that only its form changed."""
    if worsened.case is None or worsened.after.answer is None:
        return False
    return contains_answer(worsened.after.answer, worsened.case.expected_answers) == 1.0


def _includes(read: Sequence[Chunk], others: Sequence[Chunk]) -> bool:
    """Whether all that others read, and something was, is among what was read."""
    return bool(others) and {(each.id, each.text) for each in others} <= {
        (each.id, each.text) for each in read
    }


def _listed(citations: tuple[str, ...] | None) -> str:
    return named(f"'{each}'" for each in citations) if citations else "nothing"
