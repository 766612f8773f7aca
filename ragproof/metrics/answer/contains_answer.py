"""Answer containment: 1.0 when a reference occurs in the answer as a run of whole Unicode tokens, else 0.0.

For long answers to questions with short references, where F1 punishes every further word.
Known limits: blind to negation ("not Paris" contains Paris); in scripts without spaces a token is a
character, so 京都 is in 東京都; a reference without words (an article, a mark) is contained only in itself.
False friend: a substring search, which finds "5" in "15". Source: source B.
"""

from __future__ import annotations

from collections.abc import Sequence

from ragproof.evidence import Evidence
from ragproof.metric import ANSWERABLE, Metric, Need
from ragproof.metrics.answer.references import is_reference
from ragproof.metrics.answer.unicode_tokens import unicode_tokens


def contains_answer(prediction: str, references: Sequence[str]) -> float:
    """Return 1.0 when the answer contains a reference, else 0.0.

    Args:
        prediction: the answer; empty contains nothing.
        references: right answers, one is enough; an empty one is never contained, and none scores 0.

    Returns:
        0.0 or 1.0, higher is better.
    """
    if is_reference(prediction, references):
        return 1.0
    answer = _spaced(unicode_tokens(prediction))
    wanted = [tokens for tokens in map(unicode_tokens, references) if tokens]
    return float(any(_spaced(tokens) in answer for tokens in wanted))


def _spaced(tokens: tuple[str, ...]) -> str:
    # No token holds a space, so a run of tokens is a substring that begins and ends at spaces.
    return f" {' '.join(tokens)} "


def measure(evidence: Evidence) -> float:
    """Score the answer against every expected answer of the case."""
    return contains_answer(evidence.output.answer or "", evidence.case.expected_answers)


METRIC = Metric(
    key="contains_answer",
    summary="Whether a reference occurs in the answer as whole words, in every script.",
    family="answer",
    measure=measure,
    needs=(Need.EXPECTED_ANSWER, Need.ANSWER),
    kinds=ANSWERABLE,
)
