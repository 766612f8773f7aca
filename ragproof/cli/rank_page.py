"""What `ragproof rank` prints for people: tables on a screen, or in Markdown or LaTeX to be pasted.

What is to be pasted stands alone on stdout, with the sentences that explain its marks; the rest is on stderr.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import typer

from ragproof.cli import rank_screen
from ragproof.cli.rank_formats import Format
from ragproof.ranking import contrast_tables, tables
from ragproof.ranking.evaluation import Evaluation
from ragproof.ranking.quoting import quoted
from ragproof.ranking.significance import RunTest
from ragproof.reports import markdown_text
from ragproof.reports.visible import visible


def show(
    evaluations: Mapping[str, Evaluation], per_query: bool, format: Format, test: RunTest | None
) -> None:
    """Print the means, runs side by side, and what they are over; with a test over the queries all share.

    Args:
        evaluations: of each run by name.
        per_query: whether to print every query of each run first.
        format: how tables are written.
        test: of these runs; None without one.
    """
    plain = format is Format.TABLE
    for name, run in evaluations.items() if per_query else ():
        typer.echo(f"{visible(name)}, by query", err=not plain)
        _draw(tables.queries(run), format)
        typer.echo("", err=not plain)
    if test is None:
        means = tables.means(evaluations)
        _draw(tables.turned(means) if plain else means, format)
    else:
        _show_test(test, format)
    typer.echo("", err=not plain)
    for line in _notes(evaluations, tested=test is not None):
        typer.echo(line, err=not plain)


def _show_test(test: RunTest, format: Format) -> None:
    means = tables.means(test.shared.evaluations, contrast_tables.marks(test))
    quote = markdown_text.code if format is Format.MARKDOWN else quoted
    _draw(
        tables.turned(means) if format is Format.TABLE else means,
        format,
        contrast_tables.about_means(test, quote),
    )
    typer.echo("")
    _draw(contrast_tables.contrasts(test), format, contrast_tables.about_contrasts(test))


def _draw(grid: tables.Grid, format: Format, caption: Iterable[str] = ()) -> None:
    """Print a table and the sentences that explain it."""
    sentences = list(caption)
    if format is Format.LATEX:
        typer.echo(tables.latex(grid, sentences), nl=False)
        return
    if format is Format.MARKDOWN:
        typer.echo(tables.markdown(grid), nl=False)
        lines = [f"- {sentence}" for sentence in sentences]
    else:
        rank_screen.table(grid)
        lines = [visible(sentence) for sentence in sentences]
    if lines:
        typer.echo("\n".join(["", *lines]))


def _notes(evaluations: Mapping[str, Evaluation], *, tested: bool) -> Iterator[str]:
    for name, run in evaluations.items():
        for note in tables.left_out(run) if tested else tables.notes(run):
            yield f"{visible(name)}: {visible(note)}"
    yield "scores as float32, ties by document id descending: trec_eval 9.0.8"
