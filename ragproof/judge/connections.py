"""The connections to a judge: one for each call under way, kept open and used again by the next.

Each has a client of its own. In a shared pool httpcore looks at every connection whenever a request begins or
ends, which at 64 under way costs more than the requests themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar, DefaultCookiePolicy
from ssl import SSLContext

import httpx

from ragproof import __version__
from ragproof.adapters.wire.attempts import CONNECT_SECONDS
from ragproof.adapters.wire.trust import is_here


class Connections:
    """Opened one by one, in the event loop that uses them, by as many calls as are under way at once."""

    def __init__(self, home: str) -> None:
        """Prepare; nothing is opened yet.

        Args:
            home: where requests will go; a proxy of the environment is used unless that is this machine.
        """
        self._home = httpx.URL(home)
        self._free: list[httpx.AsyncClient] = []
        self._all: list[httpx.AsyncClient] = []
        self._verify: SSLContext | bool | None = None

    @contextmanager
    def one(self) -> Iterator[httpx.AsyncClient]:
        """Have one to oneself within the block: the one used last, which is likeliest to be open still."""
        client = self._free.pop() if self._free else self._opened()
        try:
            yield client
        finally:
            self._free.append(client)

    def build(self, url: str, headers: httpx.Headers, content: bytes) -> httpx.Request:
        """Return a request, to be sent by any of them."""
        with self.one() as client:
            return client.build_request("POST", url, headers=headers, content=content)

    async def close(self) -> None:
        """Close them all; another request opens new ones."""
        clients, self._all, self._free = self._all, [], []
        for client in clients:
            await client.aclose()

    def _opened(self) -> httpx.AsyncClient:
        if self._verify is None:
            https = self._home.scheme == "https"
            self._verify = httpx.create_ssl_context(trust_env=True) if https else False
        client = httpx.AsyncClient(
            headers={
                "accept": "application/json",
                "content-type": "application/json",
                "user-agent": f"ragproof/{__version__}",
            },
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
            follow_redirects=False,
            # How many are under way is limited elsewhere, before a budget is reserved and a clock runs.
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=1),
            timeout=httpx.Timeout(None, connect=CONNECT_SECONDS),
            trust_env=not is_here(self._home.host),
            verify=self._verify,
        )
        self._all.append(client)
        return client
