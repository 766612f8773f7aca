"""A case's clock, which stands still while nobody works on the case (a wait before a retry, say)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from time import perf_counter


class Clock:
    """The time limit of one case, and how long the pipeline has worked on it."""

    def __init__(self, limit: asyncio.Timeout) -> None:
        self.limit = limit
        self._started = perf_counter()
        self._waited = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Make this the clock that `paused` stops, within the current task."""
        token = _clock.set(self)
        try:
            yield
        finally:
            _clock.reset(token)

    def worked_ms(self) -> float:
        """Return the milliseconds since the start, without those it stood still."""
        return (perf_counter() - self._started - self._waited) * 1000

    @asynccontextmanager
    async def standing(self) -> AsyncIterator[None]:
        """Stop, and go on afterwards with the time that was left."""
        loop, stopped, deadline = asyncio.get_running_loop(), perf_counter(), self.limit.when()
        left = None if deadline is None else deadline - loop.time()
        self.limit.reschedule(None)
        try:
            yield
        finally:
            self._waited += perf_counter() - stopped
            self.limit.reschedule(None if left is None else loop.time() + left)


_clock: ContextVar[Clock | None] = ContextVar("clock", default=None)


@asynccontextmanager
async def paused() -> AsyncIterator[None]:
    """Stop the clock of the case that is being asked; without one this does nothing."""
    clock = _clock.get()
    if clock is None:
        yield
        return
    async with clock.standing():
        yield
