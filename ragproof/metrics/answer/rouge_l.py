"""ROUGE-L: F1 over the longest common subsequence of the tokens of answer and reference, the best reference.

Where both are ASCII, equal to the rouge-score package 0.1.2 without stemming: tokens are runs of a-z and 0-9
after lower casing, articles included. Otherwise on Unicode tokens, a named departure: that package drops
every other character, so identical Japanese scores 0 there.
Two texts without tokens score 0, as in the package, where SQuAD's metrics give 1: read those on questions
without an answer. Outside ASCII, an answer that is its reference letter by letter scores 1 even then.
False friend: rougeLsum, which is free in the order of lines.
Source: Lin, "ROUGE: A Package for Automatic Evaluation of Summaries" (2004), aclanthology.org/W04-1013.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ragproof.evidence import Evidence
from ragproof.metric import ANSWERABLE, Metric, Need
from ragproof.metrics.answer.longest_common_subsequence import lcs_length
from ragproof.metrics.answer.references import is_reference
from ragproof.metrics.answer.token_f1 import overlap_f1
from ragproof.metrics.answer.unicode_tokens import unicode_tokens

_ASCII_TOKEN = re.compile(r"[a-z0-9]+")


def rouge_l(prediction: str, references: Sequence[str]) -> float:
    """Return the ROUGE-L F1 of the answer with its best reference.

    Args:
        prediction: the answer; empty scores 0.
        references: right answers; an empty one scores 0, and so do none.

    Returns:
        A value from 0 to 1, higher is better.
    """
    return max((_rouge_l(prediction, reference) for reference in references), default=0.0)


def _rouge_l(prediction: str, reference: str) -> float:
    if prediction.isascii() and reference.isascii():
        return _subsequence_f1(_ascii_tokens(prediction), _ascii_tokens(reference))
    if is_reference(prediction, (reference,)):
        return 1.0
    return _subsequence_f1(unicode_tokens(prediction), unicode_tokens(reference))


def _ascii_tokens(text: str) -> Sequence[str]:
    return _ASCII_TOKEN.findall(text.lower())


def _subsequence_f1(predicted: Sequence[str], expected: Sequence[str]) -> float:
    return overlap_f1(lcs_length(predicted, expected), len(predicted), len(expected))


def measure(evidence: Evidence) -> float:
    """Score the answer against every expected answer of the case."""
    return rouge_l(evidence.output.answer or "", evidence.case.expected_answers)


METRIC = Metric(
    key="rouge_l",
    summary="The words that answer and best reference share in the same order.",
    family="answer",
    measure=measure,
    needs=(Need.EXPECTED_ANSWER, Need.ANSWER),
    kinds=ANSWERABLE,
)
