"""Rows of a run or of judgments as they are read: a block of columns at a time, each row with its number.

A source can be read again from its start, and so needs no memory of what it has given.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Protocol, TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ragproof.ranking.faults import Faults

Result = TypeVar("Result")
Hashes = NDArray[np.uint64]

_WORKERS = 2
"""Reading, splitting and sorting leave the interpreter's lock; more threads would wait for each other."""
_QUERY, _DOCUMENT, _VALUE, _PAIR, _STARTS = "query", "document", "value", "pair", "starts"


@dataclass(frozen=True)
class Block:
    """Some rows; nothing in them is missing."""

    frame: pl.DataFrame
    numbers: Sequence[int]
    """Each row's number in its source, ascending, from 1: of its line, or of a frame's row."""
    faults: Faults = field(default_factory=Faults)
    """What could not be read; those rows are not in the columns."""

    def __len__(self) -> int:
        return self.frame.height

    @property
    def queries(self) -> pl.Series:
        """The query of each row."""
        return self.frame[_QUERY]

    @property
    def documents(self) -> pl.Series:
        """The document of each row."""
        return self.frame[_DOCUMENT]

    @property
    def values(self) -> NDArray[np.float64] | NDArray[np.int32]:
        """Scores as doubles, never NaN; or gains as whole numbers."""
        values: NDArray[np.float64] | NDArray[np.int32] = self.frame[_VALUE].to_numpy()
        return values

    @property
    def pairs(self) -> Hashes:
        """A hash of each row's query and document; equal pairs have equal hashes within a process."""
        hashes: Hashes = self.frame[_PAIR].to_numpy()
        return hashes

    @cached_property
    def stretches(self) -> tuple[list[str], NDArray[np.int64]]:
        """The query and the length of each stretch of rows in which the query stays the same."""
        starts = np.flatnonzero(self.frame[_STARTS].to_numpy())
        return self.queries.gather(starts).to_list(), np.diff(starts, append=len(self))

    def only(self, chosen: NDArray[np.bool_]) -> Block:
        """Return some rows: a truth value for each."""
        if chosen.all():
            return self
        left = self.frame.filter(pl.Series(chosen))
        numbers = np.asarray(self.numbers)[chosen].tolist()
        return block(left[_QUERY], left[_DOCUMENT], left[_VALUE], numbers, self.faults)


def block(
    queries: pl.Series,
    documents: pl.Series,
    values: pl.Series,
    numbers: Sequence[int],
    faults: Faults | None = None,
) -> Block:
    """Make a block of columns of equal length."""
    query, document = pl.col(_QUERY), pl.col(_DOCUMENT)
    frame = pl.DataFrame(
        [queries.alias(_QUERY), documents.alias(_DOCUMENT), values.alias(_VALUE)]
    ).with_columns(
        (document.hash(seed=1) + query.hash(seed=2)).alias(_PAIR),
        query.ne_missing(query.shift()).alias(_STARTS),
    )
    return Block(frame, numbers, faults or Faults())


class Source(Protocol):
    """Where rows come from."""

    @property
    def name(self) -> str:
        """What messages call it: a file's path, or the name of an argument."""

    def place(self, number: int) -> str:
        """Say where a row stands, such as `file.run:12`."""

    def loads(self) -> Iterator[Callable[[], Block]]:
        """Yield, from the start, what gives the next block; they may be called side by side.

        Raises:
            ConfigurationError: the source cannot be read at all.
        """


def each_block(source: Source, work: Callable[[Block], Result]) -> Iterator[Result]:
    """Read a source to its end, two blocks side by side, and give what the work makes of each, in order.

    Args:
        source: where the rows come from.
        work: called in another thread.

    Raises:
        ConfigurationError: some rows can not be read; after the last of them, with every fault.
    """

    def done(load: Callable[[], Block]) -> tuple[Faults, Result]:
        block = load()
        return block.faults, work(block)

    faults = Faults()
    for found, result in _side_by_side(partial(done, load) for load in source.loads()):
        faults.extend(found)
        yield result
    faults.raise_any(source.name)


def _side_by_side(calls: Iterable[Callable[[], Result]]) -> Iterator[Result]:
    running: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(_WORKERS) as pool:
        for call in calls:
            running.append(pool.submit(call))
            if len(running) == _WORKERS:
                yield running.popleft().result()
        while running:
            yield running.popleft().result()
