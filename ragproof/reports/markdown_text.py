"""Markdown that foreign text cannot break out of.

All text that is not ours stands in a code span: no link, image, HTML, emphasis or automatic link is read
there (GitHub's and Prefect's renderers turn a bare `https://` into a link even when it is backslash-escaped).
False friend: HTML escaping, which a Markdown renderer undoes before it looks for links.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ragproof.reports.visible import excerpt

EMPTY = "*(empty)*"


def code(text: str, length: int = 300) -> str:
    """Put foreign text into a code span on one line.

    Args:
        text: anything.
        length: at most so many characters of it.

    Returns:
        A span whose fence is longer than any run of backticks inside; `EMPTY` when nothing would show.
    """
    shown = excerpt(text, length)
    if not shown:
        return EMPTY
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", shown)), default=0))
    pad = " " if "`" in (shown[0], shown[-1]) else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table.

    Args:
        headings: one a column, our own words.
        rows: as many cells each, made of our own words and of `code`.

    Returns:
        Lines ending in a line break.
    """
    lines = [headings, ["---"] * len(headings), *rows]
    return "".join(f"| {' | '.join(map(_cell, cells))} |\n" for cells in lines)


def _cell(text: str) -> str:
    # A table is cut at its pipes before code spans are read. A backslash before a pipe would escape the
    # escape in some renderers and not in others, so the two are set apart.
    return re.sub(r"(\\?)\|", lambda found: r"\ \|" if found[1] else r"\|", text)
