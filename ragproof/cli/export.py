"""`ragproof export`: a run in a file that a repository can keep, to gate others against without a store."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

STDOUT = "-"


def export(
    run: Annotated[
        str,
        typer.Argument(help="A run's id, the beginning of one, a label, or `latest`.", show_default=False),
    ],
    output: Annotated[
        str, typer.Option("--out", "-o", help="The file, NAME.json; `-` is stdout.", metavar="FILE")
    ] = STDOUT,
) -> None:
    """Write a run's numbers to a file: no question, answer or chunk is in it."""
    from ragproof.cli.writing import write_file
    from ragproof.comparing.references import find_run, is_file
    from ragproof.comparing.run_file import run_file
    from ragproof.errors import ConfigurationError
    from ragproof.reports.visible import visible
    from ragproof.runs import RunStatus
    from ragproof.store.opening import open_store

    if output != STDOUT and not is_file(output):
        raise ConfigurationError(
            f"'{output}' does not end in .json, by which a run's file is told from a label; name it so"
        )
    with open_store(create=False) as store:
        found = find_run(run, store)
    text = run_file(found)
    if output == STDOUT:
        sys.stdout.write(text)
        name = "FILE.json"
    else:
        write_file(Path(output), text)
        name = shlex.quote(output)
    if found.record.status is not RunStatus.COMPLETED:
        told = f"warning: run '{found.source}' is {found.record.status.value}, and no baseline for a gate"
        sys.stderr.write(f"{visible(told)}\n")
    sys.stderr.write(f"next: ragproof gate CONFIG --baseline {visible(name)}\n")
