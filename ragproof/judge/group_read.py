"""Many tasks that look something up at once, and one read for all of them.

While a read is under way, what is asked for waits, and the next read finds all of it: nobody waits for a
timer, and a crowd costs little more than one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")


class GroupRead(Generic[T]):
    """Keys in, values out; it belongs to the event loop it is used in."""

    def __init__(self, read: Callable[[Sequence[str]], Mapping[str, T]]) -> None:
        """Bind to a way of reading.

        Args:
            read: finds the values of keys, those that have none left out; called in another thread.
        """
        self._read = read
        self._waiting: dict[str, list[asyncio.Future[T | None]]] = {}
        self._reading: asyncio.Task[None] | None = None

    async def get(self, key: str) -> T | None:
        """Return a key's value, None when it has none.

        Raises:
            Exception: what reading raised.
        """
        found: asyncio.Future[T | None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(key, []).append(found)
        if self._reading is None or self._reading.done():
            self._reading = asyncio.ensure_future(self._read_all())
        return await found

    async def _read_all(self) -> None:
        await asyncio.sleep(0)  # whoever is about to ask in this round of the loop is in
        while self._waiting:
            asked, self._waiting = self._waiting, {}
            try:
                values = await asyncio.to_thread(self._read, list(asked))
            except Exception as error:  # whatever it is, a waiter that is never told would wait for ever
                for found in (each for waiting in asked.values() for each in waiting if not each.done()):
                    found.set_exception(error)
                continue
            for key, waiting in asked.items():
                for found in waiting:
                    if not found.done():
                        found.set_result(values.get(key))
