"""How many calls to a server may be under way: half as many when it is overloaded, one more after a round of
successes.

Convention: additive increase, multiplicative decrease (Chiu and Jain 1989, doi:10.1016/0169-7552(89)90019-6),
as TCP has it. A crowd of refusals that were sent together counts once. While a server asks to wait, nobody
sends anything.
"""

from __future__ import annotations

import asyncio
import math
import sys
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ragproof.adapters.wire.timing import REAL_TIME, Timing


class StillRefused(Exception):
    """Nothing has come through for as long as anybody wants to wait, and the server asks to wait on."""

    def __init__(self, refused_seconds: float, wait_seconds: float) -> None:
        super().__init__(refused_seconds, wait_seconds)
        self.refused_seconds = refused_seconds
        self.wait_seconds = wait_seconds


class Slot:
    """The right to have one call under way, and what came of it."""

    def __init__(self, limit: AdaptiveLimit, crowd: int) -> None:
        self.refused = False
        self._limit = limit
        self._crowd = crowd

    def succeeded(self) -> None:
        """Say that the server coped."""
        self._limit._creep()

    def overloaded(self, wait_seconds: float = 0.0) -> None:
        """Say that the server did not, and how long everybody is to wait."""
        self.refused = True
        self._limit._halve(self._crowd, wait_seconds)


class AdaptiveLimit:
    """Slots for calls: first come, first served. It belongs to the event loop it is used in."""

    def __init__(self, most: int | None = None, timing: Timing = REAL_TIME) -> None:
        """Begin with all slots.

        Args:
            most: slots there are at most; None is any number, until the first refusal. One is always left.
            timing: how time passes.
        """
        self._most = math.inf if most is None else float(most)
        self._allowed = self._most
        self._timing = timing
        self._under_way = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._crowd = 0
        self._refused_since: float | None = None
        self._refused_last = -math.inf
        self._closed_until = -math.inf

    @property
    def allowed(self) -> int:
        """How many calls may be under way now; `sys.maxsize` is any number."""
        return int(min(self._allowed, sys.maxsize))

    def refused_seconds(self) -> float:
        """Return for how long, up to the last refusal, the server asked everybody to wait and no more."""
        return 0.0 if self._refused_since is None else self._refused_last - self._refused_since

    @asynccontextmanager
    async def slot(self, patience_seconds: float = math.inf) -> AsyncIterator[Slot]:
        """Wait for a slot and hold it within the block.

        Args:
            patience_seconds: how long a server may let nothing through.

        Raises:
            StillRefused: it has not for so long, and asks to wait on.
        """
        await self._take()
        slot: Slot | None = None
        try:
            while (left := self._closed_until - self._timing.now()) > 0:
                if (refused := self.refused_seconds()) >= patience_seconds:
                    raise StillRefused(refused, left)
                await self._timing.sleep(left)
            slot = Slot(self, self._crowd)
            yield slot
        finally:
            if slot is not None and not slot.refused:
                self._refused_since = None
            self._give_back()

    async def _take(self) -> None:
        if not self._waiting and self._under_way < self.allowed:
            self._under_way += 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # the slot was handed over, and will not be used
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

    def _creep(self) -> None:
        self._allowed = min(self._most, self._allowed + 1 / self._allowed)
        self._hand_out()

    def _halve(self, crowd: int, wait_seconds: float) -> None:
        now = self._timing.now()
        if wait_seconds > 0:
            self._closed_until = max(self._closed_until, now + wait_seconds)
            self._refused_since = now if self._refused_since is None else self._refused_since
            self._refused_last = now
        if crowd == self._crowd:
            self._crowd += 1
            self._allowed = max(1.0, min(self._allowed, self._under_way) / 2)
