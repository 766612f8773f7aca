"""Echo exact match: the debugging metric that compares letter by letter."""

from __future__ import annotations

import pytest

from ragproof.metrics.answer.echo_exact_match import METRIC, echo_exact_match
from ragproof.scoring import score
from tests.fakes.evidence import case, evidence, output

FORMULA = [
    # why, answer, expected answers, value
    ("equal", "Paris", ("Paris",), 1.0),
    ("white space around the answer is stripped", " Paris\n", ("Paris",), 1.0),
    ("white space around the expected answer is stripped", "Paris", ("\tParis ",), 1.0),
    ("white space of other scripts is white space", "\u3000Paris\u00a0", ("Paris",), 1.0),
    ("white space inside counts", "New  York", ("New York",), 0.0),
    ("case counts", "paris", ("Paris",), 0.0),
    ("punctuation counts", "Paris.", ("Paris",), 0.0),
    ("the best of several expected answers counts", "Lutetia", ("Paris", "Lutetia"), 1.0),
    ("identical text scores 1 in every script", "東京", ("東京",), 1.0),
    ("an empty answer is no right answer", "", ("Paris",), 0.0),
    ("two blanks are equal", " ", ("",), 1.0),
    ("nothing expected matches nothing", "", (), 0.0),
]


@pytest.mark.parametrize(("why", "answer", "expected", "value"), FORMULA)
def test_the_formula_gives_the_known_answers(
    why: str, answer: str, expected: tuple[str, ...], value: float
) -> None:
    """Each row is one clause of the definition."""
    assert echo_exact_match(answer, expected) == value, why


def test_no_expected_answer_is_told_before_no_answer() -> None:
    """With neither, the reason is the dataset's: no pipeline could score."""
    bare = evidence(case(expected_answers=()), output(answer=None))
    result = score(METRIC, bare.case, bare.output, bare.settings)
    assert result.reason == "case has no expected_answer"
