"""Rows for one query and document: which there are, when they are a fault, and which to drop otherwise.

Rows are suspected by a hash of 64 bits while they stream by, and compared only when one was seen twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragproof.ranking.faults import Faults
from ragproof.ranking.padding import squares
from ragproof.ranking.quoting import quoted
from ragproof.ranking.rows import Block, Hashes, Source, each_block


def repeated(hashes: Hashes) -> Hashes:
    """Return the hashes that occur more than once, ascending."""
    ordered = np.sort(hashes)
    again = ordered[1:][ordered[1:] == ordered[:-1]]
    return np.unique(again) if len(again) else again


NO_HASHES: Hashes = np.empty(0, dtype=np.uint64)
NO_ROWS: NDArray[np.int64] = np.empty(0, dtype=np.int64)


class Glimpse(NamedTuple):
    """What is remembered of a block until the next one has gone by."""

    queries: list[str]
    """Each once, in order."""
    of_first: Hashes
    of_last: Hashes
    """The hashes of its first and of its last query."""
    suspected: Hashes
    """The hashes that it has more than once."""


def glimpse(block: Block) -> Glimpse:
    """Look at a block of at least one row."""
    hashes = block.pairs
    names, lengths = block.stretches
    queries = list(dict.fromkeys(names))
    if len(queries) == len(names):
        of_first, of_last = hashes[: lengths[0]], hashes[-lengths[-1] :].copy()
        return Glimpse(queries, of_first, of_last, _repeated_in_each(hashes, lengths))
    of_first, of_last = (hashes[(block.queries == query).to_numpy()] for query in (queries[0], queries[-1]))
    return Glimpse(queries, of_first, of_last, repeated(hashes))


def _repeated_in_each(hashes: Hashes, lengths: NDArray[np.int64]) -> Hashes:
    """Return the hashes that occur more than once in some stretch.

    Half a hash tells the few documents of a stretch apart, sorts in half the time, and leaves the whole hash
    to be asked once in a blue moon.
    """
    for stretches, square in squares(hashes.astype(np.uint32), lengths, np.iinfo(np.uint32).max):
        ordered = np.sort(square, axis=1)
        again = ordered[:, 1:] == ordered[:, :-1]
        if again.any() and (again & (np.arange(1, square.shape[1]) < lengths[stretches][:, None])).any():
            return repeated(hashes)
    return NO_HASHES


class Watch:
    """Sees the blocks of a source go by, and says which pairs of query and document may have come twice.

    A query whose rows stand together lies in one block or in some that follow each other: the hashes of the
    last query alone are kept from block to block. In any other order all of them are needed, and the source
    is read again for them.
    """

    def __init__(self) -> None:
        self._suspected: list[Hashes] = []
        self._seen: set[str] = set()
        self._last: str | None = None
        self._of_last = NO_HASHES
        self._scattered = False

    def see(self, block: Glimpse) -> None:
        """Note the next block."""
        queries = block.queries
        self._suspected.append(block.suspected)
        goes_on = queries[0] == self._last
        if goes_on:
            self._suspected.append(np.intersect1d(self._of_last, block.of_first))
        self._scattered |= not self._seen.isdisjoint(queries[1:] if goes_on else queries)
        self._seen.update(queries)
        alone = goes_on and len(queries) == 1
        self._of_last = np.concatenate([self._of_last, block.of_last]) if alone else block.of_last
        self._last = queries[-1]

    def suspected(self, source: Source) -> Hashes:
        """Return the hashes of pairs that came more than once, ascending, after the last block."""
        if self._scattered:
            everything = list(each_block(source, lambda block: block.pairs))
            return repeated(np.concatenate(everything))
        return np.unique(np.concatenate(self._suspected)) if self._suspected else self._of_last


class Row(NamedTuple):
    """One of several rows for a query and document."""

    number: int
    value: float


Pairs = dict[tuple[str, str], list[Row]]


def find(source: Source, suspected: Hashes) -> Pairs:
    """Read a source again and return every query and document that has several rows, with the rows in order.

    Args:
        source: where the rows come from.
        suspected: the hashes of more than one row, ascending; a few may have met by chance.
    """

    def rows(block: Block) -> list[tuple[tuple[str, str], Row]]:
        return [
            ((block.queries[at], block.documents[at]), Row(block.numbers[at], block.values[at]))
            for at in np.flatnonzero(np.isin(block.pairs, suspected)).tolist()
        ]

    pairs: Pairs = {}
    for found in each_block(source, rows):
        for pair, row in found:
            pairs.setdefault(pair, []).append(row)
    return {pair: several for pair, several in pairs.items() if len(several) > 1}


def refuse(source: Source, pairs: Pairs) -> None:
    """Refuse a run that ranks a document twice, as trec_eval does.

    Raises:
        ConfigurationError: there is one.
    """
    faults = Faults()
    for (query, document), first, again in _repeats(pairs):
        faults.add(
            f"document {quoted(document)} comes again for query {quoted(query)}, after"
            f" {source.place(first.number)}; expected it once, --dedupe (dedupe=True) keeps its best",
            source.place(again.number),
        )
    faults.raise_any(source.name)


def refuse_conflicts(source: Source, pairs: Pairs) -> None:
    """Refuse judgments that contradict each other; the same one twice is harmless.

    Raises:
        ConfigurationError: there are some.
    """
    faults = Faults()
    for (query, document), first, again in _repeats(pairs):
        if first.value != again.value:
            faults.add(
                f"document {quoted(document)} of query {quoted(query)} is judged '{again.value}' here and"
                f" '{first.value}' at {source.place(first.number)}; keep one of the two",
                source.place(again.number),
            )
    faults.raise_any(source.name)


def all_but_the_best(pairs: Pairs) -> NDArray[np.int64]:
    """Return the numbers of the rows to drop, ascending: of each pair the best score stays."""
    return _others(
        {pair: max(rows, key=lambda row: np.float32(row.value)) for pair, rows in pairs.items()}, pairs
    )


def all_but_the_first(pairs: Pairs) -> NDArray[np.int64]:
    """Return the numbers of the rows to drop, ascending: of each pair the first stays."""
    return _others({pair: rows[0] for pair, rows in pairs.items()}, pairs)


def _others(kept: dict[tuple[str, str], Row], pairs: Pairs) -> NDArray[np.int64]:
    numbers = {row.number for rows in pairs.values() for row in rows} - {row.number for row in kept.values()}
    return np.array(sorted(numbers), dtype=np.int64)


def _repeats(pairs: Pairs) -> Iterator[tuple[tuple[str, str], Row, Row]]:
    repeats = [(pair, rows[0], again) for pair, rows in pairs.items() for again in rows[1:]]
    return iter(sorted(repeats, key=lambda repeat: repeat[2].number))
