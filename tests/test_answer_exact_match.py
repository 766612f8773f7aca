"""Exact match by SQuAD v2, and on Unicode tokens."""

from __future__ import annotations

import pytest

from ragproof.metrics.answer.exact_match import exact_match, exact_match_unicode

FORMULA = [
    # why, prediction, references, SQuAD value, Unicode value
    ("equal", "Paris", ["Paris"], 1.0, 1.0),
    ("case, articles, punctuation and spaces aside", " the  PARIS. ", ["Paris"], 1.0, 1.0),
    ("a further word is no match", "Paris, France", ["Paris"], 0.0, 0.0),
    ("order counts", "York New", ["New York"], 0.0, 0.0),
    ("the best reference counts", "Lutetia", ["Paris", "Lutetia"], 1.0, 1.0),
    ("no reference is an empty one", "", [], 1.0, 1.0),
    ("an empty answer is no right answer", "", ["Paris"], 0.0, 0.0),
    ("an answer where there is none is wrong", "Paris", [""], 0.0, 0.0),
    ("a reference that normalises to nothing is dropped", "", ["The", "Paris"], 0.0, 0.0),
    ("where none is left the empty answer is right", "", ["The", "..."], 1.0, 1.0),
    ("and so is any that normalises to nothing", "?!", ["The"], 1.0, 1.0),
    ("but not a symbol", "👍", [""], 0.0, 0.0),
    ("one symbol is not another", "👍", ["👎"], 0.0, 0.0),
    ("an answer that normalises to nothing is still itself", "!", ["!", "Paris"], 0.0, 1.0),
    ("an option letter is an article", "A", ["A", "B"], 0.0, 1.0),
    ("and not another letter", "A", ["B"], 0.0, 0.0),
    ("a decimal point", "3.5", ["35"], 1.0, 0.0),
    ("a minus", "-5", ["5"], 1.0, 0.0),
    ("a minus typed otherwise", "−5", ["-5"], 0.0, 1.0),
    ("per cent", "50%", ["50"], 1.0, 0.0),
    ("per cent with a space", "50 %", ["50%"], 1.0, 1.0),
    ("currency", "$5", ["5"], 1.0, 0.0),
    ("another currency", "€5", ["$5"], 0.0, 0.0),
    ("thousands", "1,000", ["1000"], 1.0, 1.0),
    ("a decimal comma", "3,5", ["35"], 1.0, 0.0),
    ("a hyphen", "ice-cream", ["ice cream"], 0.0, 1.0),
    ("a hyphen left out", "ice-cream", ["icecream"], 1.0, 0.0),
    ("an initialism", "U.S.", ["US"], 1.0, 0.0),
    ("a curly apostrophe", "l’eau", ["l'eau"], 0.0, 1.0),
    ("curly quotes", "“Paris”", ["Paris"], 0.0, 1.0),
    ("a full stop of another script", "दिल्ली।", ["दिल्ली"], 0.0, 1.0),
    ("sharp s and its capitals", "STRASSE", ["Straße"], 0.0, 1.0),
    ("a dotted capital I", "İstanbul", ["istanbul"], 0.0, 1.0),
    ("composition", "cafe\u0301", ["café"], 0.0, 1.0),
    ("full-width letters", "ＴＯＫＹＯ", ["Tokyo"], 0.0, 1.0),
    ("digits of another script", "१९९५", ["1995"], 0.0, 1.0),
    ("a zero-width space", "a\u200bb", ["ab"], 0.0, 1.0),
    ("tatweel", "مـحمد", ["محمد"], 0.0, 1.0),
    ("one vowel sign", "की", ["का"], 0.0, 0.0),
]


@pytest.mark.parametrize(
    ("why", "prediction", "references", "squad", "in_unicode"), FORMULA, ids=[row[0] for row in FORMULA]
)
def test_the_formula_gives_the_known_answers(
    why: str, prediction: str, references: list[str], squad: float, in_unicode: float
) -> None:
    """Each row is one clause of the definition, or one place where the two part."""
    assert exact_match(prediction, references) == squad, why
    assert exact_match_unicode(prediction, references) == in_unicode, why
