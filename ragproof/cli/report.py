"""`ragproof report`: a run's report in files, in one format or several."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

STDOUT = "-"


def report(
    run: Annotated[str, typer.Argument(help="A run's id, the beginning of one, or `latest`.")],
    md: Annotated[str | None, typer.Option("--md", help="Write Markdown.", metavar="FILE")] = None,
    json: Annotated[str | None, typer.Option("--json", help="Write strict JSON.", metavar="FILE")] = None,
    csv: Annotated[
        str | None, typer.Option("--csv", help="Write CSV, a row a metric and tag.", metavar="FILE")
    ] = None,
) -> None:
    """Write a run's report to files; `-` is stdout."""
    from ragproof.errors import ConfigurationError
    from ragproof.reports.registry import render
    from ragproof.reports.report import gather
    from ragproof.store.opening import open_store

    asked = {
        name: file for name, file in (("markdown", md), ("json", json), ("csv", csv)) if file is not None
    }
    if not asked:
        raise ConfigurationError(
            "no format was asked for; expected one or more of --md, --json and --csv FILE"
        )
    if list(asked.values()).count(STDOUT) > 1:
        raise ConfigurationError("two formats cannot share stdout; name a file for all but one")
    with open_store(create=False) as store:
        gathered = gather(store, store.runs.get(run).id)
    for name, file in asked.items():
        _write(file, render(gathered, name))


def _write(file: str, text: str) -> None:
    from ragproof.errors import RagproofError

    if file == STDOUT:
        sys.stdout.write(text)
        return
    path = Path(file)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise RagproofError(f"'{path}' cannot be written: {error.strerror}; name another file") from error
    sys.stderr.write(f"wrote {path}\n")
