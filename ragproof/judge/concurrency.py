"""How many calls may be under way: halved when a server is overloaded, one more after a round of successes.

Additive increase, multiplicative decrease, as TCP does it (Chiu and Jain 1989). A crowd of refusals that were
sent together halves it once. While a server asks everybody to wait, nobody gets a slot.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ragproof.adapters.wire.attempts import REAL_TIME, Timing


class Slot:
    """The right to have one call under way, and what came of it."""

    def __init__(self, limit: AdaptiveLimit, generation: int) -> None:
        self._limit = limit
        self._generation = generation

    def succeeded(self) -> None:
        """Say that the server coped."""
        self._limit.creep()

    def overloaded(self, wait_seconds: float = 0.0) -> None:
        """Say that the server did not, and how long it asks everybody to wait."""
        self._limit.halve(self._generation, wait_seconds)


class AdaptiveLimit:
    """Slots for calls; first come, first served. It belongs to the event loop it is used in."""

    def __init__(self, most: int, timing: Timing = REAL_TIME) -> None:
        """Begin with all slots.

        Args:
            most: slots there are at most; at least one is always left.
            timing: how time passes while a server asks to wait.
        """
        self._most = most
        self._allowed = float(most)
        self._timing = timing
        self._under_way = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._generation = 0
        self._closed_until = float("-inf")

    @property
    def allowed(self) -> int:
        """How many calls may be under way now."""
        return int(self._allowed)

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[Slot]:
        """Wait for a slot and hold it within the block."""
        await self._take()
        try:
            while (left := self._closed_until - self._timing.now()) > 0:
                await self._timing.sleep(left)
            yield Slot(self, self._generation)
        finally:
            self._give_back()

    async def _take(self) -> None:
        if self._under_way < self.allowed:
            self._under_way += 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # it was handed the slot, and will not use it
                self._give_back()
            raise

    def _give_back(self) -> None:
        self._under_way -= 1
        self._hand_out()

    def _hand_out(self) -> None:
        while self._waiting and self._under_way < self.allowed:
            turn = self._waiting.popleft()
            if not turn.done():
                self._under_way += 1
                turn.set_result(None)

    def creep(self) -> None:
        """Allow a little more: one call more after as many successes as are allowed now."""
        self._allowed = min(float(self._most), self._allowed + 1 / self._allowed)
        self._hand_out()

    def halve(self, generation: int, wait_seconds: float) -> None:
        """Allow half, once for all calls of one generation; let nobody begin for a while."""
        if wait_seconds:
            self._closed_until = max(self._closed_until, self._timing.now() + wait_seconds)
        if generation == self._generation:
            self._generation += 1
            self._allowed = max(1.0, self._allowed / 2)
