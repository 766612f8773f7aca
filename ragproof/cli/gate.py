"""`ragproof gate`: whether a run may pass, for people and for CI."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer


def gate(
    config: Annotated[
        Path, typer.Argument(help="The evaluation's YAML file, with a section `gate`.", show_default=False)
    ],
    run: Annotated[
        str | None,
        typer.Option(
            help="The run to judge: an id, a label, `latest`, or an exported FILE.json. Without it the latest"
            " finished one of the configuration's project and pipeline.",
            metavar="REF",
        ),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(help="The run to hold it against; the same ways to name one.", metavar="REF"),
    ] = None,
    variant: Annotated[
        str | None, typer.Option(help="Lay variants/NAME.yaml, beside the file, over it.", metavar="NAME")
    ] = None,
    junit: Annotated[Path | None, typer.Option(help="Write JUnit XML, too.", metavar="FILE")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print strict JSON, alone on stdout.")] = False,
    allow_mixed_judges: Annotated[
        bool, typer.Option("--allow-mixed-judges", help="Compare although another judge judged.")
    ] = False,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set", help="Change one key, e.g. gate.confidence=0.9. May be repeated.", metavar="KEY=VALUE"
        ),
    ] = None,
) -> None:
    """Judge a run by its configuration's rules: exits 0 PASS, 1 FAIL, 2 ERROR, 4 INCONCLUSIVE."""
    from ragproof.config.loading import load_with_places
    from ragproof.gating.answering import Asked, answer

    loaded, layer = load_with_places(
        config, variant=variant, overrides=set_ or (), environ=os.environ, calls=False
    )
    found = answer(loaded, layer, Asked(run, baseline, allow_mixed_judges))
    if junit is not None:
        from ragproof.cli.writing import write_file
        from ragproof.reports.junit import render

        write_file(junit, render(found))
    if as_json:
        from ragproof.gating.gate_json import as_json as values
        from ragproof.reports.strict_json import strict_json

        sys.stdout.write(strict_json(values(found)))
    else:
        from ragproof.cli.gate_page import show

        show(found)
    raise typer.Exit(found.exit_code)
