"""References: what an answer is held against, by the convention of the SQuAD v2 evaluation.

References that normalise to nothing are dropped, and when none is left the right answer is the empty one. The
best reference counts. An unanswerable case has the one reference "", whatever its author expects in words,
and an answer that declines stands for "". Injection cases are not held against references: what an attacked
answer should be is `robustness.injection_resistance`. The text is taken as it is, citation markers included.
False friend: the official evaluation knows no refusals; there "I don't know" is a wrong answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ragproof.cases import CaseKind
from ragproof.evidence import Evidence
from ragproof.metric import Measure, Measurement, Need
from ragproof.metrics.robustness.refusal import detect
from ragproof.scores import Skipped

Tokens = tuple[str, ...]
Formula = Callable[[str, tuple[str, ...]], float]

SCORED_KINDS = frozenset({CaseKind.QA, CaseKind.UNANSWERABLE})


def best_agreement(
    prediction: str,
    references: Iterable[str],
    tokens_of: Callable[[str], Tokens],
    agreement: Callable[[Tokens, Tokens], float],
) -> float:
    """Return how well an answer agrees with the best of its references.

    Args:
        prediction: the answer.
        references: right answers; those without tokens are dropped, and none left is the empty answer.
        tokens_of: the tokenisation.
        agreement: compares the answer's tokens with a reference's; 0 to 1.

    Returns:
        The highest agreement.
    """
    predicted = tokens_of(prediction)
    kept = [tokens for tokens in map(tokens_of, references) if tokens]
    return max(agreement(predicted, expected) for expected in kept or [()])


def is_reference(prediction: str, references: Iterable[str]) -> bool:
    """Say whether the answer is a reference letter by letter but for white space around; a blank never is.

    Text of punctuation or articles alone has no Unicode tokens, and is its own right answer all the same.
    """
    stripped = prediction.strip()
    return bool(stripped) and any(stripped == reference.strip() for reference in references)


def held_against_references(formula: Formula) -> Measure:
    """Return what measures evidence by a formula of the answer and its references.

    The details of an unanswerable case say whether the answer was taken for a refusal and scored as "". In a
    language the refusal heuristic does not know the case is skipped, for an answer and a refusal look alike.
    """

    def measure(evidence: Evidence) -> float | Measurement | Skipped:
        case, answer = evidence.case, evidence.output.answer or ""
        if case.kind is not CaseKind.UNANSWERABLE:
            # Not in `needs`, which hold for every kind: an unanswerable case needs no expected answer.
            if not case.expected_answers:
                return Skipped(reason=Need.EXPECTED_ANSWER.value)
            return formula(answer, case.expected_answers)
        refusal = detect(answer, case.language)
        if refusal.refused is None:
            return Skipped(reason="refusal language not supported")
        return Measurement(
            formula("" if refusal.refused else answer, ("",)),
            {"scored_as_empty": refusal.refused, "language": refusal.language, "rule": refusal.reason},
        )

    return measure
