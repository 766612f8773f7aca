"""Delimited text cut into records of cells, each with the line it begins on.

Convention: RFC 4180, with any delimiter, any line end, and spaces around a quoted cell; a quotation mark
inside an unquoted cell is text. Python's `csv` says neither where a record began nor which cells were quoted,
so that ` "a, b"` is torn in two without a word, and it limits cells by a setting of the whole process.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

DELIMITERS = (",", ";", "\t")

_BREAK = re.compile(r"\r\n|\r|\n")
_OPENING = re.compile(r' *"')
_QUOTED = re.compile(r' *"([^"]*(?:""[^"]*)*)" *')
_UNQUOTED = {each: re.compile(rf"[^{each}\r\n]*") for each in DELIMITERS}


@dataclass(frozen=True, slots=True)
class Record:
    """Cells between two line ends that are in no quotation."""

    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Torn:
    """A record whose cells cannot be told apart, and why."""

    line: int
    cell: int
    """The one that is wrong, from 0."""
    message: str


def records(text: str, delimiter: str, *, spaced: bool = False) -> Iterator[Record | Torn]:
    """Cut a text into records; empty lines are passed over.

    Args:
        text: without a byte order mark.
        delimiter: one of `DELIMITERS`.
        spaced: whether spaces after a delimiter belong to it, and not to the cell.
    """
    at, line = 0, 1
    while at < len(text):
        end = _BREAK.search(text, at)
        stop, after = end.span() if end else (len(text), len(text))
        if '"' in text[at:stop]:
            found, after = _quoted_record(text, at, line, delimiter, spaced)
            yield found
        elif stop > at:
            yield Record(line, tuple(_trimmed(cell, spaced) for cell in text[at:stop].split(delimiter)))
        line += len(_BREAK.findall(text, at, after))
        at = after


def _quoted_record(text: str, at: int, line: int, delimiter: str, spaced: bool) -> tuple[Record | Torn, int]:
    """Cut the record that begins here, and say where the next one begins."""
    cells: list[str] = []
    while True:
        quoted = _QUOTED.match(text, at)
        if quoted is not None:
            cells.append(quoted[1].replace('""', '"'))
            at = quoted.end()
        elif _OPENING.match(text, at):
            told = "a quotation mark is opened and never closed, so the rest of the file cannot be read"
            return Torn(line, len(cells), told), len(text)
        else:
            stop = _end(_UNQUOTED[delimiter], text, at)
            cells.append(_trimmed(text[at:stop], spaced))
            at = stop
        if text.startswith(delimiter, at):
            at += len(delimiter)
        elif at == len(text) or text[at] in "\r\n":
            return Record(line, tuple(cells)), _end(_BREAK, text, at)
        else:
            told = (
                "text follows the closing quotation mark; expected each quotation mark inside to be doubled"
            )
            following = _BREAK.search(text, at)
            return Torn(line, len(cells) - 1, told), following.end() if following else len(text)


def _trimmed(cell: str, spaced: bool) -> str:
    return cell.lstrip(" ") if spaced else cell


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at
