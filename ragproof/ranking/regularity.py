"""A proof that every line of a text has the same columns, with one separator between them.

Most files are written by a program that separates columns by one blank or one tab. With the proof, they can
be split by a reader that asks no questions; without it, lines are looked at one by one.
"""

from __future__ import annotations

import numpy as np

_LETTERS = bytes(range(ord(" ") + 1, 256))
"""Whatever is neither white space nor another control character."""
_LOOKED_AT = 1 << 19
"""Bytes compared at a time: they, and what is computed of them, stay in the processor's cache."""
_BOM = b"\xef\xbb\xbf"


def only_separator(data: bytes, columns: int, separators: str) -> str | None:
    """Prove that each line has the columns and no more, none of them empty, and no other control character.

    Args:
        data: whole lines.
        columns: how many columns a line has.
        separators: the characters that may separate them.

    Returns:
        The separator; None when there is no proof.
    """
    if data.startswith(_BOM):  # which polars would drop
        return None
    blanks = data.translate(None, _LETTERS)
    line = blanks[:columns]
    separator = next((each for each in separators if line == each.encode() * (columns - 1) + b"\n"), None)
    if separator is None or blanks != line * (len(blanks) // columns) or _has_an_empty_column(data):
        return None
    return separator


def _has_an_empty_column(data: bytes) -> bool:
    """Say whether a blank begins the text or follows another."""
    text = np.frombuffer(data, dtype=np.uint8)
    for first in range(0, len(text), _LOOKED_AT):
        blank = text[first : first + _LOOKED_AT + 1] <= ord(" ")
        if (blank[1:] & blank[:-1]).any():
            return True
    return bool(text[0] <= ord(" "))
