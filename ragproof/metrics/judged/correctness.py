"""An answer held against a reference claim by claim, both ways; shared by what counts right and wrong
claims.
"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.evidence import Evidence
from ragproof.judge.ask import Ask
from ragproof.metrics.judged.side_by_side import side_by_side
from ragproof.metrics.judged.support import Checked, premise, supported


@dataclass(frozen=True)
class FScore:
    """Precision, recall and the number made of both, each from 0 to 1."""

    precision: float
    recall: float
    value: float


def f_score(
    true_of_answer: int, of_answer: int, true_of_reference: int, of_reference: int, beta: float = 1.0
) -> FScore:
    """Return the F-beta of claims.

    Args:
        true_of_answer: claims of the answer that the reference entails.
        of_answer: claims of the answer; 0 has a precision of 0.
        true_of_reference: claims of the reference that the answer entails.
        of_reference: claims of the reference, at least 1.
        beta: how many times as much recall counts as precision.
    """
    precision = true_of_answer / of_answer if of_answer else 0.0
    recall = true_of_reference / of_reference
    if not precision and not recall:
        return FScore(precision, recall, 0.0)
    value = (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
    return FScore(precision, recall, value)


def mixed_f1(true_of_answer: int, of_answer: int, missed_of_reference: int) -> float:
    """Return RAGAS's factual correctness: its recall counts claims of the answer over claims of both sides.

    Args:
        true_of_answer: claims of the answer that the reference entails: its true positives.
        of_answer: claims of the answer.
        missed_of_reference: claims of the reference that the answer does not entail: its false negatives.

    Returns:
        `2 tp / (2 tp + fp + fn)`, from 0 to 1, not rounded; 0.0 without a true positive.
    """
    wrong = of_answer - true_of_answer
    total = 2 * true_of_answer + wrong + missed_of_reference
    return 2 * true_of_answer / total if total else 0.0


async def entailed_by(
    text: str, claims: tuple[str, ...], evidence: Evidence, ask: Ask
) -> tuple[Checked, ...]:
    """Ask which claims a reference, or the answer, entails as an answer to the question.

    Raises:
        Unjudged: some claim has no verdict.
    """
    required = evidence.settings.require_quotes
    return await supported(claims, [premise(evidence.case.question, text)], ask, quotes_required=required)


async def both_ways(
    answer: tuple[str, ...], reference: tuple[str, ...], text: str, evidence: Evidence, ask: Ask
) -> tuple[tuple[Checked, ...], tuple[Checked, ...]]:
    """Ask which claims of the answer the reference entails, and which of the reference the answer does.

    Args:
        answer: claims of the answer.
        reference: claims of the reference.
        text: the reference.
        evidence: the case with its answer.
        ask: the judge.

    Raises:
        Unjudged: some claim has no verdict.
    """
    ours, theirs = await side_by_side(
        [
            entailed_by(text, answer, evidence, ask),
            entailed_by(evidence.output.answer or "", reference, evidence, ask),
        ]
    )
    return ours, theirs
