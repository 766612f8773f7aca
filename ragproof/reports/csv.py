"""The report as CSV (RFC 4180): one row a metric and tag, for spreadsheets. Nothing is rounded.

A text cell that a spreadsheet would run as a formula gets an apostrophe in front (OWASP, "CSV injection").
"""

from __future__ import annotations

import csv
import io
import json
import re

from ragproof.reports.registry import Format
from ragproof.reports.report import RunReport
from ragproof.summaries import Summary

_NUMBERS = ("mean", "p50", "p95", "p99", "lowest_mean", "highest_mean")
_COUNTS = ("cases", "scored", "skipped", "not_applicable", "judge_error", "case_failed", "errored")
COLUMNS = (
    *("run_id", "project", "pipeline", "status", "dataset_hash", "metric", "direction", "tag", "tag_value"),
    *(*_NUMBERS, *_COUNTS, "reasons"),
)
# Spreadsheets set to Japanese take the full-width signs too.
_FORMULA = re.compile(r"[=+\-@\t\r\n＝＋－＠]")
_UNWRITABLE = re.compile("[\0\ud800-\udfff]")


def render(report: RunReport) -> str:
    """Write a report as CSV with a heading row; an empty cell is "no number", an empty tag is all cases."""
    written = io.StringIO(newline="")
    writer = csv.writer(written, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    tagged = (summary for summaries in report.tagged.values() for summary in summaries)
    writer.writerows(_row(report, summary) for summary in (*report.rows, *tagged))
    return written.getvalue()


def text_cell(text: str) -> str:
    """Return text that a spreadsheet shows and does not run."""
    writable = _UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", text)
    return f"'{writable}" if _FORMULA.match(writable) else writable


def _row(report: RunReport, summary: Summary) -> list[object]:
    run, tag = report.run, summary.tag
    texts = (run.id, run.project, run.pipeline, run.status.value, run.dataset_hash or "")
    about = (summary.metric, summary.direction.value, tag.name if tag else "", tag.value if tag else "")
    return [
        *map(text_cell, (*texts, *about)),
        *(getattr(summary, name) for name in (*_NUMBERS, *_COUNTS)),
        text_cell(json.dumps(summary.reasons, ensure_ascii=False)),
    ]


FORMAT = Format("csv", render)
