"""A proof that every line of a text has the same columns, with one separator between them.

Most files are written by a program that separates columns by one blank or one tab. With the proof, they can
be split by a reader that asks no questions; without it, lines are looked at one by one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]

_PROVEN = 1 << 19
"""Bytes proven at a time: they, and what is computed of them, stay in the processor's cache."""
_BOM = b"\xef\xbb\xbf"
_LINE_FEED = ord("\n")


def only_separator(data: bytes, columns: int, assured: int, separators: str) -> str | None:
    """Prove that each line has the columns and no more, none of them empty, and no other control character.

    Args:
        data: whole lines.
        columns: how many columns a line has.
        assured: how many columns the reader itself refuses to find fewer of.
        separators: the characters that may separate them.

    Returns:
        The separator; None when there is no proof.
    """
    line = data[: data.find(b"\n")]
    separator = next((each for each in separators if each.encode() in line), None)
    if separator is None or data.startswith(_BOM):  # which polars would drop
        return None
    text = np.frombuffer(data, dtype=np.uint8)
    first = 0
    while first < len(data):
        last = data.rfind(b"\n", first, first + _PROVEN) + 1 or data.find(b"\n", first) + 1
        lines = text[first:last]
        if not _has_the_counts(lines, ord(separator), columns):
            return None
        if assured < columns and not _has_them_in_each_line(lines, columns):
            return None
        first = last
    return separator


def _has_the_counts(text: Bytes, separator: int, columns: int) -> bool:
    """Say whether lines have the columns on average, none of them empty.

    Where each line is known to have as many at least, each has them exactly.
    """
    blank = text <= ord(" ")
    lines = np.count_nonzero(text == _LINE_FEED)
    return bool(
        np.count_nonzero(text == separator) == lines * (columns - 1)
        and np.count_nonzero(blank) == lines * columns
        and not blank[0]
        and not (blank[1:] & blank[:-1]).any()
    )


def _has_them_in_each_line(text: Bytes, columns: int) -> bool:
    """Say whether each line feed is the last of its line's blanks, counted from the start."""
    places = np.flatnonzero(text <= ord(" "))
    return bool((text[places[columns - 1 :: columns]] == _LINE_FEED).all())
