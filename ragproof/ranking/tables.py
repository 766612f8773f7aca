"""Evaluations of rankings as tables: aligned text, Markdown or LaTeX, with the four digits of trec_eval."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ragproof.ranking.evaluation import Evaluation
from ragproof.ranking.quoting import some
from ragproof.reports import markdown_text
from ragproof.reports.rounding import fixed
from ragproof.reports.visible import visible

DIGITS = 4
"""As many as trec_eval prints."""
DAGGER = "†"
_LATEX = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    DAGGER: r"\dag{}",
}
_OBEYED = re.compile("|".join(map(re.escape, _LATEX)))


class Marked(str):
    """A number with a mark beside it: letters, or a dagger; text shows both with a space between."""

    number: str
    mark: str

    def __new__(cls, number: str, mark: str) -> Marked:
        """Join them; without a mark it is the number."""
        marked = super().__new__(cls, f"{number} {mark}" if mark else number)
        marked.number, marked.mark = number, mark
        return marked


class Grid(NamedTuple):
    """A table in words: the first columns hold names, foreign ones among them, the others our own numbers."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    names: int = 1
    """How many columns of names there are."""


def means(evaluations: Mapping[str, Evaluation], marks: Mapping[str, Sequence[str]] | None = None) -> Grid:
    """Put runs side by side: a row a run, a column a measure.

    Args:
        evaluations: of each run by name.
        marks: by measure, what stands beside the mean of each run, in order; a measure may have none.
    """
    keys = list(next(iter(evaluations.values())).means)
    beside = {key: (marks or {}).get(key, [""] * len(evaluations)) for key in keys}
    rows = [
        [name, *(Marked(_number(run.means[key]), beside[key][place]) for key in keys)]
        for place, (name, run) in enumerate(evaluations.items())
    ]
    return Grid(["run", *keys], rows)


def queries(evaluation: Evaluation) -> Grid:
    """Lay out a run's queries: a row a query, a column a measure."""
    rows = [[query, *map(_number, values.values())] for query, values in evaluation.by_query().items()]
    return Grid(["query", *evaluation.means], rows)


def turned(grid: Grid) -> Grid:
    """Make rows of columns, so that many measures and few runs fit on a screen."""
    columns = list(zip(grid.headings, *grid.rows, strict=True))
    return Grid(["measure", *map(visible, columns[0][1:])], columns[1:])


def markdown(grid: Grid) -> str:
    """Write a Markdown table."""
    rows = [[*map(markdown_text.code, row[: grid.names]), *row[grid.names :]] for row in grid.rows]
    return markdown_text.table(grid.headings, rows)


def latex(grid: Grid, caption: Iterable[str] = ()) -> str:
    """Write a LaTeX tabular, with the rules of the booktabs package.

    Args:
        grid: the table.
        caption: sentences in plain text, foreign names in them; with any, the tabular stands in a table.
    """
    rows = [
        [*map(latex_text, row[: grid.names]), *map(_latex_number, row[grid.names :])]
        for row in (grid.headings, *grid.rows)
    ]
    lines = [" & ".join(cells) + r" \\" for cells in rows]
    columns = "l" * grid.names + "r" * (len(grid.headings) - grid.names)
    body = [r"\toprule", lines[0], r"\midrule", *lines[1:], r"\bottomrule"]
    tabular = [f"\\begin{{tabular}}{{{columns}}}", *body, r"\end{tabular}"]
    told = " ".join(f"{latex_text(sentence[:1].upper() + sentence[1:])}." for sentence in caption)
    if told:
        tabular = [r"\begin{table}", r"\centering", *tabular, f"\\caption{{{told}}}", r"\end{table}"]
    return "\n".join([*tabular, ""])


def latex_text(text: str) -> str:
    """Write text so that LaTeX obeys nothing in it; a mark becomes a superscript."""
    if isinstance(text, Marked) and text.mark:
        return f"{latex_text(text.number)}\\textsuperscript{{{latex_text(text.mark)}}}"
    return re.sub(_OBEYED, lambda found: _LATEX[found[0]], visible(text))


def notes(evaluation: Evaluation) -> Iterator[str]:
    """Say what the means of a run are over, and what is not in them."""
    count = len(evaluation.queries)
    if evaluation.complete:
        yield f"means over all judged queries: {count:,}"
    else:
        yield f"means over the queries that are both judged and in the run: {count:,}"
    yield from left_out(evaluation)


def left_out(evaluation: Evaluation) -> Iterator[str]:
    """Say what is not in the means of a run, and what makes them doubtful."""
    missing, unjudged = evaluation.missing_in_run, evaluation.unjudged_queries
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


def _latex_number(text: str) -> str:
    # A hyphen is no minus sign in print.
    return re.sub(r"(?<![\w.])-(?=\d)", "$-$", latex_text(text))
