"""Printing for people: on a terminal of some width, and in a pipe."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ragproof.catalogue import choose
from ragproof.cli import report_page
from ragproof.reports.report import RunReport
from tests.fakes.hostile_run import RUN_ID, keep_hostile_run
from tests.fakes.reports import record, small_report

STYLES = re.compile(r"\x1b\[[0-9;]*m")


def on_a_terminal(columns: int, url: str, *arguments: str) -> str:
    """Return what a command prints on a terminal."""
    controller, terminal = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(columns), "TERM": "xterm", "RAGPROOF_STORE_URL": url}
    with subprocess.Popen(
        [sys.executable, "-m", "ragproof", *arguments], stdout=terminal, stderr=terminal, env=environment
    ) as process:
        os.close(terminal)
        printed = b""
        while True:
            try:
                part = os.read(controller, 65_536)
            except OSError:  # Linux: the other end is closed
                break
            if not part:
                break
            printed += part
        assert process.wait() == 0
    os.close(controller)
    return printed.decode("utf-8").replace("\r\n", "\n")


@pytest.mark.parametrize("columns", [80, 100, 200])
def test_a_terminal_of_any_usual_width_shows_whole_metric_names(columns: int, tmp_path: Path) -> None:
    """A name that is cut cannot be typed again; no line is wider than the terminal."""
    printed = on_a_terminal(columns, keep_hostile_run(tmp_path), "show", RUN_ID)
    plain = STYLES.sub("", printed)
    for metric in choose(None):
        assert f"\n{metric.key} " in plain or f"{metric.key}: " in plain or f"{metric.key}, " in plain
    assert max(map(len, plain.splitlines())) <= columns
    rows = r"\nlatency_ms .* scored 6 of 8"
    assert re.search(rows, plain), "a metric's numbers and coverage are one line"
    beside = [line for line in plain.splitlines() if "coverage" in line and "not scored" in line]
    assert bool(beside) == (columns == 200), "counts stand beside the numbers where there is room"


def test_a_terminal_gets_no_code_but_our_own_styles(tmp_path: Path) -> None:
    """The hostile answer's escape sequence is text."""
    printed = on_a_terminal(120, keep_hostile_run(tmp_path), "show", RUN_ID, "--case", "hostile")
    assert "\x1b" not in STYLES.sub("", printed)
    assert "\x1b[31mred" not in printed
    assert "\\x1b[31mred\\u202e [bold]x[/bold]" in printed


def test_colours_asked_for_in_the_environment_do_not_reach_a_pipe(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """CI systems set FORCE_COLOR, and a pipe is still a pipe."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "20")
    report_page.print_report(small_report())
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "robustness.overrefusal  ↓ lower" in out


def test_a_pipe_has_no_blanks_at_the_end_of_lines(capsys: pytest.CaptureFixture[str]) -> None:
    """A diff of two outputs shows what differs."""
    report_page.print_report(small_report())
    assert not [line for line in capsys.readouterr().out.splitlines() if line != line.rstrip()]


def test_a_run_without_numbers_is_shown_too(capsys: pytest.CaptureFixture[str]) -> None:
    """Its head, its reason, and the next command."""
    report_page.print_report(RunReport(run=record()))
    out = capsys.readouterr().out
    assert out.startswith("run 0123456789ab  failed:pipeline\n")
    assert "more than run.max_error_rate allows" in out
    assert out.endswith("next: ragproof report 0123456789ab --md report.md\n")


def test_a_case_id_that_a_shell_would_read_is_quoted(capsys: pytest.CaptureFixture[str]) -> None:
    """The next command can be pasted as it stands."""
    case = small_report().worst[0].model_copy(update={"case_id": "$(rm -rf ~); it's"})
    report_page.print_report(small_report(worst=(case,)))
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2] == """next: ragproof show 0123456789ab --case '$(rm -rf ~); it'"'"'s'"""
