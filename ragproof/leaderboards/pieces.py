"""What a page is made of, before it is text or Markdown: lines and tables in which foreign text is marked.

A page is worded once; how foreign text is made safe is up to whoever draws it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ragproof.reports import markdown_text


@dataclass(frozen=True)
class Foreign:
    """Text that others wrote: names, tags, reasons, values of a configuration."""

    text: str


Words = str | Foreign
Line = Sequence[Words]
"""One sentence; its parts are joined without a blank."""


@dataclass(frozen=True)
class Heading:
    """What a part of the page is about."""

    words: Line


@dataclass(frozen=True)
class Grid:
    """A table.

    Attributes:
        headings: one a column.
        rows: as many cells each.
        halves: the same table as two of fewer columns, for a narrow screen; empty when it is narrow itself.
    """

    headings: Sequence[Words]
    rows: Sequence[Sequence[Words]]
    halves: Sequence[Grid] = ()


Piece = Heading | Grid | Sequence[Words]


def listed(texts: Iterable[Words], most: int) -> tuple[Words, ...]:
    """Write out the first few with commas, and how many more there are; empty for none."""
    every = tuple(texts)
    parts = [part for text in every[:most] for part in (", ", text)][1:]
    return (*parts, f", and {len(every) - most} more") if len(every) > most else tuple(parts)


def joined(words: Line, safe: Callable[[str], str]) -> str:
    """Join a line, its foreign parts made safe."""
    return "".join(safe(part.text) if isinstance(part, Foreign) else part for part in words)


def markdown(pieces: Iterable[Piece]) -> str:
    """Draw a page as Markdown in which foreign text can be nothing but text."""
    drawn = []
    for piece in pieces:
        if isinstance(piece, Heading):
            drawn.append(f"## {joined(piece.words, markdown_text.code)}\n")
        elif isinstance(piece, Grid):
            cells = [[joined((cell,), markdown_text.code) for cell in row] for row in piece.rows]
            headings = [joined((heading,), markdown_text.code) for heading in piece.headings]
            drawn.append(markdown_text.table(headings, cells))
        else:
            drawn.append(f"{joined(piece, markdown_text.code)}\n")
    return "\n".join(drawn)
