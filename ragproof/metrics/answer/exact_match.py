"""Exact match: 1.0 when the answer and a reference have the same tokens in the same order, else 0.0.

`exact_match` follows the SQuAD v2 evaluation to the letter; `exact_match_unicode` is the same on Unicode
tokens, for which "3.5" is not "35" and "ＴＯＫＹＯ" is "Tokyo". Both by the rules of `references`.
False friend: `echo.exact_match` (source A) normalises nothing but white space around the text.
Source: source B; Rajpurkar, Jia and Liang (2018), doi:10.18653/v1/P18-2124, evaluation v2.0.
"""

from __future__ import annotations

from collections.abc import Sequence

from ragproof.metric import Metric, Need
from ragproof.metrics.answer.references import (
    SCORED_KINDS,
    Tokens,
    best_agreement,
    held_against_references,
    is_reference,
)
from ragproof.metrics.answer.squad_tokens import squad_tokens
from ragproof.metrics.answer.unicode_tokens import unicode_tokens


def exact_match(prediction: str, references: Sequence[str]) -> float:
    """Return 1.0 when the answer equals a reference as SQuAD v2 normalises both, else 0.0.

    Args:
        prediction: the answer; empty is right when nothing is left of the references.
        references: right answers; empty is an unanswerable question, whose right answer is "".

    Returns:
        0.0 or 1.0, higher is better.
    """
    return best_agreement(prediction, references, squad_tokens, _same)


def exact_match_unicode(prediction: str, references: Sequence[str]) -> float:
    """Return 1.0 when the answer equals a reference in Unicode tokens, else 0.0.

    Args:
        prediction: the answer; empty is right when nothing is left of the references.
        references: right answers; empty is an unanswerable question, whose right answer is "".

    Returns:
        0.0 or 1.0, higher is better; an answer that is a reference scores 1.0 in every script.
    """
    if is_reference(prediction, references):
        return 1.0
    return best_agreement(prediction, references, unicode_tokens, _same)


def _same(predicted: Tokens, expected: Tokens) -> float:
    return float(predicted == expected)


METRICS = (
    Metric(
        key="exact_match",
        summary="Whether the answer equals a reference as SQuAD v2 compares them; made for English.",
        family="answer",
        measure=held_against_references(exact_match),
        needs=(Need.ANSWER,),
        kinds=SCORED_KINDS,
    ),
    Metric(
        key="exact_match_unicode",
        summary="Whether the answer equals a reference in words and numbers, in every script.",
        family="answer",
        measure=held_against_references(exact_match_unicode),
        needs=(Need.ANSWER,),
        kinds=SCORED_KINDS,
    ),
)
