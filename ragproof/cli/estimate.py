"""`ragproof estimate`: what the judge of a run may be asked and cost, without a call."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

MOST_CASES = 2_000
"""How many cases are looked at, a hundredth of a second each; of a larger dataset evenly spaced ones."""


def estimate(
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
    """Estimate what the judge of a run may be asked and cost, without a call."""
    from ragproof import config as configuration
    from ragproof import datasets
    from ragproof.cli import estimate_page
    from ragproof.reports.strict_json import strict_json
    from ragproof.run_estimates import estimate_run
    from ragproof.store.locations import file_of, locate
    from ragproof.store.opening import open_store

    loaded = configuration.load(
        config, variant=variant, overrides=set_ or (), dataset=dataset, environ=os.environ
    )
    cases = datasets.read(loaded.dataset.resolved(), loaded.dataset.format)
    file = file_of(locate())
    if file is not None and not file.is_file():
        found = estimate_run(loaded, cases, None, os.environ, most_cases=MOST_CASES)
    else:
        with open_store(create=False) as store:
            found = estimate_run(loaded, cases, store, os.environ, most_cases=MOST_CASES)
    if as_json:
        sys.stdout.write(strict_json(estimate_page.as_json(found)))
    else:
        estimate_page.show(found)
