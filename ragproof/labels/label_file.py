"""A file of labels, a verdict a row: JSON Lines or CSV.

`case_id`, `metric` and `value`; where they are known `labeller`, `run_id` and `trial`; and `question` and
`answer` as the labeller was shown them, which are then held against the run's. False friend: the label file
of `ragproof calibrate`, which brings its own answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ragproof.datasets import csv, jsonl
from ragproof.datasets.columns import name_faults
from ragproof.datasets.rows import Row
from ragproof.errors import ConfigurationError, Fault
from ragproof.labels.fields import FIELDS, REQUIRED, TRIAL, VALUE, LabelRow, number_in, read, unknown

_TABLES = (".csv", ".tsv")
_LINES = (".jsonl", ".ndjson")
_HEAD_BYTES = 4096


def rows(path: Path) -> Iterator[LabelRow | Fault]:
    """Read a file, a row at a time.

    Args:
        path: UTF-8; what it holds is told by its suffix, and without a known one by its first character.

    Yields:
        Rows in file order, and in place of each that cannot be read what is wrong with it.

    Raises:
        ConfigurationError: the file is not there, or it is no such text at all.
    """
    try:
        for found in _table(path) if _is_table(path) else jsonl.rows(path, path.name):
            yield from [found] if isinstance(found, Fault) else _read(found)
    except OSError as error:
        told = (error.strerror or type(error).__name__).lower()
        raise ConfigurationError(
            f"labels '{path}' cannot be read: {told}; expected a file of JSON lines or CSV"
        ) from error


def _is_table(path: Path) -> bool:
    suffix = path.suffix.lower()
    if suffix in (*_TABLES, *_LINES):
        return suffix in _TABLES
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
    return not head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith((b"{", b"["))


def _table(path: Path) -> Iterator[Row | Fault]:
    """Yield a CSV's rows; an unknown column is told once, and a missing one instead of every row."""
    table = csv.table(path)
    yield from (Fault(unknown(name), table.place) for name in table.names if name and name not in FIELDS)
    missing = [name for name in REQUIRED if name not in table.names]
    for name in missing:
        yield Fault(f"there is no column '{name}'; expected one in the header", table.place)
    if missing:
        yield from name_faults(table.names, table.place)
        return
    for row in table.rows:
        yield row if isinstance(row, Fault) else _cells(row)


def _cells(row: Row) -> Row:
    ours = {name: cell for name, cell in row.fields.items() if name in FIELDS}
    numbers = {name: number_in(ours[name]) for name in (VALUE, TRIAL) if ours.get(name) is not None}
    return Row(row.place, {**ours, **numbers})


def _read(row: Row) -> Iterator[LabelRow | Fault]:
    strangers = [name for name in row.fields if name not in FIELDS]
    yield from (Fault(unknown(name), row.place) for name in strangers)
    ours = Row(row.place, {name: row.fields[name] for name in row.fields if name not in strangers})
    found, wrong = read(ours)
    yield from (Fault(message, row.place) for message in wrong)
    if found is not None and not strangers:
        yield found
