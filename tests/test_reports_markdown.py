"""The report as Markdown."""

from __future__ import annotations

from pathlib import Path

from ragproof.outputs import CaseFailure, FailureKind
from ragproof.reports.markdown import BAD_SCORES_SHOWN, FAILURES_SHOWN, render
from ragproof.reports.report import RunReport
from ragproof.summaries import Tag
from tests.fakes.reports import record, small_report, summary

GOLDEN = Path(__file__).parent / "data" / "reports" / "small.md"


def test_a_small_report_reads_as_it_was_proof_read() -> None:
    """Every kind of thing a report says, once; change the file only after reading it."""
    assert render(small_report()) == GOLDEN.read_text(encoding="utf-8")


def test_a_run_without_numbers_says_so() -> None:
    """A run that failed before it was scored still has a report."""
    written = render(RunReport(run=record()))
    assert "Nothing was measured." in written
    assert "Worst cases" not in written


def test_a_reason_that_holds_for_every_metric_names_them_once() -> None:
    """A failed case fails for all metrics; nobody wants to read all their names."""
    written = render(small_report(summaries=(summary("a", reasons={"x": 1}), summary("b", reasons={"x": 1}))))
    assert "| `x` | 1 | all |" in written


def test_many_failed_cases_are_cut_and_counted() -> None:
    """Five thousand time-outs do not fill a page each; the number is kept."""
    failures = tuple(
        CaseFailure(case_id=f"q{number}", kind=FailureKind.TIMEOUT, message="late")
        for number in range(FAILURES_SHOWN + 7)
    )
    written = render(small_report(failures=failures))
    assert f"`q{FAILURES_SHOWN - 1}`" in written
    assert f"`q{FAILURES_SHOWN}`" not in written
    assert "and 7 more" in written


def test_many_bad_scores_of_a_case_are_cut_and_counted() -> None:
    """The worst values come first, so the rest adds little."""
    case = small_report().worst[0]
    many = case.model_copy(update={"bad": case.bad[:1] * (BAD_SCORES_SHOWN + 2)})
    assert "and 2 more" in render(small_report(worst=(many,)))


def test_withheld_questions_and_answers_leave_no_empty_columns() -> None:
    """Where others read the report, ids stand beside the scores alone."""
    case = small_report().worst[0].model_copy(update={"question": None, "answer": None})
    assert "| case | scores |" in render(small_report(worst=(case,)))


def test_a_tag_with_many_values_is_cut_into_several_tables() -> None:
    """Thirteen languages do not stand side by side."""
    tags = [Tag(name="language", value=f"l{number:02}") for number in range(13)]
    written = render(small_report(summaries=tuple(summary(tag=tag) for tag in tags)))
    assert written.count("## By `language`") == 3
