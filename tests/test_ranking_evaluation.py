"""What an evaluation gives back: means, what they are over, and what is missing on either side."""

from __future__ import annotations

import json
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from ragproof.errors import ConfigurationError
from ragproof.metrics.retrieval import evaluate
from ragproof.ranking.evaluating import Judgments
from ragproof.ranking.evaluation import Options
from ragproof.ranking.measures import read_measures

QRELS = {"both": {"a": 1}, "not in the run": {"a": 1}, "also": {"a": 1}, "nothing relevant": {"a": 0}}
RUN = {"both": {"a": 1.0}, "not judged": {"a": 1.0}, "also": {"b": 1.0}, "nothing relevant": {"a": 1.0}}


def test_means_are_over_the_queries_of_both_sides() -> None:
    """A query without a relevant document is one of them, and scores 0."""
    found = evaluate(QRELS, RUN, k=1)
    assert found.queries == ("also", "both", "nothing relevant")
    assert found.means["recall@1"] == (0 + 1 + 0) / 3
    assert (found.missing_in_run, found.unjudged_queries) == (("not in the run",), ("not judged",))
    assert not found.complete


def test_a_complete_evaluation_is_over_every_judged_query() -> None:
    """Those that the run lacks found nothing: 0, and nothing for the judged share to be a share of."""
    found = evaluate(QRELS, RUN, k=1, complete=True)
    assert found.queries == ("also", "both", "not in the run", "nothing relevant")
    assert found.means["recall@1"] == (0 + 1 + 0 + 0) / 4
    assert found.by_query()["not in the run"] == {
        **{key: 0.0 for key in found.means if key != "judged@1"},
        "judged@1": None,
    }
    assert found.means["judged@1"] == 2 / 3
    assert found.missing_in_run == ("not in the run",)


def test_of_nothing_retrieved_there_is_no_judged_share() -> None:
    """None and null, never NaN or 0."""
    found = evaluate({"q": {"a": 1}}, {"q": {}}, k=3)
    assert found.means["judged@3"] is None
    assert found.means["ndcg@3"] == 0.0
    assert found.per_query["judged@3"].to_list() == [None]
    assert found.by_query() == {"q": {**dict.fromkeys(found.means, 0.0), "judged@3": None}}


def test_the_frame_has_a_row_a_query_and_a_column_a_measure() -> None:
    """In ascending order of the ids, whatever order they came in."""
    found = evaluate(
        {"b": {"x": 1}, "a": {"x": 1}}, {"b": {"x": 1.0}, "a": {"y": 1.0}}, metrics=["P@1", "AP"]
    )
    assert_frame_equal(
        found.per_query,
        pl.DataFrame(
            {"query_id": ["a", "b"], "precision@1": [0.0, 1.0], "map": [0.0, 1.0], "judged@1": [0.0, 1.0]}
        ),
    )


def test_half_a_surrogate_pair_is_escaped_in_the_frame_alone() -> None:
    """Polars cannot hold one."""
    found = evaluate({"\ud800": {"a": 1}}, {"\ud800": {"a": 1.0}})
    assert found.queries == ("\ud800",)
    assert found.per_query["query_id"].to_list() == ["\\ud800"]


def test_means_can_be_asked_for_in_any_spelling() -> None:
    """What is listed are source B's keys."""
    means = evaluate({"q": {"a": 2}}, {"q": {"a": 1.0}}, metrics=["nDCG@5", "P(rel=2)@1"]).means
    assert list(means) == ["ndcg@5", "precision(rel=2)@1", "judged@5"]
    assert means["nDCG@5"] == means["ndcg_cut_5"] == means["ndcg@5"] == 1.0
    with pytest.raises(KeyError, match=r"AP"):
        means["AP"]
    assert json.loads(json.dumps(means)) == dict(means)


def test_the_level_is_that_of_the_evaluation_unless_a_measure_has_its_own() -> None:
    """nDCG has none; it weighs by gain."""
    qrels, run = {"q": {"a": 1, "b": 2}}, {"q": {"a": 2.0, "b": 1.0}}
    names = ["P@1", "P(rel=1)@1", "P(rel=2)@2", "nDCG@1"]
    found = evaluate(qrels, run, metrics=names, level=2)
    assert list(found.means.values())[:4] == [0.0, 1.0, 1 / 2, 1 / 2]
    assert found.level == 2


def test_judgments_are_read_once_for_several_runs() -> None:
    """Of any form each."""
    judgments = Judgments(QRELS)
    frame = pl.DataFrame({"qid": ["both"], "docno": ["a"], "score": [1.0]})
    assert evaluate(judgments, RUN).means == evaluate(QRELS, RUN).means
    assert evaluate(judgments, frame).means == evaluate(QRELS, frame).means


@pytest.mark.parametrize("level", [0, -1, 1.5, True, "1"])
def test_a_level_is_a_whole_number_of_at_least_1(level: Any) -> None:
    """A document of gain 0 is not relevant."""
    with pytest.raises(
        ConfigurationError, match=f"level is '{level}', expected a whole number of at least 1"
    ):
        Options(read_measures(None), level)


def test_the_mean_is_summed_in_the_order_of_the_queries() -> None:
    """As trec_eval sums it, so that the last digit is its own: 0.1 ten times is not 1."""
    qrels = {f"q{number}": {"a": 1} for number in range(10)}
    run = {query: {"a": 1.0} for query in reversed(qrels)}
    total = 0.0
    for _ in range(10):
        total += 1 / 10
    assert total != 1.0
    assert evaluate(qrels, run, k=10).means["precision@10"] == total / 10
