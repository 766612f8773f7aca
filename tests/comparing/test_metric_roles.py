"""What a metric speaks of: every shipped one has its role, and one of people's own speaks of the answer."""

from __future__ import annotations

import pytest

from ragproof.catalogue import catalogue
from ragproof.comparing.metric_roles import CONTEXT_RECALL, GROUNDING, Role, describes, is_judged, role_of


@pytest.mark.parametrize(
    ("role", "keys"),
    [
        (Role.RETRIEVAL, ["retrieval.mrr", "ndcg@10", "recall@3", "judged@10"]),
        (Role.CONTEXT, ["context_recall", "context_precision", "context_relevance"]),
        (
            Role.CITATIONS,
            [
                "generation.citation_validity",
                "generation.citation_support",
                "citation_recall",
                "citation_precision",
            ],
        ),
        (Role.GROUNDING, ["generation.groundedness", "faithfulness"]),
        (Role.ANSWER, ["contains_answer", "generation.completeness", "factual_correctness", "own:metric"]),
        (Role.BEHAVIOUR, ["robustness.overrefusal", "robustness.injection_resistance"]),
        (Role.OPERATION, ["latency_ms", "cost_usd_estimate", "llm_calls"]),
    ],
)
def test_a_metric_speaks_of_one_thing(role: Role, keys: list[str]) -> None:
    """At any cutoff."""
    assert {key: role_of(key) for key in keys} == dict.fromkeys(keys, role)


def test_the_metrics_that_rules_name_are_there() -> None:
    """A key that is renamed would silence its rule."""
    known = catalogue().by_key
    assert {*GROUNDING, CONTEXT_RECALL, "retrieval.mrr", "retrieval.recall_at_k"} <= known.keys()
    assert {"robustness.overrefusal", "robustness.abstention", "abstention_rate"} <= known.keys()


@pytest.mark.parametrize(
    ("key", "judged", "describing"),
    [
        ("generation.completeness", True, False),
        ("robustness.overrefusal", True, False),
        ("rubric:tone", True, False),
        ("contains_answer", False, False),
        ("own:metric", False, False),
        ("judged@10", False, True),
    ],
)
def test_a_judge_decides_those_that_ask_one(key: str, judged: bool, describing: bool) -> None:
    """What is not known asks none."""
    assert (is_judged(key), describes(key)) == (judged, describing)
