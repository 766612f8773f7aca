"""The report as CSV: read by spreadsheets that run what looks like a formula."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.reports.csv import COLUMNS, render, text_cell
from ragproof.summaries import Tag
from tests.fakes.reports import record, small_report, summary


def read(text: str) -> list[dict[str, str]]:
    """Read CSV as a strict reader does."""
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def test_there_is_a_row_for_each_metric_and_tag() -> None:
    """All cases have an empty tag."""
    rows = read(render(small_report()))
    found = [(row["metric"], row["tag"], row["tag_value"]) for row in rows]
    assert found == [
        ("token_f1", "", ""),
        ("robustness.abstention", "", ""),
        ("robustness.overrefusal", "", ""),
        ("latency_ms", "", ""),
        ("p95_latency_ms", "", ""),
        ("user.none", "", ""),
        ("eval_input_tokens", "", ""),
        ("eval_output_tokens", "", ""),
        ("eval_llm_calls", "", ""),
        ("eval_cost_usd", "", ""),
        ("token_f1", "language", "de"),
        ("token_f1", "language", "en"),
    ]


def test_numbers_are_whole_and_no_number_is_an_empty_cell() -> None:
    """A spreadsheet rounds for itself, and must not take "absent" for 0."""
    row, *_, none = read(render(small_report()))[:6]
    assert float(row["mean"]) == 2 / 3
    assert (row["scored"], row["cases"], row["errored"]) == ("2", "4", "1")
    assert none["mean"] == none["p50"] == none["lowest_mean"] == ""


def test_lines_end_as_the_standard_says() -> None:
    """RFC 4180: CRLF, and as many cells in each row."""
    lines = render(small_report()).split("\r\n")
    assert lines[0] == ",".join(COLUMNS)
    assert lines[-1] == ""


@pytest.mark.parametrize(
    ("why", "text", "expected"),
    [
        ("a formula", "=1+1", "'=1+1"),
        ("a formula in disguise", "+1", "'+1"),
        ("another", "-1", "'-1"),
        ("a function of old spreadsheets", "@SUM(A1)", "'@SUM(A1)"),
        ("a tab that is dropped before it is read", "\t=1", "'\t=1"),
        ("a line break likewise", "\r=1", "'\r=1"),
        ("the full-width sign", "＝1", "'＝1"),
        ("a sign inside runs nothing", "a=1", "a=1"),
        ("nothing", "", ""),
        ("a NUL that ends the file for some readers", "a\0b", "a\N{REPLACEMENT CHARACTER}b"),
    ],
)
def test_a_text_cell_is_shown_and_never_run(why: str, text: str, expected: str) -> None:
    """An apostrophe in front makes it text."""
    assert text_cell(text) == expected, why


@settings(deadline=None)
@given(st.text(max_size=20), st.text(min_size=1, max_size=20), st.text(max_size=20))
def test_hostile_names_come_back_whole(project: str, name: str, value: str) -> None:
    """Quotes, commas and line breaks end no cell."""
    tagged = summary(tag=Tag(name=name, value=value))
    written = render(small_report(run=record(project=project), summaries=(tagged,)))
    (row,) = read(written)
    assert row["project"] == text_cell(project)
    assert (row["tag"], row["tag_value"]) == (text_cell(name), text_cell(value))
    assert row["project"][:1] not in {*"=+-@\t\r\n"}
    written.encode("utf-8")
