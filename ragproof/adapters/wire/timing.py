"""How time passes while a server is waited for: the clock and the sleep, passed in."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import perf_counter


@dataclass(frozen=True)
class Timing:
    """How time passes, in seconds."""

    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    now: Callable[[], float] = perf_counter


REAL_TIME = Timing()
