"""Parquet: which cases a table gives, and every fault it can have."""

from __future__ import annotations

import datetime
import math
from pathlib import Path

import polars as pl
import pytest

from ragproof import datasets
from ragproof.cases import Case, CaseKind
from ragproof.errors import ConfigurationError

BARE = {"id": ["1"], "question": ["Why?"]}


def write(folder: Path, columns: dict[str, object]) -> Path:
    path = folder / "cases.parquet"
    pl.DataFrame({**BARE, **columns}).write_parquet(path)
    return path


def faults(path: Path) -> list[str]:
    with pytest.raises(ConfigurationError) as caught:
        datasets.read(path, "parquet")
    return [str(fault) for fault in caught.value.faults]


MAP = pl.Series([[{"key": "d1", "value": 2}, {"key": "d2", "value": 0}]])

COLUMNS = [
    ("whole numbers are ids", {"id": [17]}, {"id": "17"}),
    (
        "a category is text",
        {"kind": pl.Series(["unanswerable"], dtype=pl.Categorical)},
        {"kind": "unanswerable"},
    ),
    ("null and empty text are absent", {"kind": [None], "group": [""], "expected_answer": [""]}, {}),
    ("a list of answers", {"expected_answers": [["a", "b"]]}, {"expected_answers": ("a", "b")}),
    ("an empty answer in a list is none", {"expected_answers": [["", "a"]]}, {"expected_answers": ("a",)}),
    ("text in a column of lists", {"expected_answers": ["a, b"]}, {"expected_answers": ("a, b",)}),
    ("a list written out", {"expected_answers": ["['a', 'b']"]}, {"expected_answers": ("a", "b")}),
    ("whole numbers as sources", {"expected_source_ids": [[17, 18]]}, {"relevance": {"17": 1, "18": 1}}),
    ("a struct of gains", {"relevance": [{"d1": 2, "d2": None}]}, {"relevance": {"d1": 2}}),
    ("a map of gains", {"relevance": MAP}, {"relevance": {"d1": 2, "d2": 0}}),
    ("gains as fractions that are whole", {"relevance": [{"d1": 2.0}]}, {"relevance": {"d1": 2}}),
    ("a list of relevant ids", {"relevance": [["d1", "d2"]]}, {"relevance": {"d1": 1, "d2": 1}}),
    ("gains written out", {"relevance": ['{"d1": 2}']}, {"relevance": {"d1": 2}}),
    (
        "a struct of tags",
        {"tags": [{"language": "de", "hops": 2, "x": None}]},
        {"tags": {"language": "de", "hops": "2"}},
    ),
    (
        "an entry of tags",
        {"tags.language": ["de"], "tags.hops": [2]},
        {"tags": {"language": "de", "hops": "2"}},
    ),
    (
        "metadata of any shape",
        {"metadata": [{"a": [{"b": 1, "c": None}], "d": ""}]},
        {"metadata": {"a": [{"b": 1}], "d": ""}},
    ),
    (
        "a date is text",
        {"metadata": [{"on": datetime.date(2026, 11, 30)}]},
        {"metadata": {"on": "2026-11-30"}},
    ),
    (
        "turns as structs",
        {"history": [[{"role": "user", "content": "Hi"}]]},
        {"history": ({"role": "user", "content": "Hi"},)},
    ),
]


@pytest.mark.parametrize(("why", "columns", "expected"), COLUMNS, ids=[row[0] for row in COLUMNS])
def test_a_column_is_read_as_its_author_meant_it(tmp_path, why, columns, expected):
    bare = {"id": "1", "question": "Why?"}
    assert datasets.read(write(tmp_path, columns)) == (Case(**{**bare, **expected}),), why


NOT_JSON = "expected text, finite numbers, lists or structs"
TWICE = pl.Series([[{"key": "d", "value": 2}, {"key": "d", "value": 0}]])

REFUSED = [
    (
        "an unknown column is told once, and its values not at all",
        {"id": ["1", "2"], "question": ["a", "b"], "embedding": [b"x", b"y"]},
        [": 'embedding' is not a field of a case; move it under 'metadata' or 'tags'"],
    ),
    (
        "ids that pandas made fractions of",
        {"id": [17.0]},
        [":row 1: id: 17.0 is not allowed; expected text: write it in quotes"],
    ),
    (
        "an id twice, both rows",
        {"id": [7, 8, 7], "question": ["a", "b", "c"]},
        [":row 3: id: '7' is already used at cases.parquet:row 1; expected a different one"],
    ),
    (
        "missing values of what every case has",
        {"id": [1, None], "question": [None, " "]},
        [
            ":row 1: question: missing; expected text",
            ":row 2: id: missing; expected text",
            ":row 2: question: ' ' is not allowed; expected text that is not blank",
        ],
    ),
    (
        "no number",
        {"metadata": [{"x": math.nan}]},
        [f":row 1: metadata: nan is not allowed; {NOT_JSON}"],
    ),
    ("bytes", {"id": [b"x"]}, [f":row 1: id: a bytes is not allowed; {NOT_JSON}"]),
    (
        "a key twice in a map",
        {"relevance": TWICE},
        [":row 1: relevance: a key is given twice in one map; expected each key once"],
    ),
    (
        "a list in the column of one text",
        {"expected_answer": [["a"]]},
        [
            ":row 1: expected_answer: a list is not allowed; expected one text; "
            "several references go into 'expected_answers'"
        ],
    ),
    ("no rows", {"id": [], "question": []}, [": no cases; expected at least one"]),
]


@pytest.mark.parametrize(("why", "columns", "expected"), REFUSED, ids=[row[0] for row in REFUSED])
def test_a_table_that_cannot_be_read_right_is_refused_with_row_and_column(tmp_path, why, columns, expected):
    assert faults(write(tmp_path, columns)) == [f"cases.parquet{fault}" for fault in expected], why


def test_a_missing_column_is_told_once(tmp_path):
    """And not of every row."""
    pl.DataFrame({"id": [1, 2]}).write_parquet(tmp_path / "cases.parquet")
    assert faults(tmp_path / "cases.parquet") == [
        "cases.parquet: there is no column 'question'; expected one in the header"
    ]


def test_a_file_is_told_by_its_first_bytes(tmp_path):
    """Whatever it is called, brackets and all."""
    path = tmp_path / "cases[1]*.data"
    write(tmp_path, {"kind": ["injection"]}).rename(path)
    assert datasets.reader_version(path, plugins=()) == "parquet@1"
    assert [case.kind for case in datasets.read(path, plugins=())] == [CaseKind.INJECTION]


def test_a_file_of_another_kind_is_refused(tmp_path):
    """As what it is not."""
    (tmp_path / "cases.parquet").write_text('{"id": "1"}\n')
    assert faults(tmp_path / "cases.parquet") == [
        "cases.parquet: the file is not Parquet; set dataset.format to what it is"
    ]


def test_a_file_cut_short_is_refused(tmp_path):
    """Its footer, and with it every column, is gone."""
    path = write(tmp_path, {})
    path.write_bytes(path.read_bytes()[:-20])
    assert faults(path) == [
        "cases.parquet: the file is damaged and cannot be read as Parquet; write it again"
    ]


def test_parquet_under_another_name_is_told_as_such(tmp_path):
    """Read as text it would be faults without end."""
    path = write(tmp_path, {}).rename(tmp_path / "cases.csv")
    with pytest.raises(
        ConfigurationError, match=r"the file is Parquet; expected UTF-8 text: set dataset\.format"
    ):
        datasets.read(path, "csv")
