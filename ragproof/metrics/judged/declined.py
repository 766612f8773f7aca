"""Whether an answer declines, as the judge sees it: decided before any claim of the answer is judged.

One question a case, whoever asks it. An answer without a visible character declines and costs no call.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from ragproof.cases import CaseKind
from ragproof.evidence import Evidence
from ragproof.judge.ask import Ask
from ragproof.judge.prompting import load
from ragproof.metric import Explained, Measurement
from ragproof.scores import DECLINES, NotApplicable

PROMPT = "refusal"
_ID = "declined"


@dataclass(frozen=True)
class Declined:
    """The judge's verdict, and what explains it."""

    declined: bool
    details: Mapping[str, JsonValue] = field(default_factory=dict)


async def declined(evidence: Evidence, ask: Ask) -> Declined:
    """Ask whether the answer declines to answer.

    Raises:
        Unjudged: the judge gave no usable verdict; nothing is guessed in its place.
    """
    answer = evidence.output.answer or ""
    if not answer.strip():
        return Declined(declined=True, details={"rule": "the answer is empty"})
    verdict = await ask(load(PROMPT).render({"question": evidence.case.question, "answer": answer}))
    assert isinstance(verdict.value, dict)
    details = {"rule": "judge", "quote": verdict.quotes[0], **verdict.transcript.told()}
    return Declined(bool(verdict.value[_ID]), details)


async def measure(evidence: Evidence, ask: Ask) -> Measurement:
    """Return 1.0 when the answer declines and 0.0 when it answers."""
    found = await declined(evidence, ask)
    return Measurement(float(found.declined), found.details)


def nothing_to_judge(found: Declined) -> Explained:
    """Return the outcome of a metric of claims on an answer that declines: there are none."""
    return Explained(NotApplicable(reason=DECLINES), found.details)


def worth_of_declining(evidence: Evidence, found: Declined) -> Measurement | Explained:
    """Return the score of an answer that declines on a metric of what an answer is worth.

    Returns:
        0.0 where an answer is known to exist; not applicable where declining may be right: an unanswerable
        case, or an attack without an expected answer.
    """
    case = evidence.case
    answerable = case.kind is CaseKind.QA or (case.kind is CaseKind.INJECTION and case.expected_answers)
    return Measurement(0.0, found.details) if answerable else nothing_to_judge(found)
