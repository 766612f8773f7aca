"""Judgments and runs to evaluate, and the forms they may come in."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
from hypothesis import strategies as st

Qrels = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]

IDS = (
    *"abcZ7",
    "007",
    "7.0",
    "a b".replace(" ", "\N{NO-BREAK SPACE}"),
    "é",
    "e\N{COMBINING ACUTE ACCENT}",
    "\N{LINE SEPARATOR}",
    "\uffff",
    "\U00010000",
    *(f"d{number}" for number in range(20)),
)
"""Few, so that rankings and judgments meet; among them what UTF-16 would order otherwise."""
QUERIES = ("q1", "q2", "Q2", "007", "7", "ü", "\U00010400")

SCORES = st.one_of(
    st.sampled_from([0.0, -0.0, 0.5, 1.0, 1.5]),
    st.integers(0, 30).map(lambda step: 0.5 + step * 1e-8),
    st.floats(allow_nan=False),
)
"""Ties, scores that differ below float32 alone, infinities, and any others."""

QRELS: st.SearchStrategy[Qrels] = st.dictionaries(
    st.sampled_from(QUERIES),
    st.dictionaries(st.sampled_from(IDS), st.integers(-2, 4), min_size=1, max_size=12),
)
RUNS: st.SearchStrategy[Run] = st.dictionaries(
    st.sampled_from(QUERIES), st.dictionaries(st.sampled_from(IDS), SCORES, min_size=1, max_size=25)
)


def trec_qrels(qrels: Mapping[str, Mapping[str, int]]) -> str:
    """Write judgments as TREC does."""
    return "".join(
        f"{query} 0 {document} {gain}\n" for query, gains in qrels.items() for document, gain in gains.items()
    )


def trec_run(run: Mapping[str, Mapping[str, float]]) -> str:
    """Write a run as TREC does; the ranks are wrong, as nobody reads them."""
    return "".join(
        f"{query} Q0 {document} 0 {score!r} tag\n"
        for query, scores in run.items()
        for document, score in scores.items()
    )


def _rows(given: Mapping[str, Mapping[str, float]]) -> list[tuple[str, str, float]]:
    return [(query, document, value) for query, values in given.items() for document, value in values.items()]


def _polars(given: Mapping[str, Mapping[str, float]], value: str, dtype: Any) -> pl.DataFrame:
    schema = {"qid": pl.String, "docno": pl.String, value: dtype}
    return pl.DataFrame(_rows(given), schema=schema, orient="row")


def _file(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return path


def dictionaries(qrels: Qrels, run: Run, folder: Path) -> tuple[Any, Any]:
    """Leave them as they are."""
    return qrels, run


def trec_files(qrels: Qrels, run: Run, folder: Path) -> tuple[Any, Any]:
    """Write them as TREC files."""
    return _file(folder, "a.qrels", trec_qrels(qrels)), _file(folder, "a.run", trec_run(run))


def beir_qrels(qrels: Qrels, run: Run, folder: Path) -> tuple[Any, Any]:
    """Write the judgments as BEIR does."""
    lines = [f"{query}\t{document}\t{gain}" for query, document, gain in _rows(qrels)]
    text = "\n".join(["query-id\tcorpus-id\tscore", *lines])
    return _file(folder, "a.tsv", text), _file(folder, "a.run", trec_run(run))


def json_lines(qrels: Qrels, run: Run, folder: Path) -> tuple[Any, Any]:
    """Write them as JSON lines, which have no infinity: the largest double ranks as it does, as float32."""
    largest = 1.7e308
    judged = [{"query_id": query, "doc_id": doc, "relevance": gain} for query, doc, gain in _rows(qrels)]
    ranked = [
        {
            "query_id": query,
            "doc_id": doc,
            "score": score if math.isfinite(score) else math.copysign(largest, score),
        }
        for query, doc, score in _rows(run)
    ]
    names = ("a.qrels.jsonl", judged), ("a.run.jsonl", ranked)
    written = [_file(folder, name, "\n".join(map(json.dumps, rows))) for name, rows in names]
    return written[0], written[1]


def polars_frames(qrels: Qrels, run: Run, folder: Path) -> tuple[Any, Any]:
    """Make polars frames with the columns of PyTerrier."""
    return _polars(qrels, "label", pl.Int64), _polars(run, "score", pl.Float64)


def pandas_frames(qrels: Qrels, run: Run, folder: Path) -> tuple[Any, Any]:
    """Make pandas frames with the columns of PyTerrier."""
    judged = pd.DataFrame(_rows(qrels), columns=["qid", "docno", "label"])
    ranked = pd.DataFrame(_rows(run), columns=["qid", "docno", "score"])
    return judged, ranked.assign(rank=0, query="a text", docid=range(len(ranked)))


def parquet_files(qrels: Qrels, run: Run, folder: Path) -> tuple[Any, Any]:
    """Write polars frames as Parquet."""
    paths = folder / "a.qrels.parquet", folder / "a.run.parquet"
    for frame, path in zip(polars_frames(qrels, run, folder), paths, strict=True):
        frame.write_parquet(path)
    return paths


def judged_in_a_file(qrels: Qrels, run: Run, folder: Path) -> tuple[Any, Any]:
    """Write the judgments alone."""
    return trec_files(qrels, run, folder)[0], run


def ranked_in_a_frame(qrels: Qrels, run: Run, folder: Path) -> tuple[Any, Any]:
    """Make a frame of the run alone."""
    return qrels, polars_frames(qrels, run, folder)[1]


FORMS: tuple[Callable[[Qrels, Run, Path], tuple[Any, Any]], ...] = (
    dictionaries,
    trec_files,
    beir_qrels,
    json_lines,
    polars_frames,
    pandas_frames,
    parquet_files,
    judged_in_a_file,
    ranked_in_a_frame,
)
