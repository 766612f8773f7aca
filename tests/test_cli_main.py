"""The command line as a whole: what it offers, how it fails, and what it does not load."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from ragproof import __version__
from ragproof.cli.main import OWN, run
from ragproof.errors import ConfigurationError, Fault, PipelineError
from tests.command_line import ragproof
from tests.fakes.hostile_run import RUN_ID, keep_hostile_run

HEAVY = ("prefect", "sqlmodel", "sqlalchemy", "polars", "httpx")
LOADED = """
import sys
from ragproof.cli.main import run
code = run(sys.argv[1:])
print("loaded:", *sys.modules, file=sys.stderr)
sys.exit(code)
"""


def process(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python as a process of its own."""
    return subprocess.run(
        [sys.executable, *words],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], []])
def test_help_lists_every_command(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Those of the flows too, and whoever types nothing gets it as well."""
    done = ragproof(capsys, *arguments)
    assert done.code == 0
    for name in ("run", *OWN):
        assert f"\n  {name} " in done.out


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["run", "--help"], ["check", "--help"]])
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    """Help is read often, and an orchestrator takes a second to import."""
    done = process("-c", LOADED, *arguments)
    assert done.returncode == 0, done.stderr
    loaded = {name.partition(".")[0] for name in done.stderr.split()}
    assert not loaded & set(HEAVY)


def test_commands_that_read_the_store_do_not_load_the_orchestrator(tmp_path: Path) -> None:
    """They answer within a second, and without a Prefect installation that works."""
    url = keep_hostile_run(tmp_path)
    for arguments in (["runs"], ["show", RUN_ID], ["report", RUN_ID, "--csv", "-"]):
        done = process("-c", LOADED, *arguments, RAGPROOF_STORE_URL=url)
        assert done.returncode == 0, done.stderr
        assert not {"prefect", "polars", "httpx"} & {name.partition(".")[0] for name in done.stderr.split()}


def test_the_options_of_a_flow_s_command_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """Its module lies beside the flows, and is loaded for its help."""
    done = ragproof(capsys, "run", "--help")
    assert done.code == 0
    assert "--variant" in done.out


def test_the_version_is_the_package_s(capsys: pytest.CaptureFixture[str]) -> None:
    """One place says it."""
    assert ragproof(capsys, "--version").out == f"ragproof {__version__}\n"


@pytest.mark.parametrize(
    ("why", "arguments", "message"),
    [
        ("a command is misspelt", ["shwo"], "error: no command is named 'shwo'; did you mean 'show'?\n"),
        (
            "no command is near",
            ["xyzzy"],
            "error: no command is named 'xyzzy'; `ragproof --help` lists them\n",
        ),
        ("an option is misspelt", ["runs", "--limt", "1"], "--limit"),
        ("an option of the whole is unknown", ["--frob"], "error: no such option: --frob"),
        ("an argument is missing", ["show"], "error: missing argument 'run'"),
        ("a value is of the wrong type", ["runs", "--limit", "many"], "error: invalid value for '--limit'"),
        ("a value is out of range", ["runs", "--limit", "-1"], "error: invalid value for '--limit'"),
        ("there is an argument too many", ["runs", "extra"], "extra"),
    ],
)
def test_a_wrong_command_line_is_a_configuration_error(
    why: str, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 3, for 2 is an execution error here; one line on stderr, nothing on stdout."""
    done = ragproof(capsys, *arguments)
    assert (done.code, done.out) == (3, ""), why
    assert message in done.err
    assert done.err.count("\n") == 1


def failing(error: BaseException) -> typer.Typer:
    """Return an app whose one command fails."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None)

    @app.callback()
    def several() -> None:
        """Commands that fail."""

    @app.command()
    def fail() -> None:
        raise error

    return app


@pytest.mark.parametrize(
    ("why", "error", "code", "message"),
    [
        ("the pipeline is away", PipelineError("no route to 'x'"), 2, "error: no route to 'x'\n"),
        (
            "two faults are told at once",
            ConfigurationError([Fault("'a' is no key", "x.yaml:1:2"), Fault("'b' is no key")]),
            3,
            "error: x.yaml:1:2: 'a' is no key\nerror: 'b' is no key\n",
        ),
        (
            "an error cannot drive the terminal",
            PipelineError("\x1b[2J[bold]x\ny"),
            2,
            "error: \\x1b[2J[bold]x y\n",
        ),
        ("someone pressed Ctrl-C", KeyboardInterrupt(), 2, "error: cancelled\n"),
        (
            "a bug says that it is one",
            ZeroDivisionError("division by zero"),
            2,
            "error: ZeroDivisionError: division by zero; this is a bug, and RAGPROOF_DEBUG=1 shows where\n",
        ),
    ],
)
def test_an_error_is_told_in_lines_and_by_its_exit_code(
    why: str, error: BaseException, code: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Never a traceback, and never 1, which is a failed gate."""
    assert run(["fail"], failing(error)) == code, why
    assert capsys.readouterr().err.endswith(message)


def test_a_bug_shows_where_when_asked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """For whoever reports it."""
    monkeypatch.setenv("RAGPROOF_DEBUG", "1")
    assert run(["fail"], failing(ZeroDivisionError("x"))) == 2
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [["--help"], ["metrics"], ["runs"], ["show", RUN_ID], ["report", RUN_ID, "--json", "-"]]
)
def test_a_reader_that_has_left_is_not_talked_to(arguments: list[str], tmp_path: Path) -> None:
    """`ragproof show | head -1`: nothing on stderr, and never 1, which is a failed gate."""
    environment = {**os.environ, "RAGPROOF_STORE_URL": keep_hostile_run(tmp_path)}
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "ragproof", *arguments],
        stdout=writer,
        stderr=subprocess.PIPE,
        env=environment,
        text=True,
        check=False,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (2, "")


def test_piped_text_is_utf_8_on_every_machine(tmp_path: Path) -> None:
    """An arrow does not break the output of a machine that speaks ASCII."""
    url = keep_hostile_run(tmp_path)
    done = process("-m", "ragproof", "show", RUN_ID, RAGPROOF_STORE_URL=url, PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "↑ higher" in done.stdout
