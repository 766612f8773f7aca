"""Delimited text cut into records of cells, each with the line it begins on.

Convention: RFC 4180, with any delimiter, the line end of the first line, and spaces around a quoted cell; a
quotation mark inside an unquoted cell is text. Python's `csv` says neither where a record began nor which
cells were quoted, so ` "a, b"` is torn in two without a word, and it limits cells by a process-wide setting.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

DELIMITERS = (",", ";", "\t")

_ANY_BREAK = re.compile(r"\r\n|\r|\n")
_OPENING = re.compile(r' *"')
_QUOTED = re.compile(r' *"([^"]*(?:""[^"]*)*)" *')


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


@dataclass(frozen=True, slots=True)
class _Style:
    delimiter: str
    spaced: bool
    line_break: re.Pattern[str]
    unquoted: re.Pattern[str]

    def trimmed(self, cell: str) -> str:
        return cell.lstrip(" ") if self.spaced else cell


def records(text: str, delimiter: str, *, spaced: bool = False) -> Iterator[Record | Torn]:
    """Cut a text into records; empty lines are passed over.

    Args:
        text: without a byte order mark.
        delimiter: one of `DELIMITERS`.
        spaced: whether spaces after a delimiter belong to it, and not to the cell.
    """
    style = _style(text, delimiter, spaced)
    at, line = 0, 1
    while at < len(text):
        end = style.line_break.search(text, at)
        stop, after = end.span() if end else (len(text), len(text))
        if '"' in text[at:stop]:
            found, after = _quoted_record(text, at, line, style)
            yield found
        elif stop > at:
            yield Record(line, tuple(style.trimmed(cell) for cell in text[at:stop].split(delimiter)))
        line += len(style.line_break.findall(text, at, after))
        at = after


def _style(text: str, delimiter: str, spaced: bool) -> _Style:
    first = _ANY_BREAK.search(text)
    if first is not None and first[0] == "\r":
        return _Style(delimiter, spaced, _ANY_BREAK, re.compile(rf"[^{delimiter}\r\n]*"))
    # A carriage return alone is text here, and Python's csv writes it without quotation marks.
    return _Style(delimiter, spaced, re.compile(r"\r?\n"), re.compile(rf"(?:[^{delimiter}\r\n]|\r(?!\n))*"))


def _quoted_record(text: str, at: int, line: int, style: _Style) -> tuple[Record | Torn, int]:
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
            stop = _end(style.unquoted, text, at)
            cells.append(style.trimmed(text[at:stop]))
            at = stop
        if text.startswith(style.delimiter, at):
            at += 1
        elif at == len(text) or style.line_break.match(text, at):
            return Record(line, tuple(cells)), _end(style.line_break, text, at)
        else:
            told = (
                "text follows the closing quotation mark; expected each quotation mark inside to be doubled"
            )
            following = style.line_break.search(text, at)
            return Torn(line, len(cells) - 1, told), following.end() if following else len(text)


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at
