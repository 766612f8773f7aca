"""A leaderboard on the screen."""

from __future__ import annotations

from collections.abc import Iterable

from ragproof.cli import screen
from ragproof.leaderboards.pieces import Grid, Heading, Piece, joined
from ragproof.reports.visible import visible


def show(pieces: Iterable[Piece]) -> None:
    """Print a page; a table that is wider than the screen is printed as its halves."""
    before: Piece | None = None
    for piece in pieces:
        if before is not None and (isinstance(piece, Heading) or _apart(before, piece)):
            screen.say()
        if isinstance(piece, Heading):
            screen.say(joined(piece.words, visible), "bold")
        elif isinstance(piece, Grid):
            _table(piece)
        else:
            screen.say(joined(piece, visible))
        before = piece


def _apart(before: Piece, piece: Piece) -> bool:
    """Say whether an empty line comes between: a table stands apart, except under its own heading."""
    return Grid in (type(before), type(piece)) and not isinstance(before, Heading)


def _table(grid: Grid) -> None:
    headings = [joined((heading,), visible) for heading in grid.headings]
    rows = [[joined((cell,), visible) for cell in row] for row in grid.rows]
    drawn = screen.laid_out(headings, rows, headings)
    if screen.fits(drawn) or not grid.halves:
        screen.table(headings, rows)
        return
    for number, half in enumerate(grid.halves):
        if number:
            screen.say()
        _table(half)
