"""`ragproof check`: a configuration tried out before a run, with one live call."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ragproof.cli.rehearsal import Rehearsal


def check(
    config: Annotated[Path, typer.Argument(help="The evaluation's YAML file.", show_default=False)],
    variant: Annotated[
        str | None, typer.Option(help="Lay variants/NAME.yaml, beside the file, over it.", metavar="NAME")
    ] = None,
    dataset: Annotated[str | None, typer.Option(help="Another dataset file.", metavar="FILE")] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="Change one key, e.g. run.k=10. May be repeated.", metavar="KEY=VALUE"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print strict JSON, alone on stdout.")] = False,
) -> None:
    """Check a configuration and ask its pipeline one question."""
    from ragproof import config as configuration
    from ragproof.cli.rehearsal import rehearse
    from ragproof.errors import PipelineError
    from ragproof.outputs import CaseFailure
    from ragproof.reports.strict_json import strict_json

    loaded = configuration.load(
        config, variant=variant, overrides=set_ or (), dataset=dataset, environ=os.environ
    )
    found = rehearse(loaded)
    if as_json:
        sys.stdout.write(strict_json(found.as_json()))
    else:
        _show(found)
    if isinstance(found.outcome, CaseFailure):
        raise PipelineError(f"the pipeline failed on case '{found.outcome.case_id}': {found.outcome.reason}")
    if not as_json:
        options = [("--variant", variant), ("--dataset", dataset), *(("--set", each) for each in set_ or ())]
        _say_next([str(config), *(word for name, value in options if value for word in (name, value))])


def _show(found: Rehearsal) -> None:
    from ragproof.cli import case_page, screen
    from ragproof.reports.visible import visible

    kinds = " + ".join(f"{count} {kind}" for kind, count in found.kinds.items())
    screen.pairs(
        [
            ("project", found.config.project),
            ("pipeline", found.config.pipeline.name),
            ("dataset", f"{found.config.dataset.path}, cases: {kinds}"),
        ]
    )
    screen.heading("what each metric can score at most")
    rows = [
        (
            reach.metric.key,
            f"{reach.at_most} of {len(found.cases)}",
            "; ".join(f"{reason} ({count})" for reason, count in reach.reasons.items()),
        )
        for reach in found.reach
    ]
    screen.table(("metric", "cases", "why not the others"), rows, ("metric", "cases"))
    if found.doubts:
        screen.heading("what these numbers may not mean")
        for doubt in found.doubts:
            screen.say(visible(f"warning: {doubt}"), "bold yellow")
    first = found.cases[0]
    screen.heading(f"one live call: case {visible(first.id)}")
    if found.output is None:
        return
    screen.block("question", first.question)
    case_page.show_output(first, found.output, found.scores, found.config.run.source_match)
    screen.heading("what this output leaves without a score")
    if found.skipped:
        screen.table(("metric", "why"), [*found.skipped.items()], ("metric",))
    else:
        screen.say("nothing")


def _say_next(words: Sequence[str]) -> None:
    import shlex

    from ragproof.cli import screen
    from ragproof.reports.visible import visible

    screen.say(f"\nnext: ragproof run {visible(shlex.join(words))}", "bold")
