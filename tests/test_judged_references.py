"""Cases with several expected answers: each distinct one is a reference, and the closest counts."""

from __future__ import annotations

import pytest

from ragproof.catalogue import catalogue
from ragproof.evidence import Settings
from ragproof.scores import NotApplicable
from tests.fakes.claim_scripts import Reply, answer_claims, claims, judge, supporting, supporting_by
from tests.fakes.evidence import case, output
from tests.fakes.scripted_judge import measured

JUDGED = Settings(judge_configured=True)
CORRECT, NOISE = "factual_correctness", "noise_sensitivity"
RECALL, PRECISION = "context_recall", "context_precision"
NO_REFERENCE_CLAIM = NotApplicable(reason="the reference makes no factual claim")


def test_of_several_references_the_closest_counts() -> None:
    """And those that differ in articles, case and punctuation alone are one."""
    replies: dict[str, Reply] = {
        "claims": lambda data: claims("far1", "far2") if data["text"] == "far" else claims("near"),
        "claim_support": supporting("near", "far1"),
    }
    asked = judge(replies)
    two = case(expected_answers=("far", "near", "The Near!"))
    score = measured(catalogue().by_key[RECALL], two, output(), JUDGED, asked)
    assert score.value == 1.0
    assert score.details["reference"] == "near"
    assert [data["text"] for data in asked.asked("claims")] == ["far", "near"]
    groundedness = {"groundedness": answer_claims(near="k1", far2="k1")}
    score = measured(catalogue().by_key[CORRECT], two, output(), JUDGED, judge({**replies, **groundedness}))
    assert score.value == pytest.approx(2 * 0.5 * 1 / 1.5)


def test_a_claim_is_wrong_only_when_no_reference_entails_it() -> None:
    """One of several right answers is enough."""
    replies: dict[str, Reply] = {
        "groundedness": answer_claims(a="k1", b="k1"),
        "claim_support": supporting_by(first="a", second=""),
    }
    two = case(expected_answers=("first", "second"))
    assert measured(catalogue().by_key[NOISE], two, output(), JUDGED, judge(replies)).value == 1 / 2


@pytest.mark.parametrize("metric", [CORRECT, NOISE, RECALL, PRECISION])
def test_a_blank_reference_claims_nothing(metric: str) -> None:
    """And nothing is asked about it."""
    asked = judge({})
    score = measured(catalogue().by_key[metric], case(expected_answers=(" ", "\n")), output(), JUDGED, asked)
    assert score.result == NO_REFERENCE_CLAIM
    assert {call.prompt.prompt for call in asked.calls} <= {"refusal"}
