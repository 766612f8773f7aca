"""`ragproof runs`: the runs in the store, the latest first."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ragproof.runs import RunRecord


def runs(
    project: Annotated[str | None, typer.Option(help="One project's runs.", metavar="NAME")] = None,
    limit: Annotated[int, typer.Option(help="How many at most; 0 is all.", min=0, metavar="N")] = 20,
    as_json: Annotated[bool, typer.Option("--json", help="Print strict JSON, alone on stdout.")] = False,
) -> None:
    """List the runs, the latest first."""
    from ragproof.cli import screen
    from ragproof.reports.strict_json import strict_json
    from ragproof.reports.visible import visible
    from ragproof.store.opening import open_store

    with open_store(create=False) as store:
        found = store.runs.list(project, limit or None)
    if as_json:
        sys.stdout.write(strict_json([run.model_dump(mode="json") for run in found]))
        return
    if not found:
        screen.say(f"no runs{f' of project {project!r}' if project else ''}; `ragproof run CONFIG` makes one")
        return
    headings = ("run", "project", "pipeline", "label", "status", "answered", "failed", "started", "duration")
    screen.table(headings, [_row(run) for run in found], ("run", "started"))
    screen.say(f"\nnext: ragproof show {visible(found[0].id)}", "bold")


def _row(run: RunRecord) -> tuple[str, ...]:
    from ragproof.reports import rounding, wording

    return (
        run.id,
        run.project,
        run.pipeline,
        run.label or "",
        run.status.value,
        f"{run.cases.ok} of {run.cases.total}",
        str(run.cases.failed),
        f"{run.started_at:%Y-%m-%d %H:%M:%S}",
        rounding.duration(wording.duration_seconds(run)),
    )
