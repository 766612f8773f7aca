"""`ragproof store`: migrate, check, prune, delete and export, for people and for scripts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from ragproof.errors import EXIT_CONFIGURATION, EXIT_EXECUTION, EXIT_OK
from ragproof.runs import now
from ragproof.store.opening import open_store
from ragproof.store.schema import REVISIONS
from tests.command_line import ragproof
from tests.fakes.databases import KINDS, execute, new_url
from tests.fakes.erasable_runs import SECRET, keep_two_runs
from tests.fakes.old_stores import old_store

Capture = pytest.CaptureFixture[str]
NEWEST = REVISIONS[-1]


@pytest.fixture(params=KINDS)
def empty(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The URL of a database without a store, named by the environment."""
    with new_url(request.param) as url:
        monkeypatch.setenv("RAGPROOF_STORE_URL", url)
        yield url


@pytest.fixture
def url(empty: str) -> str:
    """The URL of a store with two old runs."""
    with open_store(empty) as store:
        keep_two_runs(store)
        long_ago = now() - timedelta(days=100)
        for run in store.runs.list():
            store.runs.update(run.id, finished_at=long_ago)
    execute(empty, f"UPDATE dataset SET used_at = '{long_ago:%Y-%m-%d} 00:00:00.000000'")
    return empty


def test_migrate_makes_a_store_and_brings_an_old_one_up_to_date(empty: str, capsys: Capture) -> None:
    """And finds nothing to do the next time."""
    old_store(empty, REVISIONS[0])
    refused = ragproof(capsys, "store", "check")
    assert refused.code == EXIT_EXECUTION
    assert "has an old schema; run 'ragproof store migrate' first" in refused.err
    done = ragproof(capsys, "store", "migrate")
    assert (done.code, done.err) == (EXIT_OK, "")
    assert f"from schema {REVISIONS[0]} to {NEWEST}" in done.out
    again = ragproof(capsys, "store", "migrate", "--json").json
    assert (again["before"], again["after"]) == (NEWEST, NEWEST)
    assert ragproof(capsys, "runs").code == EXIT_OK


def test_migrate_makes_a_new_store(empty: str, capsys: Capture) -> None:
    """So that runs may start with less rights than that takes."""
    assert ragproof(capsys, "store", "migrate", "--json").json["before"] is None
    assert "no runs" in ragproof(capsys, "runs").out


@pytest.mark.parametrize("command", [["check"], ["prune", "--keep", "1d"], ["delete", "--case", "a"]])
def test_other_commands_make_no_store(command: list[str], empty: str, capsys: Capture) -> None:
    """They say which does."""
    done = ragproof(capsys, "store", *command)
    assert done.code == EXIT_EXECUTION
    assert "ragproof store migrate" in done.err


def test_check_says_what_is_there(url: str, capsys: Capture) -> None:
    """Sound, with sizes and numbers."""
    done = ragproof(capsys, "store", "check")
    assert done.code == EXIT_OK
    assert done.out.splitlines()[-1] == "sound"
    assert any(line.split() == ["run", "2", "rows"] for line in done.out.splitlines())
    told = ragproof(capsys, "store", "check", "--json").json
    assert told["sound"] is True
    assert told["rows"]["call"] == 9


def test_check_ends_with_an_error_when_something_is_wrong(url: str, capsys: Capture) -> None:
    """So that a script notices."""
    execute(url, "DROP INDEX ix_call_run_id_kind_state")
    done = ragproof(capsys, "store", "check")
    assert done.code == EXIT_EXECUTION
    assert done.out.startswith("fault: the table 'call' has no index 'ix_call_run_id_kind_state'")
    told = ragproof(capsys, "store", "check", "--json")
    assert (told.code, told.json["sound"]) == (EXIT_EXECUTION, False)


def test_prune_tells_asks_and_removes(url: str, capsys: Capture) -> None:
    """A script has to say --yes; nothing goes before that."""
    told = ragproof(capsys, "store", "prune", "--keep", "90d", "--dry-run")
    assert told.code == EXIT_OK
    assert told.out.startswith("would remove 2 runs that ended before ")
    assert "and 1 dataset that no run names" in told.out
    refused = ragproof(capsys, "store", "prune", "--keep", "90d")
    assert refused.code == EXIT_CONFIGURATION
    assert "--yes does it without asking" in refused.err
    assert len(ragproof(capsys, "runs", "--json").json) == 2
    done = ragproof(capsys, "store", "prune", "--keep", "90d", "--yes", "--json")
    assert done.code == EXIT_OK
    assert done.json["runs"] == ["first", "second"]
    assert len(done.json["datasets"]) == 1
    assert done.json["not_reclaimed"] is None
    assert ragproof(capsys, "runs", "--json").json == []
    assert ragproof(capsys, "store", "prune", "--keep", "90d").code == EXIT_OK


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminal")
@pytest.mark.parametrize(("answer", "code", "left"), [("n", EXIT_EXECUTION, 2), ("y", EXIT_OK, 0)])
def test_prune_asks_whoever_sits_at_a_terminal(
    answer: str, code: int, left: int, url: str, capsys: Capture
) -> None:
    """And takes no for an answer."""
    ours, theirs = os.openpty()
    os.write(ours, f"{answer}\n".encode())
    command = [sys.executable, "-m", "ragproof", "store", "prune", "--keep", "90d"]
    done = subprocess.run(command, stdin=theirs, capture_output=True, text=True, check=False)
    os.close(ours)
    os.close(theirs)
    assert (done.returncode, "remove 2 runs" in done.stdout) == (code, True), done.stderr
    assert len(ragproof(capsys, "runs", "--json").json) == left


@pytest.mark.parametrize("keep", ["17w", "101d", "2500h"])
def test_prune_keeps_what_is_young_enough(keep: str, url: str, capsys: Capture) -> None:
    """In hours, days or weeks."""
    assert ragproof(capsys, "store", "prune", "--keep", keep, "--yes", "--json").json["runs"] == []


@pytest.mark.parametrize("keep", ["90", "d", "-3d", "3m", "3.5d", "", "999999d"])
def test_an_age_that_is_none_is_refused(keep: str, url: str, capsys: Capture) -> None:
    """A month has no length, and a slip must not remove everything."""
    done = ragproof(capsys, "store", "prune", f"--keep={keep}", "--yes")
    assert done.code == EXIT_CONFIGURATION
    assert "expected a number and h, d or w" in done.err
    assert len(ragproof(capsys, "runs", "--json").json) == 2


def test_delete_tells_asks_and_erases(url: str, capsys: Capture) -> None:
    """What is removed, and what still counts it."""
    tag = f"customer={SECRET}"
    told = ragproof(capsys, "store", "delete", "--tag", tag, "--dry-run")
    assert told.out.splitlines() == [
        "would erase 3 cases: 3 dataset rows, 5 calls, 4 scores and the tag's own 2 summaries",
        "run first: 2 summaries still count 3 erased cases, as numbers alone",
        "run second: 2 summaries still count 3 erased cases, as numbers alone",
    ]
    assert ragproof(capsys, "store", "delete", "--tag", tag).code == EXIT_CONFIGURATION
    done = ragproof(capsys, "store", "delete", "--tag", tag, "--yes")
    assert done.code == EXIT_OK
    assert "take the case out of the dataset's file too" in done.out
    assert SECRET not in ragproof(capsys, "show", "first").out
    again = ragproof(capsys, "store", "delete", "--tag", tag, "--yes")
    assert again.code == EXIT_EXECUTION
    assert again.err.startswith(f"error: no case has the tag '{tag}'")


def test_delete_of_one_case_as_json(url: str, capsys: Capture) -> None:
    """For a script that answers a request."""
    done = ragproof(capsys, "store", "delete", "--case", "mine", "--yes", "--json").json
    assert (done["cases"], done["calls"], done["dry_run"]) == (1, 3, False)
    assert [run["run_id"] for run in done["still_counting"]] == ["first", "second"]


@pytest.mark.parametrize(
    ("why", "arguments"),
    [
        ("neither", []),
        ("both", ["--case", "a", "--tag", "a=b"]),
        ("no value", ["--tag", "customer"]),
        ("no name", ["--tag", "=b"]),
    ],
)
def test_delete_wants_one_case_or_one_tag(why: str, arguments: list[str], url: str, capsys: Capture) -> None:
    """Anything else is a slip."""
    assert ragproof(capsys, "store", "delete", *arguments, "--yes").code == EXIT_CONFIGURATION, why


def test_export_writes_a_whole_file_or_none(url: str, tmp_path: Path, capsys: Capture) -> None:
    """In place of what was there; and nothing is left beside it."""
    file = tmp_path / "new" / "run.jsonl"
    done = ragproof(capsys, "store", "export", "sec", "--out", str(file), "--json")
    lines = file.read_text().splitlines()
    assert done.json == {"run_id": "second", "file": str(file), "lines": len(lines)}
    assert json.loads(lines[0])["id"] == "second"
    assert json.loads(lines[-1])["type"] == "end"
    assert ragproof(capsys, "store", "export", "first", "--out", str(file)).code == EXIT_OK
    assert json.loads(file.read_text().splitlines()[0])["id"] == "first"
    assert list(file.parent.iterdir()) == [file]
    assert ragproof(capsys, "store", "export", "first", "--out", "-").out == file.read_text()


def test_export_that_cannot_be_written_is_told(url: str, tmp_path: Path, capsys: Capture) -> None:
    """With the file's name; a run that is not there makes no file."""
    (tmp_path / "taken").write_text("")
    refused = ragproof(capsys, "store", "export", "first", "--out", str(tmp_path / "taken" / "x"))
    assert refused.code == EXIT_EXECUTION
    assert "cannot be written" in refused.err
    assert ragproof(capsys, "store", "export", "third", "--out", str(tmp_path / "x")).code == EXIT_EXECUTION
    assert not (tmp_path / "x").exists()
    both = ragproof(capsys, "store", "export", "first", "--out", "-", "--json")
    assert both.code == EXIT_CONFIGURATION


def test_the_group_lists_its_commands(capsys: Capture) -> None:
    """With a whole sentence each."""
    told = ragproof(capsys, "store", "--help")
    assert told.code == EXIT_OK
    for command in ("migrate", "check", "prune", "delete", "export"):
        (line,) = (line for line in told.out.splitlines() if line.strip().startswith(f"{command} "))
        assert line.endswith(".")
        assert not line.endswith("...")
    assert ragproof(capsys, "store", "prnue").code == EXIT_CONFIGURATION


def test_looking_after_a_store_loads_neither_the_migration_tool_nor_the_orchestrator(url: str) -> None:
    """Each would take longer than the command."""
    code = (
        "import sys; from ragproof.cli.main import run; run(['store', 'check', '--json']);"
        "print([name for name in ('alembic', 'prefect', 'polars', 'tenacity') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    assert done.stdout.splitlines()[-1] == "[]"
