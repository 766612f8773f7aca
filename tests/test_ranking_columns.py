"""Streams of columns: cut anywhere, they give what the whole gives."""

from __future__ import annotations

import random
from dataclasses import replace

import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ragproof.errors import ConfigurationError
from ragproof.metrics.retrieval import evaluate
from ragproof.ranking.column_judgments import read_judgments
from ragproof.ranking.columns import evaluate_columns
from ragproof.ranking.evaluation import Options
from ragproof.ranking.frames import FrameSource, from_polars
from ragproof.ranking.matrix import UNJUDGED
from ragproof.ranking.measures import default_measures, read_measures
from tests.fakes.rankings import QRELS, RUNS, Qrels, Run


def sources(qrels: Qrels, run: Run, rows: int, seed: int | None) -> tuple[FrameSource, FrameSource]:
    """Return both sides as frames that give so many rows at a time, shuffled where there is a seed."""
    found = []
    for given_values, name in ((qrels, "label"), (run, "score")):
        triples = [
            (query, document, value)
            for query, each in given_values.items()
            for document, value in each.items()
        ]
        if seed is not None:
            random.Random(seed).shuffle(triples)
        dtype = pl.Int64 if name == "label" else pl.Float64
        frame = pl.DataFrame(
            triples, schema={"qid": pl.String, "docno": pl.String, name: dtype}, orient="row"
        )
        found.append(replace(from_polars(frame, name, gains=name == "label"), rows=rows))
    return found[0], found[1]


@settings(max_examples=150, deadline=None)
@given(
    qrels=QRELS,
    run=RUNS,
    rows=st.integers(1, 30),
    together=st.integers(1, 60),
    k=st.integers(1, 30),
    whole=st.booleans(),
    ignored=st.booleans(),
    seed=st.none() | st.integers(0, 9),
)
def test_blocks_of_any_size_give_what_dictionaries_give(
    qrels: Qrels,
    run: Run,
    rows: int,
    together: int,
    k: int,
    whole: bool,
    ignored: bool,
    seed: int | None,
) -> None:
    """With rows of a query side by side or scattered, cut at k or not, and judged a few at a time."""
    assume(qrels.keys() & run.keys())
    measures = (*default_measures(k), *(read_measures(["AP", "nDCG"]) if whole else ()))
    judged, ranked = sources(qrels, run, rows, seed)
    options = Options(measures, ignore_identical_ids=ignored)
    found = evaluate_columns(read_judgments(judged), ranked, options, together=together)
    expected = evaluate(qrels, run, metrics=[str(each) for each in measures], ignore_identical_ids=ignored)
    assert found.by_query() == expected.by_query()
    assert (found.missing_in_run, found.unjudged_queries) == (
        expected.missing_in_run,
        expected.unjudged_queries,
    )


@settings(max_examples=100, deadline=None)
@given(qrels=QRELS, rows=st.integers(1, 30), data=st.data())
def test_judgments_are_looked_up_by_query_and_document(qrels: Qrels, rows: int, data: st.DataObject) -> None:
    """For any of the queries, in ascending order; the same document of another query is another."""
    assume(qrels)
    judged, _ = sources(qrels, {}, rows, seed=1)
    judgments = read_judgments(judged)
    assert judgments.as_mapping() == qrels
    assert list(judgments.code) == sorted(qrels)
    asked = sorted(data.draw(st.lists(st.sampled_from(sorted(qrels)), min_size=1, max_size=5)))
    documents = [data.draw(st.sampled_from(["a", "b", "7", "007", "x"])) for _ in asked]
    codes = pl.Series([judgments.code[query] for query in asked]).to_numpy()
    gains = judgments.look_up(codes, pl.Series(documents)).tolist()
    assert gains == [
        qrels[query].get(document, UNJUDGED) for query, document in zip(asked, documents, strict=True)
    ]


def test_a_frame_without_rows_holds_nothing() -> None:
    """On either side."""
    qrels: Qrels = {"q": {"a": 1}}
    judged, ranked = sources(qrels, {}, 10, None)
    with pytest.raises(ConfigurationError, match="the run holds no query, expected at least one"):
        evaluate_columns(read_judgments(judged), ranked, Options(default_measures()))
    nothing, _ = sources({}, {}, 10, None)
    with pytest.raises(ConfigurationError, match="label: there is no judgment in it, expected at least one"):
        read_judgments(nothing)


def test_a_query_left_with_no_document_found_nothing() -> None:
    """It had its own id alone, which is dropped; it still counts."""
    found = evaluate(
        {"a": {"b": 1}, "c": {"b": 1}},
        pl.DataFrame({"qid": ["a", "c"], "docno": ["a", "b"], "score": [1.0, 1.0]}),
        k=1,
        ignore_identical_ids=True,
    )
    assert found.by_query()["a"]["recall@1"] == 0.0
    assert found.by_query()["a"]["judged@1"] is None
    assert found.means["recall@1"] == 1 / 2
