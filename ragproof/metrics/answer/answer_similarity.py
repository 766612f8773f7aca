"""Answer similarity: the cosine between the answer and the closest reference, as a small model places them.

all-MiniLM-L6-v2, on this machine: an English model, which places texts by what they speak of. An answer that
is a reference letter by letter scores 1 in every script, and one that says nothing scores 0, as a vector
without a direction does. A text of which the model knows no word cannot be told from another: skipped.
False friend: correctness. "safe" and "not safe" score 0.89; to "The warranty lasts two years." the wrong
"three years" is closer (0.90) than the right "You are covered for 24 months." (0.39).
Source: source B; Reimers and Gurevych (2019), doi:10.18653/v1/D19-1410.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from pydantic import JsonValue

from ragproof.evidence import Evidence
from ragproof.metric import ANSWERABLE, Cost, Measurement, Metric, Need, Range
from ragproof.metrics.answer.references import is_reference
from ragproof.scores import Skipped

if TYPE_CHECKING:
    from ragproof.similarity.model import Embedding, Vector


UNREADABLE = Skipped(reason="similarity model knows no word of the answer, or of any reference")


def cosine(first: Vector, second: Vector) -> float:
    """Return the cosine of the angle between two vectors.

    Args:
        first: a vector of any length but 0.
        second: another, of as many dimensions.

    Returns:
        -1 to 1; 1 is the same direction.
    """
    one, other = first.astype(float), second.astype(float)
    # Rounding in the last digit must not put it outside.
    return min(1.0, max(-1.0, float(one @ other) / sqrt(float(one @ one) * float(other @ other))))


def measure(evidence: Evidence) -> Measurement | Skipped:
    """Score the answer against every expected answer of the case.

    The details say which reference was closest, counted from 1, and what of the two the model did not read.
    """
    model = evidence.settings.similarity_model
    assert model is not None
    answer, references = evidence.output.answer or "", evidence.case.expected_answers
    for place, reference in enumerate(references, 1):
        if is_reference(answer, (reference,)):
            return Measurement(1.0, {"closest_reference": place, "references": len(references)})
    said, *expected = model.embed((answer, *references))
    if not any(each.tokens for each in expected):
        return Skipped(reason=Need.EXPECTED_ANSWER.value)
    if not said.tokens:
        return Measurement(0.0, {"answer": "says nothing"})
    readable = {place: each for place, each in enumerate(expected, 1) if _is_readable(each)}
    if not readable or not _is_readable(said):
        return UNREADABLE
    cosines = {place: cosine(said.vector, each.vector) for place, each in readable.items()}
    closest = max(cosines, key=cosines.__getitem__)
    details: dict[str, JsonValue] = {"closest_reference": closest, "references": len(references)}
    return Measurement(cosines[closest], details | _unread({"answer": said, "reference": readable[closest]}))


def _is_readable(text: Embedding) -> bool:
    return text.tokens > text.unknown


def _unread(texts: dict[str, Embedding]) -> dict[str, JsonValue]:
    """Return what the model left out of each text; nothing where it read all."""
    unknown: dict[str, JsonValue] = {name: each.unknown for name, each in texts.items() if each.unknown}
    truncated: list[JsonValue] = [name for name, each in texts.items() if each.cut]
    told: dict[str, JsonValue] = {"unknown_tokens": unknown, "truncated": truncated}
    return {name: value for name, value in told.items() if value}


METRIC = Metric(
    key="answer_similarity",
    summary="How close the answer is to a reference in meaning; close is not correct.",
    family="answer",
    measure=measure,
    range=Range(-1.0, 1.0),
    needs=(Need.SIMILARITY_MODEL, Need.EXPECTED_ANSWER, Need.ANSWER),
    kinds=ANSWERABLE,
    cost=Cost.LOCAL_MODEL,
)
