"""One thread that commits what many tasks ask for, together: under concurrency one commit serves many.

While a commit is under way, what arrives waits; the next transaction takes all of it. Nobody waits for a
timer, so a lone write is as quick as it can be, and a crowd shares the cost.
"""

from __future__ import annotations

import asyncio
import threading
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from sqlalchemy import Connection

from ragproof.errors import StoreError
from ragproof.store import forks
from ragproof.store.database import Database

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Change(Generic[S]):
    """What happens to one row, and with which values."""

    step: S
    row: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class _Waiting(Generic[S]):
    change: Change[S]
    loop: asyncio.AbstractEventLoop
    committed: asyncio.Future[None]


Take = Callable[[Connection, Sequence[Change[S]]], Mapping[int, StoreError]]
"""Makes changes within a transaction; returns the faults of those that could not be made, by position."""

_Ended = tuple[asyncio.Future[None], StoreError | None]


class GroupCommit(Generic[S]):
    """Changes in, commits out. The thread starts with the first change and ends with `close`."""

    _thread: threading.Thread | None
    _inbox: SimpleQueue[_Waiting[S] | None]

    def __init__(self, database: Database, take: Take[S]) -> None:
        self._database = database
        self._take = take
        self._closed = False
        self._start_afresh()
        forks.watch(self)

    async def commit(self, change: Change[S]) -> None:
        """Return once the change is committed. A cancelled wait does not take the change back.

        Raises:
            StoreError: the batch it was in could not be written, or the store is closed.
        """
        loop = asyncio.get_running_loop()
        committed = loop.create_future()
        with self._state:
            if self._closed:
                raise self._database.is_closed()
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="ragproof ledger", daemon=True)
                self._thread.start()
            self._inbox.put(_Waiting(change, loop, committed))
        await committed

    def close(self) -> None:
        """Commit what was asked for so far, and end the thread."""
        with self._state:
            self._closed = True
            thread, self._thread = self._thread, None
            if thread is not None:
                self._inbox.put(None)
        if thread is not None:
            thread.join()

    def before_fork(self) -> None:
        """Keep the thread: what it is doing, the database waits for."""

    def after_fork(self, in_child: bool) -> None:
        """Begin in the child with no thread and nothing asked for."""
        if in_child:
            self._start_afresh()

    def _start_afresh(self) -> None:
        self._state = threading.Lock()
        self._inbox = SimpleQueue()
        self._thread = None

    def _work(self) -> None:
        open_ = True
        while open_:
            batch = [self._inbox.get()]
            with suppress(Empty):
                while True:
                    batch.append(self._inbox.get_nowait())
            open_ = None not in batch
            asked = [waiting for waiting in batch if waiting is not None]
            if asked:
                self._commit_together(asked)

    def _commit_together(self, batch: Sequence[_Waiting[S]]) -> None:
        faults: Mapping[int, StoreError]
        try:
            faults = self._database.outlast(lambda: self._transact([waiting.change for waiting in batch]))
        except Exception as error:  # whatever it is, a waiter that is never told would wait for ever
            faults = {position: _copy(error) for position in range(len(batch))}
        ended: defaultdict[asyncio.AbstractEventLoop, list[_Ended]] = defaultdict(list)
        for position, waiting in enumerate(batch):
            ended[waiting.loop].append((waiting.committed, faults.get(position)))
        for loop, of_loop in ended.items():
            with suppress(RuntimeError):  # the loop was closed: nobody waits there any more
                loop.call_soon_threadsafe(_tell, of_loop)

    def _transact(self, changes: Sequence[Change[S]]) -> Mapping[int, StoreError]:
        with self._database.write() as connection:
            return self._take(connection, changes)


def _copy(error: Exception) -> StoreError:
    """Each waiter raises an exception of its own: one shared by many tasks would grow a traceback in each."""
    if isinstance(error, StoreError):
        copy = type(error)(str(error))
    else:
        copy = StoreError(f"the store's writer failed: {error!r}")
    copy.__cause__ = error
    return copy


def _tell(ended: Sequence[_Ended]) -> None:
    for committed, fault in ended:
        if committed.done():  # cancelled
            continue
        if fault is None:
            committed.set_result(None)
        else:
            committed.set_exception(fault)
