"""The worked cases of the answer metrics, and what all promise: identical text scores 1.0 in every script."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ragproof.metrics.answer.contains_answer import contains_answer
from ragproof.metrics.answer.exact_match import exact_match, exact_match_unicode
from ragproof.metrics.answer.rouge_l import rouge_l
from ragproof.metrics.answer.token_f1 import token_f1, token_f1_unicode

Formula = Callable[[str, Sequence[str]], float]

FORMULAS: dict[str, Formula] = {
    "exact_match": exact_match,
    "exact_match_unicode": exact_match_unicode,
    "token_f1": token_f1,
    "token_f1_unicode": token_f1_unicode,
    "rouge_l": rouge_l,
    "contains_answer": contains_answer,
}
UNICODE = ("exact_match_unicode", "token_f1_unicode", "contains_answer")
EVERY_FORMULA = pytest.mark.parametrize("formula", FORMULAS.values(), ids=FORMULAS)

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "answer_cases.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
BINDING = [row for row in ROWS if row["binding"]]

TEXTS = st.text(st.characters(exclude_categories=()), max_size=30)
VISIBLE_TEXTS = TEXTS.filter(str.strip)
FEW_WORDS = st.lists(st.sampled_from(["the", "Paris", "東京", "-5", "5", "👍", "!", " "]), max_size=5).map(
    " ".join
)

SCRIPTS = {
    "Arabic": "تقع القاهرة على ضفاف النيل",
    "Armenian": "Երևանը Հայաստանի մայրաքաղաքն է",
    "Bengali": "ঢাকা বাংলাদেশের রাজধানী",
    "Burmese": "နေပြည်တော်သည် မြို့တော်ဖြစ်သည်",
    "Cherokee": "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ",
    "Cyrillic": "Москва — столица России",
    "Devanagari": "दिल्ली भारत की राजधानी है।",
    "Emoji": "👩🏽\u200d🚀❤\ufe0f",
    "Ethiopic": "አዲስ አበባ ዋና ከተማ ናት።",
    "Georgian": "თბილისი დედაქალაქია",
    "Greek": "Η Αθήνα είναι πρωτεύουσα",
    "Han": "北京是中国的首都。",
    "Hangul": "서울은 대한민국의 수도이다.",
    "Hebrew": "ירושלים היא עיר",
    "Kana": "とうきょうはトーキョー",
    "Khmer": "ភ្នំពេញជារាជធានី",
    "Lao": "ວຽງຈັນເປັນນະຄອນຫຼວງ",
    "Latin": "L’été à Paris, c’est 25 °C",
    "Mongolian": "ᠮᠣᠩᠭᠣᠯ ᠪᠢᠴᠢᠭ᠌",
    "Punctuation": "«…»",
    "Sinhala": "ශ්‍රී ලංකාව",
    "Tamil": "சென்னை தமிழ்நாடு",
    "Thai": "กรุงเทพมหานครเป็นเมืองหลวง",
    "Tibetan": "ལྷ་ས་བོད་ཀྱི་རྒྱལ་ས",
    "Vietnamese": "Hà Nội là thủ đô",
}


@pytest.mark.parametrize("row", BINDING, ids=[f"{row['id']} {row['key']}" for row in BINDING])
def test_a_worked_case_has_its_value(row: dict[str, Any]) -> None:
    """Each row says in its own words what it shows; values are written with six digits."""
    value = FORMULAS[row["key"]](row["prediction"], row["references"])
    assert round(value, 6) == row["value"], row["why"]


def test_every_formula_has_a_worked_case() -> None:
    """A table that lost its rows would pass."""
    assert {row["key"] for row in BINDING} == set(FORMULAS)


@EVERY_FORMULA
@pytest.mark.parametrize("text", SCRIPTS.values(), ids=SCRIPTS)
def test_identical_text_scores_one_in_this_script(formula: Formula, text: str) -> None:
    """No script is without tokens."""
    assert formula(text, [text]) == 1.0


@EVERY_FORMULA
@settings(deadline=None)
@given(text=VISIBLE_TEXTS)
def test_identical_text_scores_one_whatever_the_characters(formula: Formula, text: str) -> None:
    """Over all of Unicode: symbols, lone surrogates and characters that no one has assigned included.

    ROUGE-L alone follows its package on ASCII, where text without letters and digits scores 0.
    """
    assume(formula is not rouge_l or not text.isascii() or any(map(str.isalnum, text)))
    assert formula(text, [text]) == 1.0


@pytest.mark.parametrize("key", [*UNICODE, "rouge_l"])
@settings(deadline=None)
@given(text=VISIBLE_TEXTS, others=st.lists(TEXTS, max_size=2), at=st.integers(0, 2))
def test_an_identical_reference_among_others_is_enough(
    key: str, text: str, others: list[str], at: int
) -> None:
    """Even punctuation or an article, which normalises to nothing and would be dropped beside the others."""
    assume(key != "rouge_l" or not text.isascii())
    assert FORMULAS[key](text, [*others[:at], text, *others[at:]]) == 1.0


@EVERY_FORMULA
@settings(deadline=None)
@given(prediction=TEXTS | FEW_WORDS, references=st.lists(TEXTS | FEW_WORDS, max_size=4), data=st.data())
def test_a_value_is_from_0_to_1_and_the_order_of_references_is_free(
    formula: Formula, prediction: str, references: list[str], data: st.DataObject
) -> None:
    """The best reference counts, wherever it stands."""
    value = formula(prediction, references)
    assert 0.0 <= value <= 1.0
    assert formula(prediction, data.draw(st.permutations(references))) == value


@pytest.mark.parametrize("form", ["", "_unicode"])
@settings(deadline=None)
@given(prediction=FEW_WORDS, references=st.lists(FEW_WORDS, max_size=3))
def test_an_exact_match_has_every_token_right(form: str, prediction: str, references: list[str]) -> None:
    """F1 is 1 wherever the match is exact, and 0 only without a shared token."""
    exact = FORMULAS[f"exact_match{form}"](prediction, references)
    assert FORMULAS[f"token_f1{form}"](prediction, references) >= exact
