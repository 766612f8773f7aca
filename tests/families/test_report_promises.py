"""The promises every report format keeps: a new one is tested before its author writes a line."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.errors import ConfigurationError
from ragproof.metric import Direction
from ragproof.outputs import CaseFailure, FailureKind
from ragproof.reports.registry import formats, render
from ragproof.reports.report import RunReport, WorstCase
from ragproof.reports.worst import BadScore
from ragproof.runs import CaseCounts, RunStatus
from ragproof.summaries import Summary, Tag
from tests.fakes.reports import ABSTENTION, OVERREFUSAL, record, small_report

EVERY_FORMAT = pytest.mark.parametrize("format", formats())

TEXT = st.one_of(
    st.text(st.characters(codec=None, exclude_categories=()), max_size=20),
    st.sampled_from(
        [
            "",
            "=cmd|' /C calc'!A0",
            "</script><img src=x onerror=alert(1)>",
            "![x](http://evil.example/x.png)",
            "| a | b |\n|---|---|",
            "\x1b[2J\x07",
            '"},{"',
        ]
    ),
)
NUMBER = st.none() | st.floats(allow_nan=False, allow_infinity=False)
COUNT = st.integers(0, 10**6)
TAGS = st.none() | st.builds(Tag, name=TEXT.filter(bool), value=TEXT)
SUMMARIES = st.builds(
    Summary,
    metric=TEXT,
    direction=st.sampled_from(Direction),
    tag=TAGS,
    mean=NUMBER,
    p50=NUMBER,
    p95=NUMBER,
    p99=NUMBER,
    scored=COUNT,
    skipped=COUNT,
    not_applicable=COUNT,
    judge_error=COUNT,
    case_failed=COUNT,
    lowest_mean=NUMBER,
    highest_mean=NUMBER,
    reasons=st.dictionaries(TEXT, COUNT, max_size=2),
)
RUNS = st.builds(
    record,
    id=st.text("0123456789abcdef", min_size=12, max_size=12),
    project=TEXT,
    pipeline=TEXT,
    label=st.none() | TEXT,
    status=st.sampled_from(RunStatus),
    status_reason=st.none() | TEXT,
    dataset=TEXT,
    cases=st.builds(CaseCounts, total=st.just(3 * 10**6), ok=COUNT, failed=COUNT),
)
WORST = st.builds(
    WorstCase,
    case_id=TEXT,
    question=st.none() | TEXT,
    answer=st.none() | TEXT,
    bad=st.lists(
        st.builds(
            BadScore,
            metric=TEXT,
            value=st.floats(allow_nan=False, allow_infinity=False),
            direction=st.sampled_from(Direction),
        ),
        min_size=1,
        max_size=3,
    ).map(tuple),
)
FAILURES = st.builds(CaseFailure, case_id=TEXT, kind=st.sampled_from(FailureKind), message=TEXT)
REPORTS = st.builds(
    RunReport,
    run=RUNS,
    summaries=st.lists(SUMMARIES, max_size=4).map(tuple),
    failures=st.lists(FAILURES, max_size=2).map(tuple),
    worst=st.lists(WORST, max_size=2).map(tuple),
)


@EVERY_FORMAT
@settings(deadline=None, max_examples=60)
@given(report=REPORTS)
def test_whatever_a_run_holds_it_can_be_written_to_a_file(format: str, report: RunReport) -> None:
    """Hostile text, absent numbers, empty tables: it encodes, ends a line, and drives no terminal."""
    written = render(report, format)
    assert written.encode("utf-8")
    assert written.endswith("\n")
    if format != "csv":  # a spreadsheet shows a cell's own characters, and no terminal reads it
        assert "\x1b" not in written
        assert "\x07" not in written


@EVERY_FORMAT
def test_writing_twice_writes_the_same(format: str) -> None:
    """A report can be held against yesterday's."""
    assert render(small_report(), format) == render(small_report(), format)


@EVERY_FORMAT
def test_every_metric_and_its_coverage_is_in_it(format: str) -> None:
    """A metric that scored nothing is not left out."""
    written = render(small_report(), format)
    for summary in small_report().overall:
        assert summary.metric in written
        assert str(summary.cases) in written


@EVERY_FORMAT
def test_abstention_stands_next_to_overrefusal(format: str) -> None:
    """In the order gathered: nothing comes between the two."""
    written = render(small_report(), format)
    between = written[written.index(ABSTENTION) : written.index(OVERREFUSAL)]
    others = {summary.metric for summary in small_report().overall} - {ABSTENTION, OVERREFUSAL}
    assert not [metric for metric in others if metric in between]


@EVERY_FORMAT
def test_no_number_is_never_written_as_one(format: str) -> None:
    """Absent is empty, null or a dash; no NaN in any spelling."""
    written = render(small_report(), format).lower()
    assert "nan" not in written
    assert "infinity" not in written


@EVERY_FORMAT
def test_a_format_has_an_option_of_the_report_command(format: str) -> None:
    """A format that nobody can ask for is none."""
    asked = {"markdown": "--md"}.get(format, f"--{format}")
    done = subprocess.run(
        [sys.executable, "-m", "ragproof", "report", "--help"], capture_output=True, text=True, check=True
    )
    assert asked in done.stdout


def test_an_unknown_format_is_refused_with_the_nearest() -> None:
    """The error names the cure."""
    with pytest.raises(
        ConfigurationError, match="no report format is named 'markdwon'; did you mean 'markdown'"
    ):
        render(small_report(), "markdwon")
    with pytest.raises(ConfigurationError, match="expected one of csv, json, markdown"):
        render(small_report(), "x")
