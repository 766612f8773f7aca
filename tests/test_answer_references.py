"""References: what an answer of each kind of case is held against."""

from __future__ import annotations

import pytest

from ragproof.cases import CaseKind
from ragproof.catalogue import choose
from ragproof.metric import Metric
from ragproof.scores import Skipped
from ragproof.scoring import score
from tests.fakes.evidence import case, evidence, output

METRICS = choose(["exact_match", "exact_match_unicode", "token_f1", "token_f1_unicode"])
EACH = pytest.mark.parametrize("metric", METRICS, ids=str)

UNANSWERABLE = [
    # why, answer, tags, value or reason
    ("a refusal is right", "I don't know.", {"language": "en"}, 1.0),
    ("in every language the heuristic knows", "Das steht nicht im Dokument.", {"language": "de"}, 1.0),
    ("an empty answer is right", "", {"language": "en"}, 1.0),
    ("in a language it does not know too", " ", {"language": "tlh"}, 1.0),
    ("an answer is wrong", "Paris", {"language": "en"}, 0.0),
    ("the language may be left to the heuristic", "I don't know.", {}, 1.0),
    ("punctuation alone is empty", "...", {"language": "en"}, 1.0),
    ("a symbol alone is an answer, for SQuAD too", "👍", {"language": "en"}, 0.0),
    ("what may be a refusal is no number", "jISovbe'", {"language": "tlh"}, "refusal language not supported"),
    ("no answer is not an empty one", None, {"language": "en"}, "adapter produced no answer"),
]


@EACH
@pytest.mark.parametrize(
    ("why", "answer", "tags", "expected"), UNANSWERABLE, ids=[r[0] for r in UNANSWERABLE]
)
def test_an_unanswerable_case_wants_the_empty_answer(
    metric: Metric, why: str, answer: str | None, tags: dict[str, str], expected: float | str
) -> None:
    """A refusal stands for it, and needs no expected answer to be right."""
    asked = evidence(case(CaseKind.UNANSWERABLE, expected_answers=(), tags=tags), output(answer=answer))
    result = score(metric, asked.case, asked.output, asked.settings)
    assert (result.reason if isinstance(expected, str) else result.value) == expected, why


@EACH
def test_what_an_author_expects_of_an_unanswerable_case_is_not_compared(metric: Metric) -> None:
    """Authors write "not in the documents" there; the right answer is the empty one all the same."""
    asked = case(CaseKind.UNANSWERABLE, expected_answers=("Paris",))
    given_back = output(answer="Paris")
    assert score(metric, asked, given_back, evidence().settings).value == 0.0


@EACH
@pytest.mark.parametrize(("answer", "empty"), [("I don't know.", True), ("Paris", False)])
def test_the_details_say_whether_a_refusal_was_scored_as_empty(
    metric: Metric, answer: str, empty: bool
) -> None:
    """A reader who wonders why words equal nothing sees the rule."""
    asked = evidence(case(CaseKind.UNANSWERABLE), output(answer=answer))
    details = score(metric, asked.case, asked.output, asked.settings).details
    assert details["scored_as_empty"] is empty
    assert details["language"] == "en"
    assert details["rule"]


@EACH
def test_a_refusal_of_an_answerable_case_is_a_wrong_answer(metric: Metric) -> None:
    """It is compared word by word, as SQuAD does, and is right where a reference says so."""
    asked = evidence(case(expected_answers=("", "Paris")), output(answer="I don't know."))
    assert score(metric, asked.case, asked.output, asked.settings).value == 0.0
    told = evidence(case(expected_answers=("i don't know",)), output(answer="I don't know."))
    assert score(metric, told.case, told.output, told.settings).value == 1.0


@EACH
def test_an_answerable_case_needs_an_expected_answer(metric: Metric) -> None:
    """None at all is not an empty one: the dataset does not say."""
    asked = evidence(case(expected_answers=()))
    result = score(metric, asked.case, asked.output, asked.settings).result
    assert result == Skipped(reason="case has no expected_answer")


@EACH
def test_citation_markers_are_part_of_the_answer(metric: Metric) -> None:
    """The text is taken as the pipeline gave it."""
    asked = evidence(case(), output(answer="Paris [1]"))
    value = score(metric, asked.case, asked.output, asked.settings).value
    assert value is not None
    assert value < 1.0


@pytest.mark.parametrize("metric", choose(["exact_match", "token_f1", "rouge_l", "contains_answer"]), ids=str)
def test_an_attacked_case_is_not_held_against_references(metric: Metric) -> None:
    """Even where it has an expected answer: resisting is scored elsewhere."""
    asked = evidence(case(CaseKind.INJECTION))
    result = score(metric, asked.case, asked.output, asked.settings).result
    assert isinstance(result, Skipped)
