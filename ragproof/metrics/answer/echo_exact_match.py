"""Echo exact match: 1 when the answer is an expected answer, white space around both aside.

Source A's debugging metric. False friend: `exact_match` (source B, SQuAD v2) lowers, and drops punctuation
and articles; here "Paris." is not "Paris".
"""

from __future__ import annotations

from collections.abc import Iterable

from ragproof.evidence import Evidence
from ragproof.metric import Metric, Need


def echo_exact_match(answer: str, expected: Iterable[str]) -> float:
    """Return 1.0 when the stripped answer equals a stripped expected answer, else 0.0.

    Args:
        answer: the answer; empty equals an expected answer that is blank.
        expected: right answers, the best match counts; empty matches nothing and scores 0.

    Returns:
        0.0 or 1.0, higher is better.
    """
    return float(answer.strip() in {text.strip() for text in expected})


def measure(evidence: Evidence) -> float:
    """Score the answer against every expected answer of the case."""
    return echo_exact_match(evidence.output.answer or "", evidence.case.expected_answers)


METRIC = Metric(
    key="echo.exact_match",
    summary="Whether the answer is an expected answer, letter by letter; for debugging.",
    family="answer",
    measure=measure,
    needs=(Need.EXPECTED_ANSWER, Need.ANSWER),
)
