"""Tables of rankings on a narrow screen."""

from __future__ import annotations

import pytest

from ragproof.cli.rank_screen import fitted
from ragproof.ranking.tables import Grid

GRID = Grid(
    ["measure", "run", "difference", "p", "won"],
    [
        ["map", "a.run", "+0.1000", "unresolvable", "1/0/0"],
        ["ndcg@10", "bb.run", "-0.2000", "0.0500", "2/0/4"],
    ],
    names=2,
)
NAMES = ["measure", "run"]
"""Seven and six characters, and a gap of two behind each: 17 with both. The others take 12, 14 and 7."""


@pytest.mark.parametrize(
    ("why", "width", "parts"),
    [
        ("all fit", 17 + 12 + 14 + 7, [["difference", "p", "won"]]),
        ("one character is missing", 17 + 12 + 14 + 7 - 1, [["difference", "p"], ["won"]]),
        ("the second goes with the third", 40, [["difference"], ["p", "won"]]),
        ("one at a time", 31, [["difference"], ["p"], ["won"]]),
    ],
)
def test_columns_that_do_not_fit_stand_in_a_table_of_their_own(
    why: str, width: int, parts: list[list[str]]
) -> None:
    """Under the names again; nothing is cut inside a number."""
    found = list(fitted(GRID, width))
    assert [grid.headings for grid, _ in found] == [NAMES + part for part in parts], why
    assert [whole for _, whole in found] == parts
    together = [[cell for grid, _ in found for cell in grid.rows[at][2:]] for at in range(2)]
    assert together == [row[2:] for row in GRID.rows]
    assert all(row[:2] == GRID.rows[at][:2] for grid, _ in found for at, row in enumerate(grid.rows))


def test_long_names_are_folded_before_numbers_are() -> None:
    """They take half of the screen at most; a heading that is wider than the rest is folded itself."""
    grid = Grid(["measure", "p", "x" * 60], [["m" * 200, "0.0500", "0.1"]])
    assert [whole for _, whole in fitted(grid, 60)] == [["p"], []]


def test_a_table_without_rows_is_its_headings() -> None:
    """As it is of a run without queries."""
    ((grid, whole),) = fitted(Grid(["query", "map"], []), 80)
    assert (grid.headings, grid.rows, whole) == (["query", "map"], [], ["map"])
