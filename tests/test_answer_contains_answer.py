"""Answer containment: a reference as a run of whole tokens."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.metrics.answer.contains_answer import METRIC, contains_answer
from ragproof.scoring import score
from tests.fakes.evidence import case, evidence, output

FORMULA = [
    # why, prediction, references, value
    ("inside a longer answer", "The answer is Paris, France.", ["Paris"], 1.0),
    ("at its start", "Paris it is", ["Paris"], 1.0),
    ("at its end", "it is Paris", ["Paris"], 1.0),
    ("case, composition and punctuation aside", "«CAFE\u0301»!", ["café"], 1.0),
    ("several words in a row", "in New York City", ["New York"], 1.0),
    ("with an article between, for it is dropped", "King of the Hill", ["king of hill"], 1.0),
    ("not with another word between", "New and old York", ["New York"], 0.0),
    ("not in another order", "York New", ["New York"], 0.0),
    ("whole tokens alone", "It cost 15 dollars", ["5 dollars"], 0.0),
    ("nor the beginning of one", "Parisian", ["Paris"], 0.0),
    ("a minus belongs to the number", "It was -5 degrees", ["5 degrees"], 0.0),
    ("a decimal point too", "It was 3.5 metres", ["5 metres"], 0.0),
    ("the amount stands without its currency", "It cost $5,000.", ["5000"], 1.0),
    ("any reference is enough", "Lutetia", ["Paris", "Lutetia"], 1.0),
    ("an empty reference is never contained", "anything", [""], 0.0),
    ("not even in an empty answer", "", [""], 0.0),
    ("nor a blank one in itself", " ", [" "], 0.0),
    ("nor one that normalises to nothing", "What? The end.", ["The", "?"], 0.0),
    ("except in itself", "?", ["?"], 1.0),
    ("no reference is not contained", "anything", [], 0.0),
    ("the answer may not be the part", "Paris", ["Paris, France"], 0.0),
    ("blind to negation", "It is not Paris but Lyon.", ["Paris"], 1.0),
    ("a character is a token where there are no spaces", "東京都庁", ["京都"], 1.0),
    ("a vowel sign makes another word", "दिल्ली", ["दिल्ल"], 0.0),
    ("one symbol is not another", "👍", ["👎"], 0.0),
]


@pytest.mark.parametrize(("why", "prediction", "references", "value"), FORMULA, ids=[r[0] for r in FORMULA])
def test_the_formula_gives_the_known_answers(
    why: str, prediction: str, references: list[str], value: float
) -> None:
    """Each row is one clause of the definition."""
    assert contains_answer(prediction, references) == value, why


WORDS = st.lists(st.sampled_from(["New", "York", "東京", "-5", "दिल्ली", "$", "3.5"]), max_size=6)


@settings(deadline=None)
@given(before=WORDS, reference=WORDS.filter(bool), after=WORDS)
def test_a_reference_is_found_wherever_it_stands(
    before: list[str], reference: list[str], after: list[str]
) -> None:
    """Whatever the words around it."""
    assert contains_answer(" ".join([*before, *reference, *after]), [" ".join(reference)]) == 1.0


def test_the_metric_scores_answerable_cases_alone() -> None:
    """The best of the case's expected answers counts."""
    asked = evidence(case(expected_answers=("Lutetia", "Paris")), output(answer="It is Paris."))
    assert score(METRIC, asked.case, asked.output, asked.settings).value == 1.0
