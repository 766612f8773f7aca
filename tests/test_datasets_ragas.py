"""ragas: which cases its samples give, whichever container they came in, and every fault they can have."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import polars as pl
import pytest

from ragproof import datasets
from ragproof.cases import Case
from ragproof.errors import ConfigurationError

ID = sha256(b"What?").hexdigest()[:12]
BARE = {"user_input": "What?"}


def write(folder: Path, *rows: dict[str, object]) -> Path:
    path = folder / "samples.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def write_text(folder: Path, content: str) -> Path:
    path = folder / "samples.csv"
    path.write_text(content, encoding="utf-8")
    return path


def told(path: Path) -> list[str]:
    with pytest.raises(ConfigurationError) as caught:
        datasets.read(path, "ragas")
    return [str(fault) for fault in caught.value.faults]


RECORDED = {
    "retrieved_contexts": ["One.", "Two."],
    "reference_contexts": ["One."],
    "retrieved_context_ids": ["d1", "d2"],
    "response": "So.",
    "multi_responses": ["So.", "Thus."],
    "rubrics": {"score1": "bad"},
}

SAMPLES = [
    ("the reference is the expected answer", {"reference": "So."}, {"expected_answers": ("So.",)}),
    ("no reference", {"reference": None}, {}),
    (
        "the sources of the reference are relevant",
        {"reference_context_ids": ["d1", 17]},
        {"relevance": {"d1": 1, "17": 1}},
    ),
    ("what was recorded is kept", RECORDED, {"metadata": RECORDED}),
    (
        "a lone context is one, not its letters",
        {"retrieved_contexts": "One."},
        {"metadata": {"retrieved_contexts": ["One."]}},
    ),
    (
        "contexts written out",
        {"retrieved_contexts": "['One.', 'Two.']"},
        {"metadata": {"retrieved_contexts": ["One.", "Two."]}},
    ),
    (
        "whole numbers as ids of contexts",
        {"retrieved_context_ids": [17]},
        {"metadata": {"retrieved_context_ids": ["17"]}},
    ),
    (
        "a column of its generator",
        {"synthesizer_name": "x", "query_length": 3},
        {"metadata": {"synthesizer_name": "x", "query_length": 3}},
    ),
    ("a score that was computed before", {"answer_relevancy": 0.5}, {"metadata": {"answer_relevancy": 0.5}}),
    ("an id of its own", {"id": 17}, {"id": "17"}),
    (
        "our own fields",
        {"group": "g", "tags": {"language": "de"}, "kind": "unanswerable"},
        {"group": "g", "tags": {"language": "de"}, "kind": "unanswerable"},
    ),
    ("an entry of ours", {"tags.language": "de"}, {"tags": {"language": "de"}}),
]


@pytest.mark.parametrize(("why", "sample", "expected"), SAMPLES, ids=[row[0] for row in SAMPLES])
def test_a_sample_is_read_as_its_author_meant_it(tmp_path, why, sample, expected):
    path = write(tmp_path, {**BARE, **sample})
    assert datasets.reader_version(path, plugins=()) == "ragas@1"
    assert datasets.read(path, plugins=()) == (Case(**{"id": ID, "question": "What?", **expected}),), why


OLDER = [
    ("ground_truth", {"ground_truth": "So."}, {"expected_answers": ("So.",)}),
    ("ground_truths", {"ground_truths": ["So.", "Thus."]}, {"expected_answers": ("So.", "Thus.")}),
    (
        "contexts and answer",
        {"contexts": ["One."], "answer": "So."},
        {"metadata": {"retrieved_contexts": ["One."], "response": "So."}},
    ),
    (
        "both names of a column keep both",
        {"contexts": ["One."], "retrieved_contexts": ["Two."]},
        {"metadata": {"contexts": ["One."], "retrieved_contexts": ["Two."]}},
    ),
]


@pytest.mark.parametrize(("why", "sample", "expected"), OLDER, ids=[row[0] for row in OLDER])
def test_older_names_are_read_too(tmp_path, why, sample, expected):
    path = write(tmp_path, {"question": "What?", **sample})
    assert datasets.read(path, "ragas") == (Case(id=ID, question="What?", **expected),), why


def test_ids_survive_another_order_of_the_samples(tmp_path):
    """Two runs can be compared after a sample was put in before the others; the same question counts up."""
    one, two = {"user_input": "One?"}, {"user_input": "Two?"}
    before = [case.id for case in datasets.read(write(tmp_path, one, two, one))]
    after = [case.id for case in datasets.read(write(tmp_path, {"user_input": "New?"}, two, one, one))]
    assert before[2] == f"{before[0]}-2"
    assert after[1:] == [before[1], before[0], before[2]]


def test_a_list_literal_in_a_cell_is_several_contexts(tmp_path):
    """A plain text is one context; never one for each letter."""
    path = write_text(
        tmp_path, "question,contexts\nWhat?,\"['one fact', 'two facts']\"\nWhy?,\"one, fact\"\n"
    )
    assert datasets.reader_version(path, plugins=()) == "ragas@1"
    found = [case.metadata["retrieved_contexts"] for case in datasets.read(path, plugins=())]
    assert found == [["one fact", "two facts"], ["one, fact"]]


def in_csv(folder: Path, rows: Sequence[dict[str, object]]) -> Path:
    with (folder / "samples.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    return folder / "samples.csv"


def test_a_sample_is_the_same_case_in_every_container(tmp_path):
    """JSON Lines, CSV as Python's lists are written there, and Parquet."""
    rows = [
        {
            "user_input": "What?",
            "retrieved_contexts": ["It's", 'a "b"'],
            "reference": "So, and so",
            "tags": "{'a': 'b'}",
        },
        {"user_input": "Why\nnot?", "retrieved_contexts": [], "reference": None, "tags": None},
    ]
    pl.DataFrame(rows).write_parquet(tmp_path / "samples.parquet")
    paths = [write(tmp_path, *rows), in_csv(tmp_path, rows), tmp_path / "samples.parquet"]
    assert [datasets.reader_version(path, plugins=()) for path in paths] == ["ragas@1"] * 3
    first, *others = (datasets.read(path, plugins=()) for path in paths)
    assert others == [first, first]
    assert [case.id for case in first] == [ID, sha256(b"Why\nnot?").hexdigest()[:12]]


FAULTS = [
    (
        "an empty question",
        {"user_input": ""},
        ":1: user_input: '' is not allowed; expected text that is not blank",
    ),
    ("no question", {"reference": "So."}, ":1: user_input: missing; expected text"),
    (
        "a conversation",
        {"user_input": [{"type": "human", "content": "Hi"}]},
        ":1: user_input: a conversation is not one question; "
        "write its last question here and the turns before it under 'history'",
    ),
    (
        "a list as reference",
        {**BARE, "reference": ["So."]},
        ":1: reference: a list is not allowed; expected one text; "
        "several references go into 'expected_answers'",
    ),
    (
        "the question in both names",
        {**BARE, "question": "Why?"},
        ":1: question: 'user_input' says it already; expected one of the two",
    ),
    (
        "a context that is none",
        {**BARE, "retrieved_contexts": ["One.", None]},
        ":1: retrieved_contexts[1]: null is not allowed; expected text",
    ),
    (
        "a cell cut short",
        {**BARE, "retrieved_contexts": "['One.', 'Tw"},
        ":1: retrieved_contexts: '['One.', 'Tw' cannot be read; expected a list, such as [\"one\", \"two\"]",
    ),
    (
        "a misspelt column is no column of its own",
        {**BARE, "refrence": "So."},
        ":1: 'refrence' is no column of ragas; did you mean 'reference'?",
    ),
]


@pytest.mark.parametrize(("why", "sample", "expected"), FAULTS, ids=[row[0] for row in FAULTS])
def test_a_sample_that_cannot_be_read_right_is_refused_with_line_and_column(tmp_path, why, sample, expected):
    assert told(write(tmp_path, sample)) == [f"samples.jsonl{expected}"], why


QUOTES = "put each cell that holds ',' in quotes"

TABLES = [
    (
        "no column of questions",
        "reference\nSo.\n",
        [":1: there is no column 'user_input'; expected one in the header"],
    ),
    (
        "a name twice",
        "user_input,response,response\na,b,c\n",
        [":1: 'response' names columns 2 and 3; expected each name once"],
    ),
    (
        "a misspelt column is told once",
        "user_input,refrence\na,b\nc,d\n",
        [":2: 'refrence' is no column of ragas; did you mean 'reference'?"],
    ),
    (
        "a row too short",
        "user_input,reference\na\n",
        [f":2: 1 cells, and the header has 2; expected as many: {QUOTES}"],
    ),
    ("a header alone", "user_input,reference\n", [": no cases; expected at least one"]),
]


@pytest.mark.parametrize(("why", "content", "expected"), TABLES, ids=[row[0] for row in TABLES])
def test_a_table_of_samples_that_cannot_be_read_right_is_refused(tmp_path, why, content, expected):
    assert told(write_text(tmp_path, content)) == [f"samples.csv{fault}" for fault in expected], why


OURS = [
    ("our own columns", "id,question,expected_answer\n1,a,b\n", "csv@1"),
    ("an older name of ragas makes it one", "id,question,ground_truth\n1,a,b\n", "ragas@1"),
    ("a question alone", "question\n1,a\n", "csv@1"),
]


@pytest.mark.parametrize(("why", "content", "expected"), OURS, ids=[row[0] for row in OURS])
def test_samples_are_told_from_cases_by_their_columns(tmp_path, why, content, expected):
    assert datasets.reader_version(write_text(tmp_path, content), plugins=()) == expected, why


def test_an_explicit_format_wins_over_the_columns(tmp_path):
    """Read as our own, the columns of ragas are misspelt."""
    path = write(tmp_path, {"question": "What?", "ground_truth": "So."})
    with pytest.raises(ConfigurationError, match=r"'ground_truth' is not a field of a case; did you mean"):
        datasets.read(path, "jsonl")
