"""`ragproof rank`: rankings in files against relevance judgments in a file; no run, no store."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ragproof.cli.rank_formats import Format

if TYPE_CHECKING:
    from ragproof.cli.rank_testing import Testing
    from ragproof.errors import Fault
    from ragproof.ranking.evaluation import Evaluation
    from ragproof.ranking.significance import RunTest


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
    test: Annotated[
        bool, typer.Option("--test", help="Say which runs are told apart: paired tests, letters, intervals.")
    ] = False,
    baseline: Annotated[
        list[str] | None,
        typer.Option("--baseline", help="Test every other run against this one.", metavar="NAME"),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Of the tests' random signs; 0 when not given.", metavar="N")
    ] = None,
    draws: Annotated[
        int | None, typer.Option(help="Random signs of the tests; 9999 when not given.", metavar="N")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print strict JSON.")] = False,
    format: Annotated[Format, typer.Option("--format", help="How tables are written.")] = Format.TABLE,
) -> None:
    """Hold rankings against relevance judgments, as trec_eval 9.0.8 does."""
    from ragproof.cli import rank_json, rank_page, rank_runs
    from ragproof.cli.rank_testing import Given, read_testing
    from ragproof.errors import ConfigurationError, Fault
    from ragproof.ranking.evaluating import evaluate_files
    from ragproof.ranking.evaluation import Options
    from ragproof.ranking.measures import default_measures, read_measures
    from ragproof.reports.visible import visible

    faults: list[Fault] = []
    measures = default_measures()
    options = Options(measures)
    evaluations: list[Evaluation] = []
    testing: Testing | None = None
    if as_json and format is not Format.TABLE:
        faults.append(Fault(f"--json and --format {format} are two formats, expected one of them"))
    with _gathering(faults):
        measures = read_measures(_names(metrics), k)
    with _gathering(faults):
        options = Options(measures, level, complete, ignore_identical_ids, dedupe)
    with _gathering(faults):
        testing = read_testing(Given(test, baseline or (), seed, draws), runs, measures)
    with _gathering(faults):
        evaluations = evaluate_files(qrels, runs, options)
    if faults:
        raise ConfigurationError(faults)
    named = dict(zip(rank_runs.titles(runs), evaluations, strict=True))
    tested = _tested(named, testing)
    if as_json:
        typer.echo(rank_json.as_strict_json(named, per_query, tested), nl=False)
        for name, run in named.items():
            if run.dropped_duplicates:
                typer.echo(f"{visible(name)}: {run.dropped_duplicates} duplicates dropped", err=True)
    else:
        rank_page.show(named, per_query, format, tested)


def _tested(evaluations: Mapping[str, Evaluation], testing: Testing | None) -> RunTest | None:
    if testing is None:
        return None
    from ragproof.ranking.significance import compare_runs

    return compare_runs(evaluations, baseline=testing.baseline, seed=testing.seed, draws=testing.draws)


@contextmanager
def _gathering(faults: list[Fault]) -> Iterator[None]:
    from ragproof.errors import ConfigurationError

    try:
        yield
    except ConfigurationError as error:
        faults += error.faults


def _names(metrics: Sequence[str] | None) -> list[str] | None:
    return [name for given in metrics for name in re.split(r"[,\s]+", given) if name] if metrics else None
