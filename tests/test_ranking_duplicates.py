"""Rows that come twice: told with both places, wherever they stand, or dropped on demand."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.errors import ConfigurationError
from ragproof.metrics.retrieval import evaluate
from ragproof.ranking import duplicates
from ragproof.ranking.column_judgments import read_judgments
from ragproof.ranking.columns import evaluate_columns
from ragproof.ranking.evaluation import Options
from ragproof.ranking.files import TextSource, open_qrels, open_run
from ragproof.ranking.measures import default_measures
from ragproof.ranking.rows import each_block
from tests.fakes.rankings import trec_qrels

QRELS = {"q1": {"a": 1}, "q2": {"a": 1}}
OPTIONS = Options(default_measures(2))


def write(folder: Path, name: str, text: str) -> Path:
    """Write a file."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def run_of(folder: Path, rows: list[tuple[str, str, float]], piece_bytes: int = 1 << 22) -> TextSource:
    """Write rows as a run, and open it to be read in pieces of a size."""
    text = "".join(f"{query} Q0 {document} 1 {score} tag\n" for query, document, score in rows)
    source = open_run(write(folder, "run", text))
    assert isinstance(source, TextSource)
    return replace(source, piece_bytes=piece_bytes)


@pytest.mark.parametrize("piece_bytes", [1, 30, 1 << 22])
@pytest.mark.parametrize(
    ("why", "rows", "again", "before"),
    [
        ("side by side", [("q1", "a", 2.0), ("q1", "a", 1.0)], [2], [1]),
        ("with the same score", [("q1", "a", 2.0), ("q1", "a", 2.0)], [2], [1]),
        ("three times", [("q1", "a", 2.0), ("q1", "a", 1.0), ("q1", "a", 3.0)], [2, 3], [1, 1]),
        ("a query that comes again later", [("q1", "a", 2.0), ("q2", "b", 1.0), ("q1", "a", 1.0)], [3], [1]),
        ("below the places that count", [("q1", x, 9.0) for x in "abcdefg"] + [("q1", "g", 1.0)], [8], [7]),
        ("of a query that nobody judged", [("q1", "a", 1.0), ("x", "b", 1.0), ("x", "b", 1.0)], [3], [2]),
        (
            "several, in the order of their lines",
            [("q2", "b", 1.0), ("q2", "b", 1.0), ("q1", "a", 2.0), ("q1", "a", 1.0)],
            [2, 4],
            [1, 3],
        ),
    ],
)
def test_a_document_ranked_twice_is_refused(
    why: str,
    rows: list[tuple[str, str, float]],
    again: list[int],
    before: list[int],
    piece_bytes: int,
    tmp_path: Path,
) -> None:
    """In one piece of the file or in two; the fault names both lines and the way out."""
    run = run_of(tmp_path, rows, piece_bytes)
    judgments = read_judgments(open_qrels(write(tmp_path, "qrels", trec_qrels(QRELS))))
    with pytest.raises(ConfigurationError) as refused:
        evaluate_columns(judgments, run, OPTIONS)
    assert [fault.place for fault in refused.value.faults] == [f"{run.path}:{line}" for line in again], why
    for fault, line in zip(refused.value.faults, before, strict=True):
        assert f"after {run.path}:{line}; expected it once, --dedupe (dedupe=True)" in fault.message


@pytest.mark.parametrize("piece_bytes", [1, 30, 1 << 22])
def test_the_best_score_of_a_document_is_kept_on_demand(piece_bytes: int, tmp_path: Path) -> None:
    """And what was dropped is counted."""
    rows = [
        ("q1", "a", 1.0),
        ("q1", "b", 2.0),
        ("q2", "a", 1.0),
        ("q1", "a", 3.0),
        ("q1", "b", 2.0),
        ("q1", "c", 0.5),
    ]
    judgments = read_judgments(open_qrels(write(tmp_path, "qrels", trec_qrels(QRELS))))
    found = evaluate_columns(judgments, run_of(tmp_path, rows, piece_bytes), replace(OPTIONS, dedupe=True))
    assert found.dropped_duplicates == 2
    expected = evaluate(QRELS, {"q1": {"a": 3.0, "b": 2.0, "c": 0.5}, "q2": {"a": 1.0}}, k=2)
    assert found.by_query() == expected.by_query()


def test_frames_tell_rows() -> None:
    """Counted from 1."""
    ranked = pl.DataFrame({"qid": ["q1", "q1"], "docno": ["a", "a"], "score": [1.0, 2.0]})
    with pytest.raises(
        ConfigurationError, match=r"^run, row 2: document 'a' comes again .* after run, row 1"
    ):
        evaluate(QRELS, ranked)
    assert evaluate(QRELS, ranked, dedupe=True).dropped_duplicates == 1


@pytest.mark.parametrize(
    ("why", "text", "told"),
    [
        (
            "another judgment",
            "q 0 a 1\nq 0 b 0\nq 0 a 2\n",
            ["3: document 'a' of query 'q' is judged '2' here and '1' at"],
        ),
        ("each of several", "q 0 a 1\nq 0 a 0\nq 0 a 1\nq 0 a 2\n", ["2: document", "4: document"]),
    ],
)
def test_judgments_that_contradict_each_other_are_refused(
    why: str, text: str, told: list[str], tmp_path: Path
) -> None:
    """With both lines."""
    path = write(tmp_path, "qrels", text)
    with pytest.raises(ConfigurationError) as refused:
        read_judgments(open_qrels(path))
    faults = [str(fault) for fault in refused.value.faults]
    assert len(faults) == len(told)
    for fault, expected in zip(faults, told, strict=True):
        assert fault.startswith(f"{path}:{expected}"), why


def test_the_same_judgment_twice_counts_once(tmp_path: Path) -> None:
    """It is no contradiction."""
    twice = write(tmp_path, "qrels", "q1 0 a 1\nq1 0 b 1\nq1 0 a 1\n")
    assert evaluate(twice, {"q1": {"a": 1.0}}, k=1).means["recall@1"] == 1 / 2


@settings(max_examples=100, deadline=None)
@given(
    rows=st.lists(
        st.tuples(st.sampled_from(["q1", "q2", "q3", "x"]), st.sampled_from("abcdefgh"), st.integers(0, 5)),
        min_size=1,
        max_size=40,
    ),
    grouped=st.booleans(),
    piece_bytes=st.integers(1, 400),
)
def test_every_pair_that_comes_twice_is_suspected_and_no_other(
    rows: list[tuple[str, str, int]],
    grouped: bool,
    piece_bytes: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """In pieces of any size, with the rows of a query together or scattered."""
    given_rows = [(query, document, float(score)) for query, document, score in rows]
    if grouped:
        given_rows.sort(key=lambda row: row[0])
    source = run_of(tmp_path_factory.mktemp("runs"), given_rows, piece_bytes)
    watch = duplicates.Watch()
    for seen in each_block(source, duplicates.glimpse):
        watch.see(seen)
    suspected = watch.suspected(source)
    pairs = duplicates.find(source, suspected) if len(suspected) else {}
    numbered: dict[tuple[str, str], list[int]] = {}
    for number, (query, document, _) in enumerate(given_rows, start=1):
        numbered.setdefault((query, document), []).append(number)
    expected = {pair: numbers for pair, numbers in numbered.items() if len(numbers) > 1}
    assert {pair: [row.number for row in found] for pair, found in pairs.items()} == expected
    assert len(suspected) == len(expected)


def test_a_large_run_without_duplicates_is_suspected_of_none(tmp_path: Path) -> None:
    """64 bits of hash tell 50,000 pairs apart, which 32 would not."""
    draw = random.Random(4)
    rows = [
        (f"q{query}", f"d{draw.randrange(10**9)}-{document}", 1.0)
        for query in range(50)
        for document in range(1000)
    ]
    source = run_of(tmp_path, rows, 1 << 18)
    watch = duplicates.Watch()
    for seen in each_block(source, duplicates.glimpse):
        watch.see(seen)
    assert not len(watch.suspected(source))
