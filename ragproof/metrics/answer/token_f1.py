"""Token F1: the harmonic mean of the shares of answer and reference tokens that the other has too.

Tokens are counted as often as both have them, in any order. `token_f1` follows the SQuAD v2 evaluation to the
last digit; `token_f1_unicode` is the same on Unicode tokens. Both by the rules of `references`.
False friends: `rouge_l` minds the order; neither sees a wrong unit or a negation.
Source: source B; Rajpurkar, Jia and Liang (2018), doi:10.18653/v1/P18-2124, evaluation v2.0.
"""

from __future__ import annotations

from collections import Counter
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


def token_f1(prediction: str, references: Sequence[str]) -> float:
    """Return the SQuAD v2 F1 of the answer with its best reference.

    Args:
        prediction: the answer; empty is right when nothing is left of the references.
        references: right answers; empty is an unanswerable question, whose right answer is "".

    Returns:
        A value from 0 to 1, higher is better.
    """
    return best_agreement(prediction, references, squad_tokens, _shared_f1)


def token_f1_unicode(prediction: str, references: Sequence[str]) -> float:
    """Return the F1 of the answer with its best reference in Unicode tokens.

    Args:
        prediction: the answer; empty is right when nothing is left of the references.
        references: right answers; empty is an unanswerable question, whose right answer is "".

    Returns:
        A value from 0 to 1, higher is better; an answer that is a reference scores 1.0 in every script.
    """
    if is_reference(prediction, references):
        return 1.0
    return best_agreement(prediction, references, unicode_tokens, _shared_f1)


def overlap_f1(overlap: int, predicted: int, expected: int) -> float:
    """Return the harmonic mean of precision and recall.

    Args:
        overlap: how many tokens agree; 0 gives 0.
        predicted: how many the answer has, at least `overlap`.
        expected: how many the reference has, at least `overlap`.

    Returns:
        A value from 0 to 1. Computed by way of precision and recall, as the evaluations do that it is held
        against: the shorter 2 * overlap / (predicted + expected) can differ in the last digit.
    """
    if not overlap:
        return 0.0
    precision, recall = overlap / predicted, overlap / expected
    return 2 * precision * recall / (precision + recall)


def _shared_f1(predicted: Tokens, expected: Tokens) -> float:
    if not predicted or not expected:
        return float(predicted == expected)
    shared = (Counter(predicted) & Counter(expected)).total()
    return overlap_f1(shared, len(predicted), len(expected))


METRICS = (
    Metric(
        key="token_f1",
        summary="The words that answer and best reference share, as SQuAD v2 counts them; made for English.",
        family="answer",
        measure=held_against_references(token_f1),
        needs=(Need.ANSWER,),
        kinds=SCORED_KINDS,
    ),
    Metric(
        key="token_f1_unicode",
        summary="The words and numbers that answer and best reference share, in every script.",
        family="answer",
        measure=held_against_references(token_f1_unicode),
        needs=(Need.ANSWER,),
        kinds=SCORED_KINDS,
    ),
)
