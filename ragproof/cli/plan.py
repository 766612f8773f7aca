"""`ragproof plan`: the cases that an effect needs, the effect that the present ones see, and the cost."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer


def plan(
    config: Annotated[Path, typer.Argument(help="The evaluation's YAML file.", show_default=False)],
    effect: Annotated[
        float, typer.Option(help="The smallest change worth seeing, in the metric's unit.", metavar="X")
    ] = 0.03,
    power: Annotated[float, typer.Option(help="The chance of seeing it.", metavar="P")] = 0.8,
    alpha: Annotated[
        float, typer.Option(help="The chance of seeing one that is not there.", metavar="P")
    ] = 0.05,
    baseline: Annotated[
        str | None,
        typer.Option(
            help="The run whose spread is taken: an id, a label, `latest` or a file; without it, the latest.",
            metavar="RUN",
        ),
    ] = None,
    metric: Annotated[
        str | None, typer.Option(help="Plan for this one; without it, for all.", metavar="M")
    ] = None,
    repeats: Annotated[
        int | None, typer.Option(help="Ask each case so often; without it, run.repeats.", metavar="K")
    ] = None,
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
    """Plan a comparison before it is run: how many cases, what they can show, what they cost."""
    from ragproof import config as configuration
    from ragproof import datasets
    from ragproof.cli import plan_page
    from ragproof.planning.planning import plan_run
    from ragproof.planning.question import Question
    from ragproof.reports.strict_json import strict_json
    from ragproof.store.locations import file_of, locate
    from ragproof.store.opening import open_store

    loaded = configuration.load(
        config, variant=variant, overrides=set_ or (), dataset=dataset, environ=os.environ
    )
    trials = loaded.run.repeats if repeats is None else repeats
    question = Question(effect=effect, power=power, alpha=alpha, repeats=trials, metric=metric)
    question.check()
    cases = datasets.read(loaded.dataset.resolved(), loaded.dataset.format)
    file = file_of(locate())
    if file is not None and not file.is_file():
        found = plan_run(loaded, cases, question, None, baseline, os.environ)
    else:
        with open_store(create=False) as store:
            found = plan_run(loaded, cases, question, store, baseline, os.environ)
    if as_json:
        sys.stdout.write(strict_json(plan_page.as_json(found)))
    else:
        plan_page.show(found)
