"""`ragproof export`: a run in a file, and gating by it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ragproof.runs import RunStatus
from ragproof.store.opening import open_store
from tests.command_line import ragproof
from tests.fakes.gate_repository import STORED, Repository


@pytest.fixture
def stored(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A store with two runs of a pipeline and one, the last, of a variant."""
    monkeypatch.chdir(tmp_path)
    repository = Repository(tmp_path, capsys)
    monkeypatch.setenv("RAGPROOF_STORE_URL", repository.store_url)
    repository.keep("1" * 12, 10, 1)
    repository.keep("2" * 12, 30, 2)
    repository.keep("3" * 12, 5, 3, pipeline="variant")
    return repository


HEAD = f"metrics: [{STORED}]\n"


def test_an_exported_run_gates_as_the_stored_one_does(
    stored: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    """To the last digit; and the command says how to use it."""
    rule = f"{{metric: {STORED}, max_drop: 0.05, min: 0.5, max_error_rate: 0}}"
    before = stored.gate(rule, "--baseline", "111", "--run", "222", "--json", head=HEAD).json
    for name in ("111", "222"):
        done = ragproof(capsys, "export", name, "-o", f"kept/{name}.json")
        assert (done.code, done.out) == (0, "")
        assert done.err.splitlines() == [
            f"wrote kept/{name}.json",
            f"next: ragproof gate CONFIG --baseline kept/{name}.json",
        ]
    files = ("--baseline", "kept/111.json", "--run", "kept/222.json")
    after = stored.gate(rule, *files, "--json", head=HEAD).json
    assert after["rules"] == before["rules"]


def test_an_export_to_a_pipe_is_json_alone(stored: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a question or an answer in it."""
    done = ragproof(capsys, "export", "latest")
    assert done.json["run"]["id"] == "333333333333"
    assert done.err == "next: ragproof gate CONFIG --baseline FILE.json\n"
    assert "0?" not in done.out
    assert "config" in json.loads(done.out)["run"]


def test_an_export_that_a_gate_could_not_use_is_told(
    stored: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    """A name that is read as a label, and a run that is not whole."""
    done = ragproof(capsys, "export", "111", "-o", "kept.txt")
    assert (done.code, "does not end in .json" in done.err) == (3, True)
    with open_store(stored.store_url) as store:
        store.runs.update("1" * 12, status=RunStatus.CANCELLED)
    done = ragproof(capsys, "export", "111", "-o", "kept.json")
    assert done.code == 0
    assert "warning: run '111111111111' is cancelled, and no baseline for a gate" in done.err
    assert ragproof(capsys, "export", "999").code == 2
