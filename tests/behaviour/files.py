"""Situations about dataset files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ragproof import datasets
from ragproof.doubts import doubts
from ragproof.errors import ConfigurationError
from ragproof.evidence import SourceMatch


def a_list_literal_is_a_list_and_text_is_one_item(given: Any, folder: Path) -> None:
    """Never one context per character; a cell that is half a list is refused with its line."""
    file = folder / "cases.csv"
    rows = {
        given["csv"]: ["one fact", "two facts"],
        "question,contexts\nWhat?,one fact\n": ["one fact"],
    }
    for text, contexts in rows.items():
        file.write_text(text, encoding="utf-8")
        (case,) = datasets.read(file)
        assert case.metadata["retrieved_contexts"] == contexts
    file.write_text("question,contexts\nWhat?,\"['one fact'\"\n", encoding="utf-8")
    with pytest.raises(
        ConfigurationError, match=r"cases\.csv:2: contexts: .* cannot be read; expected a list"
    ):
        datasets.read(file)


def a_spreadsheet_is_read_or_refused_by_line(given: Any, folder: Path) -> None:
    """The byte order mark is no part of a name; what is no field is refused with line and cure."""
    text = given["csv_bytes"].encode("ascii").decode("unicode_escape")
    assert text.startswith("\ufeffid;")
    file = folder / "cases.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError) as refused:
        datasets.read(file)
    assert [str(fault) for fault in refused.value.faults] == [
        "cases.csv:1: 'meta' is not a field of a case; did you mean 'metadata'?"
    ]
    file.write_text(text.replace(";meta", ";metadata"), encoding="utf-8")
    (case,) = datasets.read(file)
    assert (case.id, case.question, case.metadata) == ("1", "Why?", {"src": "a.pdf"})


def contexts_of_the_dataset_measure_no_retriever(_given: Any, folder: Path) -> None:
    """Loudly, before a run: in all of the rows, and not when one of them differs."""
    file = folder / "samples.jsonl"
    row = '{"user_input": "%d?", "retrieved_contexts": ["%s"], "reference_contexts": ["a"]}\n'
    for last, told in (("a", True), ("b", False)):
        file.write_text(row % (1, "a") + row % (2, last), encoding="utf-8")
        found = doubts(datasets.read(file), [], SourceMatch.CHUNK)
        assert any("the retriever is not being measured" in doubt for doubt in found) is told
