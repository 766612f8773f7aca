"""Tables and sentences before they are drawn, on a screen or in Markdown; what others wrote is told apart."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Note:
    """A sentence that may end in a list.

    Attributes:
        text: our own words and numbers.
        items: what is listed after a colon, written by others; empty has no colon.
    """

    text: str
    items: tuple[str, ...] = ()


@dataclass(frozen=True)
class ShownTable:
    """Headings, rows, and which of them others wrote.

    Attributes:
        title: our own words.
        headings: one a column.
        rows: as many cells each; without any the table is not drawn, and its notes are.
        foreign: columns whose text is to be shown as it is and never obeyed.
        notes: sentences below it.
    """

    title: str
    headings: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    foreign: tuple[int, ...] = (0,)
    notes: tuple[Note, ...] = ()
