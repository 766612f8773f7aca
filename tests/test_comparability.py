"""Comparability: a key that changes whenever a number could mean something else, and what changed."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from ragproof import METRICS_VERSION
from ragproof.comparability import comparability, conflicts, differences, key
from ragproof.evidence import Prices, Settings, SourceMatch
from ragproof.metrics.answer import answer_similarity
from ragproof.metrics.operational import latency
from ragproof.metrics.retrieval import mrr, recall_at_k
from tests.fakes.similarity import LetterModel

METRICS = (mrr.METRIC, recall_at_k.METRIC)
FIELDS = comparability(Settings(), METRICS, retrieve_k=10)


def test_the_fields_say_what_gives_numbers_their_meaning() -> None:
    """Every setting, the cutoff of a separate retrieve(), the metrics version, and each metric's own."""
    assert FIELDS == {
        "k": 5,
        "metric_k": 10,
        "source_match": "chunk",
        "judge_configured": False,
        "require_quotes": False,
        "claims": "joint",
        "per_context": "batched",
        "cap_citations": True,
        "retrieve_k": 10,
        "metrics_version": METRICS_VERSION,
        "metrics": {"retrieval.mrr": 1, "retrieval.recall_at_k": 1},
    }


CHANGES = [
    # why, fields, differences as printed
    ("nothing", comparability(Settings(), METRICS, retrieve_k=10), []),
    ("the order of metrics is no difference", comparability(Settings(), METRICS[::-1], retrieve_k=10), []),
    ("k", comparability(Settings(k=10), METRICS, retrieve_k=10), ["k: 5 against 10"]),
    ("metric_k", comparability(Settings(metric_k=5), METRICS, retrieve_k=10), ["metric_k: 10 against 5"]),
    ("retrieve_k", comparability(Settings(), METRICS, retrieve_k=20), ["retrieve_k: 10 against 20"]),
    (
        "source_match",
        comparability(Settings(source_match=SourceMatch.DOCUMENT), METRICS, retrieve_k=10),
        ['source_match: "chunk" against "document"'],
    ),
    (
        "a judge is there",
        comparability(Settings(judge_configured=True), METRICS, retrieve_k=10),
        ["judge_configured: false against true"],
    ),
    (
        "a metric has another version",
        comparability(
            Settings(), (dataclasses.replace(mrr.METRIC, version=2), recall_at_k.METRIC), retrieve_k=10
        ),
        ["metrics.retrieval.mrr: 1 against 2"],
    ),
    (
        "other metrics, all at once and by name",
        comparability(Settings(k=3), (mrr.METRIC, latency.METRIC), retrieve_k=10),
        [
            "k: 5 against 3",
            "metrics.latency_ms: absent against 2",
            "metrics.retrieval.recall_at_k: 1 against absent",
        ],
    ),
    (
        "no metrics",
        comparability(Settings(), (), retrieve_k=10),
        [
            "metrics: absent against {}",
            "metrics.retrieval.mrr: 1 against absent",
            "metrics.retrieval.recall_at_k: 1 against absent",
        ],
    ),
]


@pytest.mark.parametrize(("why", "fields", "expected"), CHANGES, ids=[row[0] for row in CHANGES])
def test_every_difference_is_listed_with_both_values(
    why: str, fields: dict[str, JsonValue], expected: list[str]
) -> None:
    """A refusal to compare names each field, so that nobody has to guess which one it was."""
    assert [str(difference) for difference in differences(FIELDS, fields)] == expected
    assert (key(fields) == key(FIELDS)) is (expected == [])


SMALL = st.dictionaries(
    st.sampled_from("abc"),
    st.none() | st.booleans() | st.integers(0, 2) | st.dictionaries(st.sampled_from("xy"), st.integers(0, 1)),
)


@settings(max_examples=200)
@given(first=SMALL, second=SMALL)
def test_there_are_differences_exactly_when_the_keys_differ(
    first: dict[str, JsonValue], second: dict[str, JsonValue]
) -> None:
    """Null is not absent, true is not 1, and whoever swaps the runs swaps the values."""
    listed = differences(first, second)
    assert (listed == ()) is (key(first) == key(second))
    assert [(each.field, each.second, each.first) for each in listed] == [
        (each.field, each.first, each.second) for each in differences(second, first)
    ]


def test_the_similarity_model_is_part_of_the_key_where_a_metric_needs_it() -> None:
    """Its weights are what a similarity means; a run without the metric is the same on every machine."""
    similar = (*METRICS, answer_similarity.METRIC)
    there, other, absent = (
        comparability(Settings(similarity_model=model), similar, retrieve_k=10)
        for model in (LetterModel(), LetterModel("e" * 64), None)
    )
    assert there["similarity_model"] == LetterModel().sha256
    told = f'similarity_model: "{"f" * 64}" against "{"e" * 64}"'
    assert [str(each) for each in conflicts(there, other)] == [told]
    assert [each.field for each in differences(there, absent)] == ["similarity_model"]
    assert conflicts(there, absent) == (), "a run without the model has no number to contradict"
    assert comparability(Settings(similarity_model=LetterModel()), METRICS, retrieve_k=10) == FIELDS


def test_a_setting_added_later_is_part_of_the_key() -> None:
    """Settings are read off the class, so that none can be forgotten; these alone are apart."""
    apart = {field.name for field in dataclasses.fields(Settings)} - FIELDS.keys()
    assert apart == {"prices", "similarity_model"}
    priced = Settings(prices=Prices(input_usd_per_mtok=1.0, output_usd_per_mtok=2.0))
    assert comparability(priced, METRICS, retrieve_k=10) == FIELDS
