"""Parquet: columns of our field names, a case a row; read with polars.

Convention: `columns` for what a column may be. Tags, metadata and relevance are structs, maps or JSON text,
and null in them is the same as no entry, because a struct has the keys of every row. Whole numbers are ids.
False friend: pandas keeps a column of whole numbers with a gap as fractions (17.0), and a fraction is no id.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from ragproof.cases import Case
from ragproof.datasets.columns import Table, case_rows
from ragproof.datasets.reader import Reader
from ragproof.datasets.rows import Row, cases_from
from ragproof.datasets.wording import shown
from ragproof.errors import ConfigurationError, Fault

MAGIC = b"PAR1"
_ENTRY = ("key", "value")


class _Unreadable(ValueError):
    """A value that JSON could not hold; the message says which."""


def sniff(path: Path, head: bytes) -> bool:
    """Recognise the format by its first bytes, or by the suffix of a file that has lost them."""
    return head.startswith(MAGIC) or path.suffix.lower() == ".parquet"


def header(path: Path) -> tuple[str, ...]:
    """Return the names of the columns.

    Raises:
        ConfigurationError: as `table`.
    """
    import polars as pl

    with _parquet(path):
        return tuple(pl.read_parquet_schema(path))


def read(path: Path) -> tuple[Case, ...]:
    """Read every row of a file.

    Args:
        path: a Parquet file.

    Returns:
        The cases in file order; never empty.

    Raises:
        ConfigurationError: all that is wrong, each with its row, counted from 1.
        OSError: the file cannot be opened.
    """
    return cases_from(case_rows(table(path)), path.name)


def table(path: Path) -> Table:
    """Read the columns of a file and, one at a time, its rows.

    Raises:
        ConfigurationError: the file is not Parquet, or is damaged.
        OSError: it cannot be opened.
    """
    import polars as pl

    with _parquet(path):
        frame = pl.read_parquet(path, glob=False, hive_partitioning=False)
    maps = {name for name, kind in frame.schema.items() if _is_map(kind)}
    rows = (
        _row(f"{path.name}:row {number}", cells, maps)
        for number, cells in enumerate(frame.iter_rows(named=True), start=1)
    )
    return Table(tuple(frame.columns), path.name, rows)


@contextmanager
def _parquet(path: Path) -> Iterator[None]:
    """Tell what polars says of a file that it cannot read."""
    import polars as pl  # here and above: a quarter of a second that other formats should not cost

    with path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise ConfigurationError(
                [Fault("the file is not Parquet; set dataset.format to what it is", path.name)]
            )
    try:
        yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        message = "the file is damaged and cannot be read as Parquet; write it again"
        raise ConfigurationError([Fault(message, path.name)]) from error


def _is_map(kind: object) -> bool:
    """Tell a map column, which polars reads as lists of keys and values."""
    import polars as pl

    inner = kind.inner if isinstance(kind, pl.List) else None
    return isinstance(inner, pl.Struct) and tuple(field.name for field in inner.fields) == _ENTRY


def _row(place: str, cells: dict[str, object], maps: Collection[str]) -> Row:
    fields: dict[str, object] = {}
    wrong: dict[str, str] = {}
    for name, cell in cells.items():
        try:
            value = _object(cell) if name in maps and isinstance(cell, list) else cell
            fields[name] = None if value == "" else _plain(value)
        except _Unreadable as error:
            wrong[name] = f": {error}"
    return Row(place, fields, wrong=wrong)


def _object(entries: list[dict[str, object]]) -> dict[str, object]:
    found = {str(entry["key"]): entry["value"] for entry in entries}
    if len(found) < len(entries):
        raise _Unreadable("a key is given twice in one map; expected each key once")
    return found


def _plain(value: object) -> object:
    match value:
        case None | bool() | int() | str():
            return value
        case float() if math.isfinite(value):
            return value
        case datetime.date() | datetime.time():
            return value.isoformat()
        case list():
            return [_plain(entry) for entry in value]
        case dict():
            return {name: _plain(entry) for name, entry in value.items() if entry is not None}
    raise _Unreadable(f"{shown(value)} is not allowed; expected text, finite numbers, lists or structs")


READER = Reader(name="parquet", version=1, sniff=sniff, read=read)
