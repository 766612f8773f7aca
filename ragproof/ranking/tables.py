"""Evaluations of rankings as tables: aligned text, Markdown or LaTeX, with the four digits of trec_eval."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ragproof.ranking.evaluation import Evaluation
from ragproof.ranking.quoting import some
from ragproof.reports import markdown_text
from ragproof.reports.rounding import fixed
from ragproof.reports.visible import visible

DIGITS = 4
"""As many as trec_eval prints."""
_LATEX = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
}


class Grid(NamedTuple):
    """A table in words: the first column holds foreign names, the others our own keys and numbers."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]


def means(evaluations: Mapping[str, Evaluation]) -> Grid:
    """Put runs side by side: a row a run, a column a measure."""
    keys = list(next(iter(evaluations.values())).means)
    rows = [[name, *(_number(run.means[key]) for key in keys)] for name, run in evaluations.items()]
    return Grid(["run", *keys], rows)


def queries(evaluation: Evaluation) -> Grid:
    """Lay out a run's queries: a row a query, a column a measure."""
    rows = [[query, *map(_number, values.values())] for query, values in evaluation.by_query().items()]
    return Grid(["query", *evaluation.means], rows)


def turned(grid: Grid) -> Grid:
    """Make rows of columns, so that many measures and few runs fit on a screen."""
    columns = list(zip(grid.headings, *grid.rows, strict=True))
    return Grid(["measure", *columns[0][1:]], columns[1:])


def markdown(grid: Grid) -> str:
    """Write a Markdown table."""
    rows = [[markdown_text.code(name), *numbers] for name, *numbers in grid.rows]
    return markdown_text.table(grid.headings, rows)


def latex(grid: Grid) -> str:
    """Write a LaTeX tabular, with the rules of the booktabs package."""
    lines = [" & ".join(map(_latex, cells)) + r" \\" for cells in (grid.headings, *grid.rows)]
    columns = "l" + "r" * (len(grid.headings) - 1)
    body = [r"\toprule", lines[0], r"\midrule", *lines[1:], r"\bottomrule"]
    return "\n".join([f"\\begin{{tabular}}{{{columns}}}", *body, r"\end{tabular}", ""])


def notes(evaluation: Evaluation) -> Iterator[str]:
    """Say what the means of a run are over, and what is not in them."""
    count = len(evaluation.queries)
    missing, unjudged = evaluation.missing_in_run, evaluation.unjudged_queries
    if evaluation.complete:
        yield f"means over all judged queries: {count:,}"
    else:
        yield f"means over the queries that are both judged and in the run: {count:,}"
    if missing:
        counted = "counted as 0" if evaluation.complete else "left out; --complete counts them as 0"
        yield f"judged and not in the run ({counted}): {len(missing):,}, {some(missing)}"
    if unjudged:
        yield f"in the run and not judged (left out): {len(unjudged):,}, {some(unjudged)}"
    if not any(value for key, value in evaluation.means.items() if key.startswith("judged")):
        yield "none of the first documents is judged, for any query; are these ids of the same collection?"
    if evaluation.dropped_duplicates:
        yield f"{evaluation.dropped_duplicates:,} duplicates dropped, the best score of each document kept"


def _number(value: float | None) -> str:
    return fixed(value, DIGITS)


def _latex(text: str) -> str:
    return re.sub(r"[&%$#_{}~^\\]", lambda found: _LATEX[found[0]], visible(text))
