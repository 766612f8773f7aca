"""Commands that start flows. They join the command line from beside `ragproof` (see ragproof/cli/doors.py).

Nothing heavy is imported at the top: `ragproof --help` shows these commands without loading Prefect.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def run(
    config: Annotated[
        Path | None, typer.Argument(help="The evaluation's YAML file; with --resume it may be left out.")
    ] = None,
    variant: Annotated[
        str | None, typer.Option(help="Lay variants/NAME.yaml, beside the file, over it.", metavar="NAME")
    ] = None,
    dataset: Annotated[str | None, typer.Option(help="Another dataset file.", metavar="FILE")] = None,
    label: Annotated[str | None, typer.Option(help="A word to find the run by.")] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="Change one key, e.g. run.k=10. May be repeated.", metavar="KEY=VALUE"),
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(help="Go on with a run: its id, the beginning of one, or `latest`.", metavar="RUN"),
    ] = None,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Load and compute again what Prefect's cache holds.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON, alone on stdout.")] = False,
) -> None:
    """Evaluate a pipeline and show what is good and what is bad in it."""
    from deployments import running

    chosen = running.Chosen(
        path=config, variant=variant, dataset=dataset, label=label, overrides=tuple(set_ or ()), resume=resume
    )
    raise typer.Exit(running.run(chosen, no_cache=no_cache, json=json))


def sweep(
    file: Annotated[Path, typer.Argument(help="The sweep's YAML file: a configuration and factors.")],
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="Change one key in all cells. May be repeated.", metavar="KEY=VALUE"),
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(help="Go on with a sweep: its id, the beginning of one, or `latest`.", metavar="SWEEP"),
    ] = None,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Load and compute again what Prefect's cache holds.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON, alone on stdout.")] = False,
) -> None:
    """Evaluate every combination of a sweep's factors under one budget."""
    from deployments import sweeping

    chosen = sweeping.Chosen(path=file, overrides=tuple(set_ or ()), resume=resume)
    raise typer.Exit(sweeping.sweep(chosen, no_cache=no_cache, json=json))
