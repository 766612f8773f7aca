"""Tables of rankings on a screen: where one is too wide it is cut between columns, never inside a number."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len

from ragproof.cli import screen
from ragproof.ranking.tables import Grid
from ragproof.reports.visible import visible

_GAP = 2
"""Columns stand at least so far apart."""


def table(grid: Grid) -> None:
    """Print a table, in several where the screen is too narrow; each repeats the columns of names."""
    for number, (part, whole) in enumerate(fitted(grid, screen.console().width)):
        if number:
            screen.say()
        screen.table(part.headings, part.rows, whole)


def fitted(grid: Grid, width: int) -> Iterator[tuple[Grid, list[str]]]:
    """Cut a table into several that fit.

    Args:
        grid: the table.
        width: of the screen, in characters.

    Yields:
        As many of its columns at a time as fit beside the names, at least one, and the headings of those that
        fit whole; the others and the names are folded.
    """
    widths = [
        _GAP + max(map(cell_len, map(visible, column)))
        for column in zip(grid.headings, *grid.rows, strict=True)
    ]
    # Long names are folded before numbers are sent away from each other.
    names = min(sum(widths[: grid.names]), width // 2)
    first = grid.names
    while first < len(widths):
        last = first + 1
        while last < len(widths) and names + sum(widths[first : last + 1]) <= width:
            last += 1
        whole = [grid.headings[at] for at in range(first, last) if names + widths[at] <= width]
        yield _columns(grid, first, last), whole
        first = last


def _columns(grid: Grid, first: int, last: int) -> Grid:
    headings, *rows = ([*row[: grid.names], *row[first:last]] for row in (grid.headings, *grid.rows))
    return Grid(headings, rows, grid.names)
