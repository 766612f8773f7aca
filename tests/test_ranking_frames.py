"""Judgments and rankings in polars and pandas frames, and in Parquet files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from ragproof.errors import ConfigurationError
from ragproof.metrics.retrieval import evaluate

QRELS = {"q1": {"d1": 2, "d2": 0}, "7": {"8": 1}}
JUDGED = pl.DataFrame({"qid": ["q1", "q1", "7"], "docno": ["d1", "d2", "8"], "label": [2, 0, 1]})
RANKED = pl.DataFrame({"qid": ["q1", "q1", "7"], "docno": ["d3", "d1", "8"], "score": [2.0, 1.0, 0.5]})
MEANS = evaluate(QRELS, {"q1": {"d3": 2.0, "d1": 1.0}, "7": {"8": 0.5}}).means
CODED = pl.Series("docno", ["d3", "d1", "8"])

READ = [
    # why, judgments, run
    ("polars frames", JUDGED, RANKED),
    ("a lazy frame", JUDGED.lazy(), RANKED.lazy()),
    ("pandas frames", JUDGED, pd.DataFrame(RANKED.to_dict(as_series=False))),
    (
        "the names of ir_measures",
        JUDGED.rename({"qid": "query_id", "docno": "doc_id", "label": "relevance"}),
        RANKED,
    ),
    ("the names of BEIR", JUDGED.rename({"qid": "query-id", "docno": "corpus-id", "label": "score"}), RANKED),
    ("the names of ranx", JUDGED, RANKED.rename({"qid": "q_id", "docno": "doc_id"})),
    ("docno comes before docid", JUDGED, RANKED.with_columns(docid=pl.Series([1, 2, 3]))),
    ("label comes before score", JUDGED.with_columns(score=pl.lit(1)), RANKED),
    (
        "further columns are ignored",
        JUDGED.with_columns(x=1),
        RANKED.with_columns(query=pl.lit("why"), rank=0),
    ),
    ("float32 scores", JUDGED, RANKED.with_columns(pl.col("score").cast(pl.Float32))),
    ("whole scores", JUDGED, RANKED.with_columns(score=pl.Series([3, 2, 1]))),
    ("gains that are whole doubles", JUDGED.with_columns(pl.col("label").cast(pl.Float64)), RANKED),
    ("categories", JUDGED, RANKED.with_columns(pl.col("docno").cast(pl.Categorical))),
    ("an enumeration", JUDGED, RANKED.with_columns(CODED.cast(pl.Enum(["d1", "8", "d3"])))),
]


@pytest.mark.parametrize(("why", "judged", "ranked"), READ, ids=[row[0] for row in READ])
def test_frames_are_read(why: str, judged: Any, ranked: Any) -> None:
    """Whatever kind they are, and under each name that the columns may have."""
    assert evaluate(judged, ranked).means == MEANS, why


def test_ids_that_are_whole_numbers_are_read_as_text() -> None:
    """Each side by itself, so that a column of numbers meets one of texts."""
    ranked = pl.DataFrame({"qid": [7], "docno": [8], "score": [1.0]})
    for frame in (ranked, pd.DataFrame({"qid": [7], "docno": [8], "score": [1.0]})):
        assert evaluate(JUDGED, frame, k=1).by_query()["7"]["precision@1"] == 1.0


def test_true_and_false_are_gains() -> None:
    """1 and 0, as they are in python."""
    judged = JUDGED.with_columns(pl.col("label") > 0)
    assert evaluate(judged, RANKED).means["recall@10"] == MEANS["recall@10"]
    assert evaluate({"7": {"8": True}}, {"7": {"8": 1.0}}).means["recall@10"] == 1.0


def test_parquet_is_read_as_a_frame(tmp_path: Path) -> None:
    """By its magic bytes, whatever it is called; a row is told where a text file has a line."""
    judged, ranked = tmp_path / "judged", tmp_path / "ranked"
    JUDGED.write_parquet(judged)
    RANKED.write_parquet(ranked)
    assert evaluate(judged, ranked).means == MEANS
    RANKED.with_columns(score=pl.Series([1.0, None, float("nan")])).write_parquet(ranked)
    with pytest.raises(ConfigurationError) as refused:
        evaluate(judged, ranked)
    assert [fault.place for fault in refused.value.faults] == [f"{ranked}, row 2", f"{ranked}, row 3"]


FAULTS = [
    # why, judgments, run, faults
    (
        "no column of a known name",
        JUDGED,
        RANKED.rename({"qid": "topic", "score": "value"}),
        [
            "run: no query among 'topic', 'docno', 'value'; expected 'qid' or 'query_id' or",
            "run: no score among 'topic', 'docno', 'value'; expected 'score'",
        ],
    ),
    (
        "ids that are doubles",
        JUDGED.with_columns(qid=pl.Series([1.0, 1.0, 2.0])),
        RANKED,
        ["qrels: column 'qid' holds Float64, expected texts"],
    ),
    (
        "pandas makes doubles of numbers when one is missing",
        JUDGED,
        pd.DataFrame({"qid": [1, None], "docno": ["a", "b"], "score": [1, 2]}),
        ["run: column 'qid' holds Float64, expected texts"],
    ),
    (
        "scores that are texts",
        JUDGED,
        RANKED.with_columns(pl.col("score").cast(pl.String)),
        ["run: column 'score' holds String, expected numbers"],
    ),
    (
        "in pandas too",
        JUDGED,
        pd.DataFrame({"qid": ["q"], "docno": ["d"], "score": ["1"]}),
        ["column 'score' holds"],
    ),
    (
        "NaN and nothing",
        JUDGED,
        RANKED.with_columns(score=pl.Series([float("nan"), None, 1.0])),
        ["run, row 1: score 'nan' orders nothing", "run, row 2: score 'None' is no number"],
    ),
    (
        "a missing id",
        JUDGED,
        RANKED.with_columns(docno=pl.Series(["a", None, "b"])),
        ["run, row 2: the document is missing, expected a text"],
    ),
    (
        "in pandas too, and what is no text",
        JUDGED,
        pd.DataFrame({"qid": ["q1", None, b"q"], "docno": ["d1", "d2", "d3"], "score": [1, 2, 3]}),
        ["run, row 2: the query is missing, expected a text", "run, row 3: the query is missing"],
    ),
    (
        "a broken gain",
        JUDGED.with_columns(label=pl.Series([0.9, 1.0, 2.0])),
        RANKED,
        ["qrels, row 1: relevance '0.9' is no whole number"],
    ),
    (
        "a huge gain",
        JUDGED.with_columns(label=pl.Series([2**40, 1, 2])),
        RANKED,
        [f"qrels, row 1: relevance '{2**40}' is out of range"],
    ),
    (
        "half a surrogate pair in pandas",
        JUDGED,
        pd.DataFrame(
            {"qid": ["q1"], "docno": np.array(["\ud800"], dtype=object), "score": [1.0]}, dtype=object
        ).astype({"score": float}),
        ["column 'docno' has half a surrogate pair in it, expected texts"],
    ),
    (
        "something else",
        JUDGED,
        [1, 2],
        ["run is a list, expected a dictionary, a polars or pandas frame, or a path"],
    ),
]


@pytest.mark.parametrize(("why", "judged", "ranked", "told"), FAULTS, ids=[row[0] for row in FAULTS])
def test_what_is_no_frame_of_rankings_is_told(why: str, judged: Any, ranked: Any, told: list[str]) -> None:
    """With the argument, the row or column, and what was expected."""
    with pytest.raises(ConfigurationError) as refused:
        evaluate(judged, ranked)
    faults = [str(fault) for fault in refused.value.faults]
    assert len(faults) == len(told), faults
    for fault, expected in zip(faults, told, strict=True):
        assert fault.startswith(expected), why


def test_judgments_in_dictionaries_meet_a_frame_as_text() -> None:
    """A frame has texts, so the dictionary must have them too."""
    assert evaluate(QRELS, RANKED).means == MEANS
    with pytest.raises(ConfigurationError, match="query '7', document '8': an id is no text"):
        evaluate({"q1": {"d1": 1}, 7: {8: 1}}, RANKED)  # type: ignore[dict-item]
    with pytest.raises(ConfigurationError, match=r"document 'd1': relevance '0.5' is no whole number"):
        evaluate({"q1": {"d1": 0.5}}, RANKED)  # type: ignore[dict-item]
