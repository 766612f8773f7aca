"""Printing for people: tables on a terminal, plain aligned text in a pipe, errors on stderr.

Nothing printed here is read as markup, and foreign text goes through `visible` first.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.console import Console, JustifyMethod
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from ragproof.errors import ConfigurationError, RagproofError
from ragproof.reports.visible import visible, visible_lines

if TYPE_CHECKING:
    pass

PIPE_COLUMNS = 100_000
"""A pipe has no width, and a name cut to 80 columns is of no use to the next program."""
NUMBERS = ("mean", "p50", "p95", "rank", "cases", "failed")
"""Headings of columns that are read by their right edge."""


def console(*, stderr: bool = False) -> Console:
    """Return a console on stdout or stderr: wrapped and styled on a terminal, neither in a pipe."""
    stream = sys.stderr if stderr else sys.stdout
    terminal = stream.isatty()
    return Console(
        file=stream,
        force_terminal=terminal,
        width=None if terminal else PIPE_COLUMNS,
        markup=False,
        emoji=False,
        highlight=False,
    )


def fail(error: RagproofError) -> int:
    """Print every fault of an error, a line each, on stderr.

    Returns:
        The error's exit code.
    """
    faults = error.faults if isinstance(error, ConfigurationError) else (str(error),)
    for fault in faults:
        console(stderr=True).print(
            Text("error: ", style="bold red").append(visible(str(fault)), style="default")
        )
    return error.exit_code


def say(text: str = "", style: str = "") -> None:
    """Print a line of our own words."""
    console().print(Text(text, style=style))


def heading(text: str) -> None:
    """Print a heading with an empty line before it."""
    say(f"\n{text}", "bold")


def pairs(rows: Iterable[tuple[str, str]]) -> None:
    """Print labels with their values, aligned; values may be foreign text."""
    grid = Table.grid(padding=(0, 2))
    for label, value in rows:
        grid.add_row(Text(label, style="dim"), Text(visible(value)))
    draw(grid)


def block(label: str, text: str) -> None:
    """Print foreign text line by line under a heading."""
    heading(label)
    for line in visible_lines(text) or ("",):
        console().print(Text(f"  {line}"))


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], whole: Sequence[str] = ()) -> None:
    """Print a table.

    Args:
        headings: one a column.
        rows: as many cells each; cells may be foreign text.
        whole: headings of the columns that a terminal folds last.
    """
    draw(laid_out(headings, rows, whole))


def laid_out(headings: Sequence[str], rows: Iterable[Sequence[str]], whole: Sequence[str]) -> Table:
    """Lay a table out, to see whether it fits before it is drawn; arguments as `table`."""
    box = SIMPLE_HEAD if sys.stdout.isatty() else None
    drawn = Table(box=box, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0) if box else (0, 1))
    for each in headings:
        justify: JustifyMethod = "right" if each in NUMBERS else "left"
        drawn.add_column(each, no_wrap=each in whole, overflow="fold", justify=justify)
    for row in rows:
        drawn.add_row(*(Text(visible(cell)) for cell in row))
    return drawn


def draw(table: Table) -> None:
    """Draw what was laid out; lines in a pipe end where their text ends."""
    screen = console()
    if screen.is_terminal:
        screen.print(table)
        return
    with screen.capture() as captured:
        screen.print(table)
    for line in captured.get().splitlines():
        sys.stdout.write(line.rstrip() + "\n")


def fits(table: Table) -> bool:
    """Say whether the screen is wide enough for a table without folding."""
    screen = console()
    unbounded = screen.options.update(max_width=PIPE_COLUMNS)
    return Measurement.get(screen, unbounded, table).maximum <= screen.width
