"""The ways in which a judge may be asked for claims: in two steps, and about each context by itself."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from ragproof.catalogue import catalogue
from ragproof.evidence import ClaimSplit, PerContext, Settings
from ragproof.judge.config import JudgeConfig
from tests.fakes.claim_scripts import Reply, answer_claims, claims, judge, supporting, supporting_by, useful
from tests.fakes.evidence import case, chunks, output
from tests.fakes.scripted_judge import measured

FAITHFUL, NOISE, PRECISION = "faithfulness", "noise_sensitivity", "context_precision"
FIVE = {"retrieved": chunks("c1", "c2", "c3", "c4", "c5")}
TWO_STEP = Settings(judge_configured=True, claims=ClaimSplit.TWO_STEP)
EXACT = Settings(judge_configured=True, per_context=PerContext.EXACT)


def test_two_steps_split_first_and_judge_after() -> None:
    """The claims are found without the contexts in sight; the number is of the same kind."""
    asked = judge({"claims": claims("a", "b"), "claim_support": supporting("b")})
    score = measured(catalogue().by_key[FAITHFUL], case(), output(), TWO_STEP, asked)
    assert score.value == 0.5
    assert [call.prompt.prompt for call in asked.calls] == ["refusal", "claims", "claim_support"]


def test_exact_noise_asks_each_context_about_the_claims_of_both_sides() -> None:
    """RAGAS's definition: c1 supports a claim of the reference and is relevant, c2 is not."""
    replies: dict[str, Reply] = {
        "groundedness": answer_claims(a="", b="", c=""),
        "claims": claims("r"),
        "claim_support": supporting_by(c1="r a", c2="b", Question=""),
    }
    fields = {"retrieved": chunks("c1", "c2")}
    score = measured(catalogue().by_key[NOISE], case(), output(**fields), EXACT, judge(replies))
    assert score.value == 2 / 3
    assert (score.details["relevant"], score.details["irrelevant"]) == (1 / 3, 1 / 3)


def test_exact_noise_costs_2k_and_3_calls() -> None:
    """The claims of both sides, the answer's by the reference, and both by each of five contexts: 13."""
    asked = judge({"groundedness": answer_claims(a="k1"), "claims": claims("r")})
    measured(catalogue().by_key[NOISE], case(), output(**FIVE), EXACT, asked)
    counted = Counter(call.prompt.prompt for call in asked.calls)
    assert counted.pop("refusal") == 1
    assert counted == {"groundedness": 1, "claims": 1, "claim_support": 1 + 2 * 5}


def test_exact_context_precision_asks_about_one_context_at_a_time() -> None:
    """And comes to the batched number when the judge sees them alike."""

    def by_text(data: dict[str, Any]) -> Any:
        return useful(*("c2" in each["text"] or "c5" in each["text"] for each in data["contexts"]))(data)

    values = []
    for settings, calls in ((EXACT, 5), (Settings(judge_configured=True), 1)):
        asked = judge({"context_usefulness": by_text})
        values.append(measured(catalogue().by_key[PRECISION], case(), output(**FIVE), settings, asked).value)
        assert len(asked.calls) == calls
    assert values == [(1 / 2 + 2 / 5) / 2] * 2


def test_two_steps_tell_noise_by_single_contexts() -> None:
    """A verdict that reads all contexts names none of them."""
    replies: dict[str, Reply] = {
        "claims": lambda data: claims("r") if data["text"] == "Paris" else claims("a", "b"),
        "claim_support": supporting_by(c1="r a"),
    }
    score = measured(catalogue().by_key[NOISE], case(), output(), TWO_STEP, judge(replies))
    assert (score.value, score.details["relevant"]) == (1 / 2, 1 / 2)


@pytest.mark.parametrize(
    ("field", "given"), [("claims", "two_step"), ("per_context", "exact"), ("cap_citations", False)]
)
def test_each_option_is_part_of_what_scores_mean(field: str, given: object) -> None:
    """It goes from the judge's section into the settings, all of which are compared."""
    config = JudgeConfig.model_validate({"model": "m", field: given})
    assert getattr(config.settings(), field) == given
    assert getattr(JudgeConfig(model="m").settings(), field) != given
    assert config.settings().judge_configured
