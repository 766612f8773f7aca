"""`ragproof record`: a pipeline asked every case, and its answers written to a file to be scored later."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ragproof.recording import Progress, Tell


def record(
    config: Annotated[Path, typer.Argument(help="The evaluation's YAML file.", show_default=False)],
    out: Annotated[Path, typer.Option("--out", help="The JSONL file to write.", show_default=False)],
    variant: Annotated[
        str | None, typer.Option(help="Lay variants/NAME.yaml, beside the file, over it.", metavar="NAME")
    ] = None,
    dataset: Annotated[str | None, typer.Option(help="Another dataset file.", metavar="FILE")] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="Change one key, e.g. run.k=10. May be repeated.", metavar="KEY=VALUE"),
    ] = None,
) -> None:
    """Ask a pipeline every case and write what it answered, to be scored later without it."""
    from ragproof import config as configuration
    from ragproof import recording
    from ragproof.errors import PipelineError

    loaded = configuration.load(
        config, variant=variant, overrides=set_ or (), dataset=dataset, environ=os.environ
    )
    with _shown() as tell:
        end = recording.record(loaded, out, tell)
    options = [("--variant", variant), ("--dataset", dataset), *(("--set", each) for each in set_ or ())]
    _say(end, out, [str(config), *(word for name, value in options if value for word in (name, value))])
    if end.failed > loaded.run.max_error_rate * end.total:
        assert end.first_failure is not None
        raise PipelineError(
            f"{end.failed} of {end.total} cases failed, the first with {end.first_failure.reason}"
        )


@contextmanager
def _shown() -> Iterator[Tell]:
    """Show progress on a terminal; a pipe is told the end alone."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    from ragproof.cli import screen

    console = screen.console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Bars(*columns, console=console, transient=True, disable=not console.is_terminal) as bars:
        bar = bars.add_task("asking the pipeline", total=None)
        yield lambda progress: bars.update(bar, completed=progress.done, total=progress.total)


def _say(end: Progress, out: Path, words: Sequence[str]) -> None:
    import json
    import shlex

    from ragproof.cli import screen
    from ragproof.reports.visible import visible

    counts = f"{end.answered} answered, {end.failed} failed"
    screen.say(visible(f"wrote {end.total} cases to {out}: {counts}"))
    replay = f"pipeline.adapter={{type: replay, path: {json.dumps(str(out), ensure_ascii=False)}}}"
    screen.say(f"\nnext: ragproof run {visible(shlex.join([*words, '--set', replay]))}", "bold")
