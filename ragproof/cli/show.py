"""`ragproof show`: a run, or one case of it with everything that was asked, answered and measured."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

WORST_SHOWN = 5


def show(
    run: Annotated[str, typer.Argument(help="A run's id, the beginning of one, or `latest`.")],
    case: Annotated[str | None, typer.Option(help="One case, whole.", metavar="ID")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print strict JSON, alone on stdout.")] = False,
) -> None:
    """Show a run, or one case of it with --case."""
    from ragproof.cli import case_page, report_page
    from ragproof.reports.registry import render
    from ragproof.reports.report import gather
    from ragproof.reports.strict_json import strict_json
    from ragproof.store.opening import open_store

    with open_store(create=False) as store:
        found = store.runs.get(run)
        if case is not None:
            page = case_page.gather(store, found, case)
        else:
            report = gather(store, found.id, worst=WORST_SHOWN)
    if case is not None and as_json:
        sys.stdout.write(strict_json(page.as_json()))
    elif case is not None:
        case_page.show(page)
    elif as_json:
        sys.stdout.write(render(report, "json"))
    else:
        report_page.print_report(report)
