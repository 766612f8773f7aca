"""Polars and pandas frames, and Parquet files, with a row for each ranked or judged document.

Columns may be named as PyTerrier names them (qid, docno, score, label) or as ir_measures or BEIR do. Ids that
are whole numbers are read as the texts they would be written as.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import polars as pl

from ragproof.errors import ConfigurationError, Fault
from ragproof.ranking import naming, values
from ragproof.ranking.faults import Faults
from ragproof.ranking.quoting import quoted
from ragproof.ranking.rows import Block, block


class PandasFrame(Protocol):
    """What is asked of a pandas frame; pandas itself is the user's, and need not be installed."""

    @property
    def columns(self) -> Any:
        """The names of its columns."""

    def __getitem__(self, column: str, /) -> Any:
        """One column."""


@dataclass(frozen=True)
class FrameSource:
    """A frame of three columns: query, document, value."""

    frame: pl.DataFrame
    name: str
    gains: bool
    rows: int = 1 << 16
    """How many rows a block has."""

    def place(self, number: int) -> str:
        """Say where a row stands, counted from 1."""
        return f"{self.name}, row {number}"

    def loads(self) -> Iterator[Callable[[], Block]]:
        """Yield what checks the next rows."""
        for first in range(0, self.frame.height, self.rows):
            yield partial(self._block, first)

    def _block(self, first: int) -> Block:
        queries, documents, found = self.frame.slice(first, self.rows).get_columns()
        faults = Faults()
        usable = np.ones(len(found), dtype=bool)
        for column, kind in ((queries, "query"), (documents, "document")):
            for at in np.flatnonzero(column.is_null()).tolist():
                faults.add(f"the {kind} is missing, expected a text", self.place(first + at + 1))
                usable[at] = False
        read, say = (_gains, values.no_gain) if self.gains else (_scores, values.no_score)
        numbers = read(found)
        for at in np.flatnonzero(numbers.is_null()).tolist():
            faults.add(say(found[at]), self.place(first + at + 1))
            usable[at] = False
        places = range(first + 1, first + len(found) + 1)
        if not faults:
            return block(queries, documents, numbers, places)
        chosen = pl.Series(usable)
        queries, documents, numbers = (column.filter(chosen) for column in (queries, documents, numbers))
        return block(queries, documents, numbers, np.asarray(places)[usable].tolist(), faults)


def from_polars(frame: pl.DataFrame, name: str, gains: bool) -> FrameSource:
    """Take the three columns of a polars frame.

    Args:
        frame: with a column each for query, document and value, under one of the names of `naming`.
        name: what messages call it.
        gains: whether the value is a relevance, not a score.

    Raises:
        ConfigurationError: a column is missing or of another kind; all of them at once.
    """
    return _source(frame.select(_wanted(frame.columns, name, gains)), name, gains)


def from_pandas(frame: PandasFrame, name: str, gains: bool) -> FrameSource:
    """Take the three columns of a pandas frame; arguments as of `from_polars`."""
    query, document, value = _wanted([str(column) for column in frame.columns], name, gains)
    columns = [_ids(frame[query]), _ids(frame[document]), _numbers(frame[value])]
    return _source(pl.DataFrame(columns), name, gains)


def from_mapping(qrels: Mapping[str, Mapping[str, int]], name: str) -> FrameSource:
    """Copy judgments out of dictionaries; ids must be texts.

    Raises:
        ConfigurationError: an id or a gain is none; all faults of one kind at once.
    """
    rows = [(query, document, gain) for query, gains in qrels.items() for document, gain in gains.items()]
    faults = Faults()
    for query, document, gain in rows:
        where = f"{name}, query {quoted(query)}, document {quoted(document)}"
        if not (isinstance(query, str) and isinstance(document, str)):
            faults.add("an id is no text, as in files and frames; write ids as texts", where)
        elif values.gain(gain) is None:
            faults.add(values.no_gain(gain), where)
    faults.raise_any(name)
    columns = zip(*rows, strict=True) if rows else ((), (), ())
    dtypes = (pl.String, pl.String, pl.Int32)
    wanted = zip(("query", "document", "relevance"), columns, dtypes, strict=True)
    return FrameSource(pl.DataFrame([pl.Series(*column) for column in wanted]), name, gains=True)


def from_parquet(path: Path, gains: bool) -> FrameSource:
    """Take the three columns of a Parquet file; other arguments as of `from_polars`."""
    try:
        file = pl.scan_parquet(path)
        frame = file.select(_wanted(file.collect_schema().names(), str(path), gains)).collect()
    except pl.exceptions.PolarsError as error:
        raise ConfigurationError([Fault(f"the Parquet file cannot be read: {error}", str(path))]) from error
    return _source(frame, str(path), gains)


def _wanted(there: list[str], name: str, gains: bool) -> list[str]:
    value = ("relevance", naming.GAIN) if gains else ("score", naming.SCORE)
    faults = Faults()
    wanted = []
    for kind, names in (("query", naming.QUERY), ("document", naming.DOCUMENT), value):
        column = naming.pick(there, names)
        if column is None:
            faults.add(naming.no_column(there, names, kind), name)
        else:
            wanted.append(column)
    faults.raise_any(name)
    return wanted


def _source(frame: pl.DataFrame, name: str, gains: bool) -> FrameSource:
    faults = Faults()
    ids = []
    *texts, value = frame.get_columns()
    for column in texts:
        if column.dtype.is_integer() or column.dtype in (pl.String, pl.Categorical, pl.Enum):
            ids.append(column.cast(pl.String))
        else:
            faults.add(f"column '{column.name}' holds {column.dtype}, expected texts", name)
    if not (value.dtype.is_numeric() or (gains and value.dtype == pl.Boolean)):
        faults.add(f"column '{value.name}' holds {value.dtype}, expected numbers", name)
    faults.raise_any(name)
    return FrameSource(pl.DataFrame([*ids, value]), name, gains)


def _scores(found: pl.Series) -> pl.Series:
    return found.cast(pl.Float64, strict=False).fill_nan(None)


def _gains(found: pl.Series) -> pl.Series:
    whole = found.cast(pl.Int32, strict=False)
    if found.dtype.is_integer() or found.dtype == pl.Boolean:
        return whole
    return whole.set(whole != found, None)


def _ids(column: Any) -> pl.Series:
    """Copy ids; what is neither a text nor a whole number is missing."""
    if getattr(column.dtype, "kind", "O") in "fcmM":
        return pl.Series(str(column.name), column.to_numpy())
    try:
        return pl.Series(str(column.name), [_id(value) for value in column.tolist()], dtype=pl.String)
    except UnicodeEncodeError:
        told = f"column '{column.name}' has half a surrogate pair in it, expected texts"
        raise ConfigurationError(told) from None


def _id(value: Any) -> str | None:
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def _numbers(column: Any) -> pl.Series:
    if getattr(column.dtype, "kind", "O") not in "iufb":
        raise ConfigurationError(f"column '{column.name}' holds {column.dtype}, expected numbers")
    return pl.Series(str(column.name), column.to_numpy(dtype="float64", na_value=float("nan")))
