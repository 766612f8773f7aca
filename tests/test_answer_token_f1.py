"""Token F1 by SQuAD v2, and on Unicode tokens."""

from __future__ import annotations

from math import isclose

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.metrics.answer.token_f1 import overlap_f1, token_f1, token_f1_unicode


def f1(overlap: int, predicted: int, expected: int) -> float:
    """Return the share of all tokens that agree: twice the overlap over the tokens of both sides."""
    return 2 * overlap / (predicted + expected)


FORMULA = [
    # why, prediction, references, SQuAD value, Unicode value
    ("equal", "Paris", ["Paris"], 1.0, 1.0),
    ("one of three words right", "Paris in France", ["Paris"], f1(1, 3, 1), f1(1, 3, 1)),
    ("order is free", "York New", ["New York"], 1.0, 1.0),
    ("nothing shared", "Lyon", ["Paris"], 0.0, 0.0),
    ("a repeated word counts as often as both have it", "go go go", ["go go"], f1(2, 3, 2), f1(2, 3, 2)),
    ("articles and punctuation do not count", "The Paris!", ["a Paris"], 1.0, 1.0),
    ("the best reference counts, not their mean", "in 1994", ["1994", "May"], f1(1, 2, 1), f1(1, 2, 1)),
    ("no reference is an empty one", "", [], 1.0, 1.0),
    ("an answer where there is none is wrong", "Paris", [], 0.0, 0.0),
    ("an empty answer is wrong where there is one", "", ["Paris"], 0.0, 0.0),
    ("a reference that normalises to nothing is dropped", "", ["The", "Paris"], 0.0, 0.0),
    ("where none is left the empty answer is right", "?", ["The"], 1.0, 1.0),
    ("a character is a token where there are no spaces", "北京市", ["北京"], 0.0, f1(2, 3, 2)),
    ("in Thai its vowel signs are too", "กรุงเทพมหานคร", ["กรุงเทพ"], 0.0, f1(7, 13, 7)),
    ("Korean particles stay attached", "서울에서", ["서울"], 0.0, 0.0),
    ("punctuation glues or separates", "state-of-art", ["art"], 0.0, f1(1, 3, 1)),
    ("the currency sign is a word", "$5 million", ["5 million"], 1.0, f1(2, 3, 2)),
    ("a wrong unit is one wrong word", "5 km", ["5 mi"], f1(1, 2, 2), f1(1, 2, 2)),
    ("a wrong sign is a wrong number", "-5 km", ["5 km"], 1.0, f1(1, 2, 2)),
    ("symbols count where there is nothing else", "👍🏽", ["👍"], 0.0, f1(1, 2, 1)),
]


@pytest.mark.parametrize(
    ("why", "prediction", "references", "squad", "in_unicode"), FORMULA, ids=[row[0] for row in FORMULA]
)
def test_the_formula_gives_the_known_answers(
    why: str, prediction: str, references: list[str], squad: float, in_unicode: float
) -> None:
    """Each row is one clause of the definition, or one place where the two part."""
    assert token_f1(prediction, references) == pytest.approx(squad, abs=1e-12), why
    assert token_f1_unicode(prediction, references) == pytest.approx(in_unicode, abs=1e-12), why


WORDS = st.lists(st.sampled_from(["go", "Paris", "1994", "the", "May"]), max_size=6).map(" ".join)


@settings(deadline=None)
@given(WORDS, WORDS)
def test_answer_and_reference_may_change_places(one: str, other: str) -> None:
    """Precision of one is recall of the other."""
    assert isclose(token_f1(one, [other]), token_f1(other, [one]), abs_tol=1e-15)


@settings(deadline=None)
@given(st.integers(1, 50), st.integers(0, 50), st.integers(0, 50))
def test_the_harmonic_mean_is_the_share_of_all_tokens(overlap: int, more: int, others: int) -> None:
    """It is computed the long way for its last digit alone."""
    value = overlap_f1(overlap, overlap + more, overlap + others)
    assert isclose(value, f1(overlap, overlap + more, overlap + others), rel_tol=1e-12)
    assert value <= 1.0
    assert (value == 1.0) == (more == others == 0)


def test_the_last_digit_is_that_of_the_official_evaluation() -> None:
    """Precision 1 and recall 1/5 make a hair more than 1/3 by way of the two, and 1/3 by the short way."""
    precision, recall = 1 / 1, 1 / 5
    assert token_f1("b", ["b c d e f"]) == (2 * precision * recall) / (precision + recall) != f1(1, 1, 5)
