"""Judgments in columns, from files or frames: the queries in ascending order, and numbered so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ragproof.errors import ConfigurationError
from ragproof.ranking import duplicates
from ragproof.ranking.evaluation import Options
from ragproof.ranking.judged import judged
from ragproof.ranking.matrix import UNJUDGED, Integers, Judged
from ragproof.ranking.rows import Block, Hashes, Source, each_block


@dataclass(frozen=True, eq=False)
class ColumnJudgments:
    """The judgments of one query after the other's."""

    code: Mapping[str, int]
    """The number of each judged query, ascending."""
    ends: Integers
    """How many judgments there are up to and with each query; each has one at least."""
    documents: pl.Series
    gains: NDArray[np.int32]

    def look_up(self, codes: Integers, documents: pl.Series) -> Integers:
        """Return the gain of each document for the query of each number; `UNJUDGED` where there is none.

        Args:
            codes: at least one, in ascending order.
            documents: as many.
        """
        first, stop, rows = self._between(codes)
        numbers = np.repeat(np.arange(first, stop), self._lengths(first, stop))
        known = pl.DataFrame({"code": numbers, "document": self.documents[rows], "gain": self.gains[rows]})
        asked = pl.DataFrame({"code": codes, "document": documents}).with_row_index("row")
        found = asked.join(known, on=["code", "document"], how="inner")
        gains = np.full(len(codes), UNJUDGED)
        gains[found["row"].to_numpy()] = found["gain"].to_numpy()
        return gains

    def judged(self, codes: Integers, options: Options) -> Judged:
        """Return what was judged for the queries of some numbers; at least one, in ascending order."""
        first, stop, rows = self._between(codes)
        whole = judged(self.gains[rows].astype(np.int64), self._lengths(first, stop), options)
        relevant = {level: counts[codes - first] for level, counts in whole.relevant.items()}
        return Judged(whole.ideal[codes - first], relevant)

    def as_mapping(self) -> dict[str, dict[str, int]]:
        """Return the gain of each judged document by query."""
        rows = zip(self.documents.to_list(), self.gains.tolist(), strict=True)
        lengths = zip(self.code, self._lengths(0, len(self.ends)).tolist(), strict=True)
        return {query: dict(islice(rows, length)) for query, length in lengths}

    def _between(self, codes: Integers) -> tuple[int, int, slice]:
        first, stop = int(codes[0]), int(codes[-1]) + 1
        return first, stop, slice(int(self.ends[first - 1]) if first else 0, int(self.ends[stop - 1]))

    def _lengths(self, first: int, stop: int) -> Integers:
        return np.diff(self.ends[first:stop], prepend=self.ends[first - 1] if first else 0)


class _Part(NamedTuple):
    queries: list[str]
    lengths: Integers
    documents: pl.Series
    gains: NDArray[np.int32]
    pairs: Hashes


def read_judgments(source: Source) -> ColumnJudgments:
    """Read judgments.

    Raises:
        ConfigurationError: they cannot be read, hold nothing, or contradict each other; all faults at once.
    """
    parts = list(each_block(source, partial(_part, dropped=duplicates.NO_ROWS)))
    suspected = duplicates.repeated(np.concatenate([duplicates.NO_HASHES, *(part.pairs for part in parts)]))
    if len(suspected):
        pairs = duplicates.find(source, suspected)
        duplicates.refuse_conflicts(source, pairs)
        parts = list(each_block(source, partial(_part, dropped=duplicates.all_but_the_first(pairs))))
    if not any(part.queries for part in parts):
        raise ConfigurationError(f"{source.name}: there is no judgment in it, expected at least one")
    return _joined(parts)


def _part(block: Block, dropped: Integers) -> _Part:
    if len(dropped):
        block = block.only(~np.isin(np.asarray(block.numbers), dropped))
    return _Part(*block.stretches, block.documents, block.values.astype(np.int32), block.pairs)


def _joined(parts: list[_Part]) -> ColumnJudgments:
    ascending = sorted({query for part in parts for query in part.queries})
    code = {query: number for number, query in enumerate(ascending)}
    codes = np.concatenate(
        [np.repeat([code[query] for query in part.queries], part.lengths) for part in parts]
    )
    documents = pl.concat([part.documents for part in parts])
    gains = np.concatenate([part.gains for part in parts])
    if (codes[1:] < codes[:-1]).any():
        order = np.argsort(codes, kind="stable")
        documents, gains = documents.gather(order), gains[order]
    return ColumnJudgments(code, np.cumsum(np.bincount(codes)), documents, gains)
