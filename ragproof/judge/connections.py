"""The connections to a judge: a few pools that are used in turn, shared by all questions.

One pool would do, but httpcore compares all connections of a pool with each other at every request: with 64
under way a call takes three times the CPU that it takes in pools of 16.
"""

from __future__ import annotations

from collections.abc import Iterator
from http.cookiejar import CookieJar, DefaultCookiePolicy
from itertools import cycle

import httpx

from ragproof import __version__
from ragproof.adapters.wire.attempts import CONNECT_SECONDS
from ragproof.adapters.wire.trust import is_here

_LARGEST_POOL = 16


class Connections:
    """Opened by the first request, in the event loop that makes it."""

    def __init__(self, home: str, concurrency: int) -> None:
        """Prepare; nothing is opened yet.

        Args:
            home: where requests will go; a proxy of the environment is used unless that is this machine.
            concurrency: requests that may be under way at once.
        """
        self._home = httpx.URL(home)
        self._pools = -(-concurrency // _LARGEST_POOL)
        self._clients: tuple[httpx.AsyncClient, ...] = ()
        self._turns: Iterator[httpx.AsyncClient] = iter(())

    def client(self) -> httpx.AsyncClient:
        """Return the client of the next pool."""
        if not self._clients:
            self._clients = tuple(self._opened())
            self._turns = cycle(self._clients)
        return next(self._turns)

    async def close(self) -> None:
        """Close them all; another request opens them again."""
        clients, self._clients = self._clients, ()
        for client in clients:
            await client.aclose()

    def _opened(self) -> Iterator[httpx.AsyncClient]:
        by_proxy = not is_here(self._home.host)
        verify = httpx.create_ssl_context(trust_env=True) if self._home.scheme == "https" else False
        for _ in range(self._pools):
            yield httpx.AsyncClient(
                headers={
                    "accept": "application/json",
                    "content-type": "application/json",
                    "user-agent": f"ragproof/{__version__}",
                },
                cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
                follow_redirects=False,
                # How many are under way is limited elsewhere, before a budget is reserved and a clock runs.
                limits=httpx.Limits(max_connections=None, max_keepalive_connections=2 * _LARGEST_POOL),
                timeout=httpx.Timeout(None, connect=CONNECT_SECONDS),
                trust_env=by_proxy,
                verify=verify,
            )
