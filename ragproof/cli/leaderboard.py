"""`ragproof leaderboard`: the runs of a project ranked, with what each cost."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer


class Format(StrEnum):
    """How the page is written."""

    TEXT = "text"
    MARKDOWN = "markdown"


class Runs(StrEnum):
    """Which runs of a variant enter."""

    LATEST = "latest"
    ALL = "all"


def leaderboard(
    project: Annotated[str | None, typer.Option(help="One project's runs.", metavar="NAME")] = None,
    dataset: Annotated[
        str | None,
        typer.Option(
            help="Runs on one dataset: its hash, the beginning of it, or its file.", metavar="HASH|PATH"
        ),
    ] = None,
    metric: Annotated[
        str | None, typer.Option(help="Rank by this; without it, by the first that all have.", metavar="M")
    ] = None,
    by_tag: Annotated[
        str | None,
        typer.Option("--by-tag", help="Show the means of each value of a tag, too.", metavar="NAME"),
    ] = None,
    group: Annotated[
        str | None, typer.Option(help="Runs with this label, or of this sweep.", metavar="NAME")
    ] = None,
    runs: Annotated[Runs, typer.Option(help="Of each variant the latest run, or all.")] = Runs.LATEST,
    effects: Annotated[
        bool, typer.Option("--effects", help="Show what the factors of a sweep do, and how they interact.")
    ] = False,
    allow_mixed_judges: Annotated[
        bool, typer.Option("--allow-mixed-judges", help="Rank runs of different judges together.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print strict JSON, alone on stdout.")] = False,
    format: Annotated[Format, typer.Option("--format", help="How the page is written.")] = Format.TEXT,
    seed: Annotated[int, typer.Option(help="Of random signs and resamples.", min=0, metavar="N")] = 0,
) -> None:
    """Rank the completed runs that can be held against each other."""
    from ragproof.cli import leaderboard_page
    from ragproof.errors import ConfigurationError
    from ragproof.leaderboards.json import as_json as values
    from ragproof.leaderboards.leaderboard import Asked, gather
    from ragproof.leaderboards.pieces import markdown
    from ragproof.leaderboards.wording import pages
    from ragproof.reports.strict_json import strict_json
    from ragproof.store.opening import open_store

    if as_json and format is not Format.TEXT:
        raise ConfigurationError(f"--json and --format {format} are two formats, expected one of them")
    asked = Asked(
        project=project,
        dataset=dataset,
        metric=metric,
        tag=by_tag,
        group=group,
        latest=runs is Runs.LATEST,
        allow_mixed_judges=allow_mixed_judges,
        with_effects=effects,
        seed=seed,
    )
    with open_store(create=False) as store:
        found = gather(store, asked)
    if as_json:
        sys.stdout.write(strict_json(values(found)))
    elif format is Format.MARKDOWN:
        sys.stdout.write(markdown(pages(found)))
    else:
        leaderboard_page.show(pages(found))
