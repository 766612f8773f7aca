"""ROUGE-L: as the rouge-score package on ASCII, on Unicode tokens otherwise."""

from __future__ import annotations

import importlib
from importlib.util import find_spec

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.metrics.answer.rouge_l import METRIC, rouge_l
from ragproof.scoring import score
from tests.fakes.evidence import case, evidence, output


def f1(overlap: int, predicted: int, expected: int) -> float:
    """Return the share of all tokens that agree: twice the overlap over the tokens of both sides."""
    return 2 * overlap / (predicted + expected)


FORMULA = [
    # why, prediction, references, value
    ("equal", "the cat sat", ["the cat sat"], 1.0),
    ("order counts", "sat cat the", ["the cat sat"], f1(1, 3, 3)),
    ("gaps are free", "the old cat sat", ["the cat sat down"], f1(3, 4, 4)),
    ("a word counts once for each time both have it", "go go go", ["go"], f1(1, 3, 1)),
    ("articles count on ASCII", "the cat", ["cat"], f1(1, 2, 1)),
    ("they do not otherwise", "the café", ["café"], 1.0),
    ("case and punctuation do not count", "The Cat!", ["the cat"], 1.0),
    ("on ASCII any mark separates", "3.5 don't x_y", ["3 5 don t x y"], 1.0),
    ("otherwise numbers stay whole", "3.5 é", ["3 5 é"], f1(1, 2, 3)),
    ("words are not stemmed", "running", ["run"], 0.0),
    ("lines are one sequence", "B follows.\nA leads.", ["A leads.\nB follows."], f1(2, 4, 4)),
    ("the best reference counts", "the cat", ["dog", "the cat", ""], 1.0),
    ("an empty answer scores 0", "", ["Paris"], 0.0),
    ("an empty reference too", "Paris", [""], 0.0),
    ("and both", "", [""], 0.0),
    ("no reference scores 0", "Paris", [], 0.0),
    ("ASCII marks alone are no tokens, as in the package", "!!!", ["!!!"], 0.0),
    ("a blank is empty in every script", "\u3000", ["\u3000"], 0.0),
    ("other marks alone are themselves", "…", ["…"], 1.0),
    ("and not each other", "…", ["。"], 0.0),
    ("an accent is no space", "naïve Zoë", ["na ve zo"], 0.0),
    ("a curly apostrophe is a straight one", "it’s here", ["it's here"], 1.0),
    ("a character is a token where there are no spaces", "東京都", ["東都京"], f1(2, 3, 3)),
    ("marks stay in the word", "दिल्ली में", ["दिल्ली"], f1(1, 2, 1)),
]


@pytest.mark.parametrize(("why", "prediction", "references", "value"), FORMULA, ids=[r[0] for r in FORMULA])
def test_the_formula_gives_the_known_answers(
    why: str, prediction: str, references: list[str], value: float
) -> None:
    """Each row is one clause of the definition."""
    assert rouge_l(prediction, references) == pytest.approx(value, abs=1e-12), why


ASCII = st.text(st.characters(max_codepoint=127), max_size=40)
VOCABULARY = ("the", "cat", "sat", "on", "a", "mat.", "Mat", "3.5", "don't", "x_y", "-", "\n")
WORDS = st.lists(st.sampled_from(VOCABULARY), max_size=25).map(" ".join)


@pytest.mark.skipif(
    find_spec("rouge_score") is None, reason="rouge-score is not installed: pip install rouge-score==0.1.2"
)
@pytest.mark.filterwarnings("default")
@settings(deadline=None)
@given(prediction=ASCII | WORDS, references=st.lists(ASCII | WORDS, min_size=1, max_size=3))
def test_on_ascii_it_is_the_rouge_score_package(prediction: str, references: list[str]) -> None:
    """To the last digit, with several references as that package takes the best of them."""
    scorer = importlib.import_module("rouge_score.rouge_scorer").RougeScorer(["rougeL"], use_stemmer=False)
    assert rouge_l(prediction, references) == scorer.score_multi(references, prediction)["rougeL"].fmeasure


def test_an_answer_longer_than_a_block_is_read_whole() -> None:
    """Nothing is cut: the last of 20,001 words is found."""
    words = " ".join(f"w{number}" for number in range(20_000))
    assert rouge_l(f"{words} end", [f"start {words} end"]) == pytest.approx(f1(20_001, 20_001, 20_002))


def test_the_metric_scores_the_answer_against_every_expected_one() -> None:
    """The best of the case's expected answers counts."""
    asked = evidence(case(expected_answers=("Lutetia", "Paris, France")), output(answer="Paris"))
    assert score(METRIC, asked.case, asked.output, asked.settings).value == pytest.approx(f1(1, 1, 2))
