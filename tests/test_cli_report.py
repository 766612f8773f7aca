"""`ragproof report`: files in the formats asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import ragproof
from tests.fakes.hostile_run import RUN_ID, keep_hostile_run


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A store with one run."""
    return keep_hostile_run(tmp_path_factory.mktemp("store"))


@pytest.fixture(autouse=True)
def _store(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGPROOF_STORE_URL", url)


def test_one_call_writes_several_formats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Folders are made, and stdout stays empty."""
    files = {option: tmp_path / "new" / f"report.{option}" for option in ("md", "json", "csv")}
    words = [word for option, file in files.items() for word in (f"--{option}", str(file))]
    done = ragproof(capsys, "report", RUN_ID[:4], *words)
    assert (done.code, done.out) == (0, "")
    assert files["md"].read_text(encoding="utf-8").startswith("# `baseline` on `cases.jsonl`: completed\n")
    assert json.loads(files["json"].read_text(encoding="utf-8"))["run_id"] == RUN_ID
    assert files["csv"].read_bytes().startswith(b"run_id,project,")
    assert done.err.splitlines() == [f"wrote {file}" for file in files.values()]


def test_a_dash_is_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    """To be piped on, with nothing else on stdout."""
    done = ragproof(capsys, "report", "latest", "--json", "-")
    assert done.json["run_id"] == RUN_ID
    assert done.err == ""


@pytest.mark.parametrize(
    ("why", "arguments", "code", "message"),
    [
        ("nothing was asked for", [RUN_ID], 3, "no format was asked for"),
        ("two formats cannot share stdout", [RUN_ID, "--md", "-", "--csv", "-"], 3, "cannot share stdout"),
        ("no such run", ["fff", "--md", "-"], 2, "no run is called 'fff'"),
        ("a folder is no file", [RUN_ID, "--md", "/"], 2, "'/' cannot be written: Is a directory"),
    ],
)
def test_what_cannot_be_written_is_refused(
    why: str, arguments: list[str], code: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the cure, and nothing on stdout."""
    done = ragproof(capsys, "report", *arguments)
    assert (done.code, done.out) == (code, ""), why
    assert message in done.err
