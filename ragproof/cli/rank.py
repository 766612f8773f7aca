"""`ragproof rank`: rankings in files against relevance judgments in a file; no run, no store."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ragproof.errors import Fault
    from ragproof.ranking.evaluation import Evaluation


class Format(StrEnum):
    """How tables are written."""

    TABLE = "table"
    MARKDOWN = "markdown"
    LATEX = "latex"


def rank(
    qrels: Annotated[Path, typer.Argument(help="Judgments: TREC, BEIR, JSONL or Parquet.")],
    runs: Annotated[
        list[Path], typer.Argument(help="Rankings: TREC, JSONL or Parquet; one or more.", metavar="RUN...")
    ],
    k: Annotated[
        int, typer.Option("-k", help="The cutoff of metrics that are not named with their own.")
    ] = 10,
    metrics: Annotated[
        list[str] | None,
        typer.Option("--metrics", help="Names by commas: `ndcg@5,P(rel=2)@10,AP`. Without it, all at k."),
    ] = None,
    level: Annotated[int, typer.Option("--level", help="The relevance from which a document counts.")] = 1,
    complete: Annotated[
        bool, typer.Option("--complete", help="Average over every judged query, missing ones as 0.")
    ] = False,
    ignore_identical_ids: Annotated[
        bool, typer.Option("--ignore-identical-ids", help="Drop a document whose id is the query's.")
    ] = False,
    dedupe: Annotated[
        bool, typer.Option("--dedupe", help="Keep the best score of a document ranked twice for a query.")
    ] = False,
    per_query: Annotated[bool, typer.Option("--per-query", help="Print every query, too.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print strict JSON.")] = False,
    format: Annotated[Format, typer.Option("--format", help="How tables are written.")] = Format.TABLE,
) -> None:
    """Hold rankings against relevance judgments, as trec_eval 9.0.8 does."""
    from ragproof.errors import ConfigurationError, Fault
    from ragproof.ranking.evaluating import evaluate_files
    from ragproof.ranking.evaluation import Options
    from ragproof.ranking.measures import default_measures, read_measures

    faults: list[Fault] = []
    measures = default_measures()
    options = Options(measures)
    evaluations: list[Evaluation] = []
    if as_json and format is not Format.TABLE:
        faults.append(Fault(f"--json and --format {format} are two formats, expected one of them"))
    with _gathering(faults):
        measures = read_measures(_names(metrics), k)
    with _gathering(faults):
        options = Options(measures, level, complete, ignore_identical_ids, dedupe)
    with _gathering(faults):
        evaluations = evaluate_files(qrels, runs, options)
    if faults:
        raise ConfigurationError(faults)
    named = dict(zip(_titles(runs), evaluations, strict=True))
    if as_json:
        typer.echo(as_strict_json(named, per_query), nl=False)
    else:
        show(named, per_query, format)


def as_strict_json(evaluations: Mapping[str, Evaluation], per_query: bool) -> str:
    """Return `{"runs": [...]}`, with every query's values when they are asked for."""
    from ragproof.reports.strict_json import strict_json

    listing = []
    for name, run in evaluations.items():
        told: dict[str, object] = {
            "name": name,
            "queries": len(run.queries),
            "missing_in_run": list(run.missing_in_run),
            "unjudged_queries": list(run.unjudged_queries),
            "means": run.means,
        }
        listing.append({**told, "per_query": run.by_query()} if per_query else told)
        if run.dropped_duplicates:
            typer.echo(f"{name}: {run.dropped_duplicates} duplicates dropped", err=True)
    return strict_json({"runs": listing})


def show(evaluations: Mapping[str, Evaluation], per_query: bool, format: Format) -> None:
    """Print the means, runs side by side, and what they are over; a table to paste stands alone on stdout."""
    from ragproof.cli import screen
    from ragproof.ranking import tables
    from ragproof.reports.visible import visible

    plain = format is Format.TABLE

    def draw(grid: tables.Grid) -> None:
        if plain:
            screen.table(grid.headings, grid.rows, whole=grid.headings)
        else:
            typer.echo(tables.markdown(grid) if format is Format.MARKDOWN else tables.latex(grid), nl=False)

    for name, run in evaluations.items() if per_query else ():
        typer.echo(f"{visible(name)}, by query", err=not plain)
        draw(tables.queries(run))
        typer.echo("", err=not plain)
    means = tables.means(evaluations)
    draw(tables.turned(means) if plain else means)
    typer.echo("", err=not plain)
    for name, run in evaluations.items():
        for note in tables.notes(run):
            typer.echo(f"{visible(name)}: {visible(note)}", err=not plain)
    typer.echo("scores as float32, ties by document id descending: trec_eval 9.0.8", err=not plain)


@contextmanager
def _gathering(faults: list[Fault]) -> Iterator[None]:
    from ragproof.errors import ConfigurationError

    try:
        yield
    except ConfigurationError as error:
        faults += error.faults


def _names(metrics: Sequence[str] | None) -> list[str] | None:
    return [name for given in metrics for name in re.split(r"[,\s]+", given) if name] if metrics else None


def _titles(runs: Sequence[Path]) -> list[str]:
    """Return the file names, or the paths as they were given where names are not enough; each once."""
    names = [run.name for run in runs]
    titles = names if len(set(names)) == len(names) else [str(run) for run in runs]
    return [
        f"{title} ({number})" if title in titles[:number] else title for number, title in enumerate(titles)
    ]
