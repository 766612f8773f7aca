"""`ragproof runs`: the list of runs."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from ragproof.store.opening import open_store
from tests.command_line import ragproof
from tests.fakes.hostile_run import CASES, HOSTILE, OUTCOMES, SHOWN
from tests.fakes.kept_runs import STARTED, keep_run

LONG = "a-pipeline-variant-with-a-name-that-is-longer-than-eighty-columns-because-people-do-that-sometimes"


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three runs of two projects."""
    url = f"sqlite:///{tmp_path}/store.db"
    monkeypatch.setenv("RAGPROOF_STORE_URL", url)
    with open_store(url) as opened:
        for number, (project, pipeline) in enumerate([("a", LONG), ("b", HOSTILE), ("a", "reranked")]):
            keep_run(
                opened,
                CASES,
                OUTCOMES,
                run_id=f"{number:012}",
                project=project,
                pipeline=pipeline,
                metrics=(),
                started_at=STARTED + timedelta(minutes=number),
            )


def test_runs_are_listed_with_the_latest_first(capsys: pytest.CaptureFixture[str]) -> None:
    """One line each, and what to type next."""
    lines = ragproof(capsys, "runs").out.splitlines()
    assert [line.split()[0] for line in lines[1:4]] == ["000000000002", "000000000001", "000000000000"]
    assert "6 of 8" in lines[1]
    assert lines[-1] == "next: ragproof show 000000000002"


def test_a_name_is_whole_and_harmless_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is cut to 80 columns, and nothing drives the terminal."""
    out = ragproof(capsys, "runs").out
    assert LONG in out
    assert SHOWN in out
    assert "\x1b" not in out


@pytest.mark.parametrize(
    ("why", "arguments", "expected"),
    [
        ("one project's", ["--project", "a"], ["000000000002", "000000000000"]),
        ("the latest of all", ["--limit", "1"], ["000000000002"]),
        ("0 is all", ["--limit", "0"], ["000000000002", "000000000001", "000000000000"]),
        ("a project without runs has none", ["--project", "c"], []),
    ],
)
def test_the_list_is_narrowed(
    why: str, arguments: list[str], expected: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """By project and by number; as JSON it is the records, whole."""
    done = ragproof(capsys, "runs", *arguments, "--json")
    assert (done.code, [run["id"] for run in done.json]) == (0, expected), why


def test_a_project_without_runs_is_told_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    """An empty table says nothing."""
    done = ragproof(capsys, "runs", "--project", "c")
    assert (done.code, done.out) == (0, "no runs of project 'c'; `ragproof run CONFIG` makes one\n")


def test_reading_makes_no_store(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mistyped URL is an error, never a new empty store."""
    monkeypatch.setenv("RAGPROOF_STORE_URL", f"sqlite:///{tmp_path}/absent/store.db")
    done = ragproof(capsys, "runs")
    assert done.code == 2
    assert done.err.startswith("error: there is no store")
    assert not (tmp_path / "absent").exists()
