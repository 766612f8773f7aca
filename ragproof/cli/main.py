"""The `ragproof` command: which commands there are, and what their errors look like.

Exit codes: 0 ok; 1 gate or calibration failed; 2 execution error, or a bug; 3 configuration, dataset, rule or
usage error; 4 gate inconclusive.
"""

from __future__ import annotations

import importlib
import io
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Annotated, Any, NoReturn, cast

import typer
from typer.core import TyperGroup
from typer.main import get_command

import ragproof
from ragproof.cli import doors
from ragproof.errors import EXIT_EXECUTION, EXIT_OK, ConfigurationError, RagproofError, nearest

OWN = (
    "check",
    "estimate",
    "record",
    "runs",
    "show",
    "report",
    "compare",
    "gate",
    "export",
    "metrics",
    "inject",
    "rank",
    "leaderboard",
    "plan",
    "calibrate",
    "labels",
    "store",
)
"""Commands that need no flow: each is the function or group of its own name in the module of its own name."""
DEBUG = "RAGPROOF_DEBUG"
_USAGE_ERROR = cast("type[Exception]", typer.BadParameter.__mro__[1])
"""Typer's class for what is wrong with a command line; newer versions no longer take it from click."""


class Commands(TyperGroup):
    """Our own commands and the doors, each loaded when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - typer's signature
        """Return the names in the order of a first day's work."""
        return [*dict.fromkeys([*doors.doors(), *OWN])]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Load one command.

        Raises:
            ConfigurationError: there is none of that name.
        """
        if cmd_name in OWN:
            module = importlib.import_module(f"ragproof.cli.{cmd_name}")
            return _command(cmd_name, getattr(module, cmd_name))
        door = doors.doors().get(cmd_name)
        if door is None:
            hint = nearest(cmd_name, self.list_commands(ctx)) or "; `ragproof --help` lists them"
            raise ConfigurationError(f"no command is named '{cmd_name}'{hint}")
        root = doors.checkout(Path(ragproof.__file__).parent)
        if root is None:
            return _closed(door)
        return _command(cmd_name, doors.load(door, root))


def _command(name: str, function: Callable[..., object] | typer.Typer, **settings: Any) -> Any:
    if isinstance(function, typer.Typer):
        return get_command(function)
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(name, **settings)(function)
    return get_command(app)


def _closed(door: EntryPoint) -> Any:
    def closed() -> None:
        """Needs the flows, which are not in the wheel."""
        doors.load(door, None)

    anything = {"ignore_unknown_options": True, "allow_extra_args": True}
    return _command(door.name, closed, context_settings=anything, add_help_option=False)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"ragproof {ragproof.__version__}")
        raise typer.Exit


app = typer.Typer(
    cls=Commands,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["--help", "-h"]},
)


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_version)
    ] = False,
) -> None:
    """Evaluate retrieval-augmented generation pipelines, and read what came of it."""


def main() -> NoReturn:
    """Run this process's command line and end the process."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # What is piped is read by programs, and is UTF-8 on every machine; a terminal shows what it can.
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str], app: typer.Typer = app) -> int:
    """Run one command line and print its errors.

    Args:
        arguments: without the program's name; empty asks for help.
        app: the commands there are.

    Returns:
        The exit code.
    """
    try:
        return _invoke(arguments, app)
    except RagproofError as error:
        return _fail(error)
    except _USAGE_ERROR as error:
        return _fail(ConfigurationError(_usage(error)))
    except (KeyboardInterrupt, typer.Abort):
        return _fail(RagproofError("cancelled"))
    except (BrokenPipeError, SystemExit) as error:
        # Rich turns a reader that left into exit code 1, which would be a failed gate.
        if isinstance(error, BrokenPipeError) or isinstance(error.__context__, BrokenPipeError):
            return _reader_left()
        raise
    except Exception as error:
        if os.environ.get(DEBUG):
            traceback.print_exc()
        told = f"{type(error).__name__}: {error}"
        return _fail(RagproofError(f"{told}; this is a bug, and {DEBUG}=1 shows where"))


def _invoke(arguments: Sequence[str], app: typer.Typer) -> int:
    code = EXIT_OK
    try:
        name = app.info.name or "ragproof"
        with get_command(app).make_context(name, [*(arguments or ["--help"])]) as context:
            context.command.invoke(context)
    except typer.Exit as ended:
        code = ended.exit_code
    sys.stdout.flush()
    return code


def _fail(error: RagproofError) -> int:
    from ragproof.cli import screen

    return screen.fail(error)


def _usage(error: Any) -> str:
    told: str = error.format_message().strip().rstrip(".")
    context = error.ctx
    hint = f"; `{context.command_path} --help` lists what there is" if context else ""
    return f"{told[:1].lower()}{told[1:]}{hint}"


def _reader_left() -> int:
    # The interpreter flushes once more at its end, and would complain about the closed pipe then.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return EXIT_EXECUTION
