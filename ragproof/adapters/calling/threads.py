"""Threads for synchronous pipelines: one call has one thread, from the moment it is made.

A thread that is free again is used again; when none is free a new one starts, so no call ever waits in a
queue with its clock running. The threads are daemons: a call that hangs is abandoned and holds up neither the
run nor the end of the process. False friend: `asyncio.to_thread`, whose small pool queues, and is joined.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class _Job:
    name: str
    work: Callable[[], object]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    context: contextvars.Context = field(default_factory=contextvars.copy_context)

    def run(self) -> tuple[object, BaseException | None]:
        """Do the work; return its value, or what it raised."""
        threading.current_thread().name = self.name
        try:
            return self.context.run(self.work), None
        except BaseException as error:  # nothing a pipeline raises may end the thread unheard
            return None, error

    def tell(self, value: object, error: BaseException | None) -> None:
        """Tell the outcome, in the loop that waits, unless nobody waits any more."""
        if self.future.done():
            return
        if error is None:
            self.future.set_result(value)
        else:
            self.future.set_exception(error)


class Threads:
    """As many threads as there are calls at one time."""

    def __init__(self) -> None:
        self._free: list[SimpleQueue[_Job | None]] = []
        self._closed = False

    async def run(self, name: str, work: Callable[[], T]) -> T:
        """Do work in a thread of its own and wait for it; cancelling abandons the thread.

        Args:
            name: what the thread is called while it works.
            work: must raise only exceptions that a future can carry (no StopIteration).
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        try:
            jobs = self._free.pop()
        except IndexError:
            jobs = SimpleQueue()
            threading.Thread(target=self._serve, args=(jobs,), name=name, daemon=True).start()
        jobs.put(_Job(name, work, loop, future))
        return await future

    def close(self) -> None:
        """Let every thread end that is not in a call."""
        self._closed = True
        while self._free:
            self._free.pop().put(None)

    def _serve(self, jobs: SimpleQueue[_Job | None]) -> None:
        while (job := jobs.get()) is not None:
            value, error = job.run()
            if not self._closed:
                self._free.append(jobs)
            try:
                job.loop.call_soon_threadsafe(job.tell, value, error)
            except RuntimeError:  # the loop is closed: the call was abandoned
                return
            del job, value, error  # held until the next call otherwise, which may be never
            if self._closed:
                return
