"""Judgments and rankings in dictionaries: the shape of pytrec_eval, without its crashes."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ragproof.errors import ConfigurationError
from ragproof.metrics.retrieval import evaluate
from ragproof.ranking.evaluation import Options
from ragproof.ranking.mappings import evaluate_mappings
from ragproof.ranking.measures import default_measures, read_measures
from tests.fakes.rankings import QRELS, RUNS, Qrels, Run

VALUES = [
    # why, judgments, run, precision@2
    ("a hit", {"q": {"a": 1}}, {"q": {"a": 1.0, "b": 2.0}}, 1 / 2),
    ("whole scores", {"q": {"a": 1}}, {"q": {"a": 2, "b": 1, "c": 3}}, 1 / 2),
    ("numpy's numbers", {"q": {"a": np.int64(1)}}, {"q": {"a": np.float32(2), "b": np.float64(3)}}, 1 / 2),
    ("any number", {"q": {"a": 1}}, {"q": {"a": Decimal("0.5"), "b": 2**70}}, 1 / 2),
    ("gains that are whole doubles", {"q": {"a": 1.0, "b": 0.0}}, {"q": {"a": 1.0}}, 1 / 2),
    (
        "any mapping",
        MappingProxyType({"q": MappingProxyType({"a": 1})}),
        {"q": MappingProxyType({"a": 1.0})},
        1 / 2,
    ),
    ("documents alone, best first", {"q": {"a": 1, "b": 1}}, {"q": ["x", "a", "b"]}, 1 / 2),
    ("a query that found nothing scores 0", {"q": {"a": 1}}, {"q": {}}, 0.0),
    ("an empty list too", {"q": {"a": 1}}, {"q": []}, 0.0),
    ("all judgments negative", {"q": {"a": -1, "b": -2}}, {"q": {"a": 1.0}}, 0.0),
    ("half a surrogate pair", {"\ud800": {"\udfff": 1}}, {"\ud800": {"\udfff": 1.0}}, 1 / 2),
    ("NUL in an id", {"q\0": {"a\0b": 1}}, {"q\0": {"a\0b": 1.0, "a\0c": 1.0}}, 1 / 2),
    ("a huge gain", {"q": {"a": 2**31 - 1}}, {"q": {"a": 1.0}}, 1 / 2),
    ("ids of one type that are no texts", {1: {2: 1, 3: 0}}, {1: {2: 0.5, 3: 0.5, 4: 0.5}}, 0.0),
]


@pytest.mark.parametrize(("why", "qrels", "run", "precision"), VALUES, ids=[row[0] for row in VALUES])
def test_dictionaries_are_evaluated(why: str, qrels: Any, run: Any, precision: float) -> None:
    """Where they lie, and whatever numbers are in them; every measure has a value."""
    found = evaluate(qrels, run, k=2)
    assert found.means["precision@2"] == precision, why
    assert found.per_query.height == 1


def test_ids_that_are_no_texts_tie_as_their_text() -> None:
    """10 comes before 9 in descending order of numbers, and after it in that of texts."""
    assert evaluate({1: {9: 1}}, {1: {10: 1.0, 9: 1.0}}, k=1).means["precision@1"] == 1.0  # type: ignore[dict-item]


FAULTS = [
    # why, judgments, run, faults
    (
        "NaN",
        {"q": {"a": 1}},
        {"q": {"a": float("nan")}},
        ["query 'q', document 'a': score 'nan' orders nothing"],
    ),
    (
        "a text",
        {"q": {"a": 1}},
        {"q": {"a": "0.5"}},
        ["query 'q', document 'a': score '0.5' is a text, expected a"],
    ),
    ("nothing", {"q": {"a": 1}}, {"q": {"a": None}}, ["query 'q', document 'a': score 'None' is no number"]),
    (
        "a number beyond doubles",
        {"q": {"a": 1}},
        {"q": {"a": 10**400}},
        ["query 'q', document 'a': score '1000"],
    ),
    (
        "a broken gain",
        {"q": {"a": 0.9}},
        {"q": {"a": 1.0}},
        ["query 'q', document 'a': relevance '0.9' is no whole"],
    ),
    (
        "a text as gain",
        {"q": {"a": "1"}},
        {"q": {"a": 1.0}},
        ["query 'q', document 'a': relevance '1' is a text"],
    ),
    (
        "a huge gain",
        {"q": {"a": 2**31}},
        {"q": {"a": 1.0}},
        ["query 'q', document 'a': relevance '2147483648' is out"],
    ),
    (
        "a gain beyond 64 bits",
        {"q": {"a": 2**70}},
        {"q": {"a": 1.0}},
        ["query 'q', document 'a': relevance '1180"],
    ),
    (
        "infinite gain",
        {"q": {"a": float("inf")}},
        {"q": {"a": 1.0}},
        ["query 'q', document 'a': relevance 'inf' is no"],
    ),
    (
        "all at once",
        {"q": {"a": 1}, "r": {"b": 1}},
        {"q": {"a": None, "b": 1.0}, "r": {"c": float("nan")}},
        ["query 'q', document 'a': score 'None'", "query 'r', document 'c': score 'nan'"],
    ),
    (
        "a list with a document twice",
        {"q": {"a": 1}},
        {"q": ["a", "b", "a"]},
        ["query 'q': a document is listed twice"],
    ),
    ("nothing judged", {}, {"q": {"a": 1.0}}, ["the judgments hold no query"]),
    ("nobody judged anything", {"q": {}}, {"q": {"a": 1.0}}, ["the judgments hold no query"]),
    ("nothing ranked", {"q": {"a": 1}}, {}, ["the run holds no query"]),
    (
        "no query in common",
        {"q1": {"a": 1}, "q2": {"a": 1}},
        {"x": {"a": 1.0}},
        [
            "judgments and run have no query in common: the judgments have 'q1', 'q2', the run has 'x'; these"
            " are files of two different collections, or one of them is cut short"
        ],
    ),
    (
        "queries of another type",
        {7: {"a": 1}},
        {"7": {"a": 1.0}},
        [
            "judgments and run have no query in common: the judgments have '7', the run has '7'; ids are"
            " compared as they are written: the judgments have 7 of type int where the run has '7'; write"
            " both alike"
        ],
    ),
    (
        "queries of another form",
        {"7": {"a": 1}},
        {"007": {"a": 1.0}},
        [
            "judgments and run have no query in common: the judgments have '7', the run has '007'; ids are"
            " compared as they are written: the judgments have '7' where the run has '007'; write both alike"
        ],
    ),
    (
        "documents of another type",
        {"q": {7: 1, 8: 0}},
        {"q": {"7": 1.0}},
        [
            "no document of the run is judged; ids are compared as they are written: the judgments have 7 of"
            " type int where the run has '7'; write both alike"
        ],
    ),
]


@pytest.mark.parametrize(("why", "qrels", "run", "told"), FAULTS, ids=[row[0] for row in FAULTS])
def test_what_cannot_be_evaluated_is_told(why: str, qrels: Any, run: Any, told: list[str]) -> None:
    """The query, the document, the value in quotes, and the cure."""
    with pytest.raises(ConfigurationError) as refused:
        evaluate(qrels, run)
    faults = [str(fault) for fault in refused.value.faults]
    assert len(faults) == len(told), faults
    for fault, expected in zip(faults, told, strict=True):
        assert fault.startswith(expected), why


def test_faults_of_several_blocks_are_told_at_once() -> None:
    """And those of gains with those of scores."""
    qrels: Any = {f"q{number}": {"a": "x" if number == 7 else 1} for number in range(10)}
    run = {query: {"a": float("nan") if query == "q3" else 1.0} for query in qrels}
    with pytest.raises(ConfigurationError) as refused:
        evaluate_mappings(qrels, run, Options(default_measures()), block_documents=2)
    assert [fault.place for fault in refused.value.faults] == [
        "query 'q3', document 'a'",
        "query 'q7', document 'a'",
    ]


def test_documents_of_another_form_are_other_documents() -> None:
    """'7' and '007' may both be there, so a ranking of the one is worth nothing, and no error."""
    assert evaluate({"q": {"7": 1}}, {"q": {"007": 1.0}}).means["recall@10"] == 0.0


def test_a_list_keeps_its_order_and_a_repeated_document_its_first_place() -> None:
    """With `dedupe`, and what was dropped is counted."""
    found = evaluate({"q": {"a": 1, "b": 1}}, {"q": ["x", "a", "x", "a", "b"]}, k=3, dedupe=True)
    assert (found.means["precision@3"], found.means["mrr@3"]) == (2 / 3, 1 / 2)
    assert found.dropped_duplicates == 2


def test_a_document_with_the_query_s_own_id_is_dropped_on_demand() -> None:
    """Before anything is cut or counted."""
    qrels, run = {"a": {"b": 1}, "b": {"b": 1}}, {"a": {"a": 2.0, "b": 1.0}, "b": ["b", "c"]}
    kept = evaluate(qrels, run, k=1)  # type: ignore[arg-type]
    assert [values["recall@1"] for values in kept.by_query().values()] == [0.0, 1.0]
    dropped = evaluate(qrels, run, k=1, ignore_identical_ids=True)  # type: ignore[arg-type]
    assert [values["recall@1"] for values in dropped.by_query().values()] == [1.0, 0.0]


@settings(max_examples=100, deadline=None)
@given(qrels=QRELS, run=RUNS, block_documents=st.integers(1, 40), k=st.integers(1, 30))
def test_blocks_of_any_size_give_the_same_values(
    qrels: Qrels, run: Run, block_documents: int, k: int
) -> None:
    """Queries are flattened many at a time, and each is evaluated as if it were alone."""
    assume(qrels.keys() & run.keys())
    options = Options((*default_measures(k), *read_measures(["AP", "nDCG"])))
    whole = evaluate_mappings(qrels, run, options)
    assert (
        evaluate_mappings(qrels, run, options, block_documents=block_documents).by_query() == whole.by_query()
    )
    for query in qrels.keys() & run.keys():
        alone = evaluate_mappings({query: qrels[query]}, {query: run[query]}, options)
        assert alone.by_query()[query] == whole.by_query()[query]


def test_nothing_that_was_given_is_changed() -> None:
    """Neither dictionary."""
    qrels: Mapping[str, dict[str, int]] = {"q": {"q": 1, "b": 0}}
    run = {"q": {"q": 1.0, "b": 0.5}}
    evaluate(qrels, run, ignore_identical_ids=True)
    assert (qrels, run) == ({"q": {"q": 1, "b": 0}}, {"q": {"q": 1.0, "b": 0.5}})
