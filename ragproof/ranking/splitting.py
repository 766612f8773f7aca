"""Lines of text split into columns: at ASCII white space, or at tabs, and nowhere else.

Most files are written by a program, with one separator throughout. Those are split by polars, after a proof
that every line of the block has the same columns; any other block is split line by line, which reads whatever
trec_eval reads and says what is wrong with the rest. False friend: `str.split()` breaks ids at U+00A0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import polars as pl

from ragproof.ranking import values
from ragproof.ranking.faults import Faults
from ragproof.ranking.regularity import only_separator
from ragproof.ranking.rows import Block, block


@dataclass(frozen=True)
class Layout:
    """Which columns a line has."""

    told: tuple[str, ...]
    document: int
    value: int
    gains: bool = False
    """The value is a whole number, not a score."""
    more: bool = False
    """Further columns may follow, and are ignored."""
    tabs: bool = False
    """Columns are separated by one tab each, and not by any white space."""

    @property
    def columns(self) -> int:
        """How many columns there are."""
        return len(self.told)


RUN = Layout(("query", "Q0", "document", "rank", "score", "tag"), document=2, value=4, more=True)
QRELS = Layout(("query", "0", "document", "relevance"), document=2, value=3, gains=True)
BEIR_QRELS = Layout(("query-id", "corpus-id", "score"), document=1, value=2, gains=True, tabs=True)


_LOOK = 1 << 12


def split(data: bytes, first: int, layout: Layout, place: Callable[[int], str]) -> Block:
    """Split some whole lines.

    Args:
        data: lines of UTF-8, each ended by a line feed; blank ones are ignored.
        first: the number of the first line.
        layout: the columns.
        place: says where a line stands.

    Returns:
        The rows, with the faults of the lines that are none.
    """
    data = data.replace(b"\r\n", b"\n") if b"\r\n" in data[:_LOOK] else data
    separators = "\t" if layout.tabs else "\t "
    separator = only_separator(data, layout.columns, separators)
    frame = None if separator is None else _parsed(data, separator, layout)
    if frame is None:
        return _line_by_line(data, first, layout, place)
    return block(*frame, numbers=range(first, first + len(frame[0])))


def _parsed(data: bytes, separator: str, layout: Layout) -> tuple[pl.Series, pl.Series, pl.Series] | None:
    """Split proven lines; None when a value is none, or a text is not UTF-8."""
    schema: dict[str, Any] = {str(column): pl.String for column in range(layout.columns)}
    schema[str(layout.value)] = pl.Int32 if layout.gains else pl.Float64
    lines = pl.scan_csv(data, has_header=False, separator=separator, quote_char=None, schema=schema)
    wanted = ["0", str(layout.document), str(layout.value)]
    try:
        queries, documents, found = lines.select(wanted).collect().get_columns()
    except pl.exceptions.PolarsError:
        return None
    if found.has_nulls() or (not layout.gains and found.is_nan().any()):
        return None
    return queries, documents, found


def _line_by_line(data: bytes, first: int, layout: Layout, place: Callable[[int], str]) -> Block:
    faults = Faults()
    rows: list[tuple[str, str, float]] = []
    numbers: list[int] = []
    for number, line in enumerate(data.split(b"\n"), start=first):
        if line.isspace() or not line:
            continue
        try:
            rows.append(_row(line, layout))
            numbers.append(number)
        except UnicodeDecodeError:
            faults.add(
                "the line is not UTF-8, expected a file in UTF-8; `iconv -t UTF-8` converts it", place(number)
            )
        except ValueError as error:
            faults.add(str(error), place(number))
    queries, documents, found = zip(*rows, strict=True) if rows else ((), (), ())
    dtype = pl.Int32 if layout.gains else pl.Float64
    columns = (
        pl.Series(queries, dtype=pl.String),
        pl.Series(documents, dtype=pl.String),
        pl.Series(found, dtype=dtype),
    )
    return block(*columns, numbers, faults)


def _row(line: bytes, layout: Layout) -> tuple[str, str, float]:
    """Read one line.

    Raises:
        ValueError: it is none, in words.
    """
    columns = line.rstrip(b"\r").split(b"\t") if layout.tabs else line.split()
    if len(columns) < layout.columns or (len(columns) > layout.columns and not layout.more):
        raise ValueError(_wrong_columns(len(columns), layout))
    if b"\0" in line:
        raise ValueError("the line has a NUL byte, expected text")
    value = _gain(columns[layout.value]) if layout.gains else _score(columns[layout.value])
    return columns[0].decode(), columns[layout.document].decode(), value


def _score(text: bytes) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if number != number or b"_" in text:
        raise ValueError(values.no_score(text.decode(errors="replace")))
    return number


def _gain(text: bytes) -> int:
    try:
        gain = None if b"_" in text else values.gain(float(text))
    except ValueError:
        gain = None
    if gain is None:
        raise ValueError(values.no_gain(text.decode(errors="replace")))
    return gain


def _wrong_columns(count: int, layout: Layout) -> str:
    separated = " separated by tabs" if layout.tabs else ""
    noun = "column" if count == 1 else "columns"
    cure = "; add the name of the run at its end" if layout is RUN and count == RUN.columns - 1 else ""
    told = f"{layout.columns}{separated}: {', '.join(layout.told)}"
    return f"the line has {count} {noun}, expected {told}{cure}"
