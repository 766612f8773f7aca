"""CSV: a header of our field names, then a case a row; the delimiter is `,`, `;` or a tab.

Convention: `delimited` for the text, `columns` for what a header may hold and what cells mean.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Sequence
from pathlib import Path

from ragproof.cases import Case
from ragproof.datasets.columns import Table, case_rows, name_faults
from ragproof.datasets.decoding import text_of
from ragproof.datasets.delimited import DELIMITERS, Record, Torn, records
from ragproof.datasets.reader import Reader
from ragproof.datasets.rows import Row, cases_from
from ragproof.datasets.wording import named
from ragproof.errors import Fault

_SUFFIXES = (".csv", ".tsv")


def sniff(path: Path, head: bytes) -> bool:
    """Recognise the format by the file's suffix, or by a header with a question among other columns."""
    return path.suffix.lower() in _SUFFIXES or "question" in header(head)


def header(head: bytes) -> tuple[str, ...]:
    """Return the names of the columns; empty when the first line holds fewer than two."""
    text = head.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace")
    names = _names(text, _delimiter(text))
    return names if len(names) > 1 else ()


def read(path: Path) -> tuple[Case, ...]:
    """Read every row of a file.

    Args:
        path: a UTF-8 file, with or without a byte order mark; rows without any cell filled are passed over.

    Returns:
        The cases in file order; never empty.

    Raises:
        ConfigurationError: all that is wrong, each with the line its row begins on.
        OSError: the file cannot be opened.
    """
    return cases_from(case_rows(table(path)), path.name)


def table(path: Path) -> Table:
    """Read the columns of a file and, one at a time, its rows.

    Raises:
        ConfigurationError: the file is not UTF-8 text.
        OSError: it cannot be opened.
    """
    text = text_of(path, path.name)
    delimiter = _delimiter(text)
    first = next(records(text, delimiter), None)
    place = f"{path.name}:{first.line if first else 1}"
    return Table(_names(text, delimiter), place, _rows(text, delimiter, path.name))


def _rows(text: str, delimiter: str, name: str) -> Iterator[Row | Fault]:
    names = _names(text, delimiter)
    for index, found in enumerate(records(text, delimiter, spaced=_is_spaced(text, delimiter))):
        place = f"{name}:{found.line}"
        if isinstance(found, Torn):
            yield Fault(f"{_column(names, found.cell)}: {found.message}", place)
        elif index == 0:
            yield from name_faults(names, place)
        elif len(found.cells) != len(names):
            given = f"{len(found.cells)} cells, and the header has {len(names)}"
            cure = f"put each cell that holds {_in_words(delimiter)} in quotes"
            yield Fault(f"{given}; expected as many: {cure}", place)
        elif any(found.cells):
            yield Row(place, {key: cell or None for key, cell in zip(names, found.cells, strict=True)})


def _delimiter(text: str) -> str:
    """Tell the delimiter from the header: the one that gives it most columns."""
    return max(DELIMITERS, key=lambda delimiter: _columns(next(records(text, delimiter), None)))


def _columns(header: Record | Torn | None) -> int:
    match header:
        case Record():
            return len(header.cells)
        case Torn():
            return header.cell + 1
    return 0


def _is_spaced(text: str, delimiter: str) -> bool:
    """Tell whether the header has a space after each delimiter, as people write lists."""
    following = _first(text, delimiter)[1:]
    return bool(following) and all(name.startswith(" ") for name in following)


def _names(text: str, delimiter: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in _first(text, delimiter))


def _first(text: str, delimiter: str) -> tuple[str, ...]:
    first = next(records(text, delimiter), None)
    return first.cells if isinstance(first, Record) else ()


def _column(names: Sequence[str], cell: int) -> str:
    return named(names[cell]) if cell < len(names) else f"cell {cell + 1}"


def _in_words(delimiter: str) -> str:
    return "a tab" if delimiter == "\t" else f"'{delimiter}'"


READER = Reader(name="csv", version=1, sniff=sniff, read=read)
