"""One HTTP request to a judge: what came back, or how it was lost. Neither is judged here."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

import httpx

from ragproof.adapters.wire.connecting import why

LARGEST_RESPONSE_BYTES = 20_000_000
_NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError)
_OUR_MISTAKES = (httpx.LocalProtocolError, httpx.UnsupportedProtocol)


@dataclass(frozen=True)
class Received:
    """A response, read to its end."""

    status: int
    headers: Mapping[str, str]
    content: bytes


@dataclass(frozen=True)
class Lost:
    """No response."""

    message: str
    sent: bool
    """Whether the request may have arrived, and been billed."""
    hopeless: bool = False
    """Whether another attempt would be lost too."""


async def send(client: httpx.AsyncClient, request: httpx.Request, timeout_seconds: float) -> Received | Lost:
    """Send a request once.

    Args:
        client: whose connections are used.
        request: what is sent.
        timeout_seconds: for the whole of it, reading included.
    """
    limit = asyncio.timeout(timeout_seconds)
    try:
        async with limit:
            response = await client.send(request, stream=True)
            try:
                return await _whole(response)
            finally:
                await response.aclose()
    except TimeoutError:
        if not limit.expired():
            raise
        return Lost(f"no complete response within {timeout_seconds:g} s", sent=True)
    except _OUR_MISTAKES as error:
        return Lost(f"the request cannot be sent: {error}", sent=False, hopeless=True)
    except httpx.TransportError as error:
        sent = not isinstance(error, _NEVER_SENT)
        what = "the connection broke to" if sent else "cannot connect to"
        return Lost(f"{what} {_address(request)}: {why(error, request.url.host, 'judge')}", sent=sent)
    except httpx.DecodingError as error:
        return Lost(f"the response cannot be decompressed: {error}", sent=True, hopeless=True)


async def _whole(response: httpx.Response) -> Received | Lost:
    content = bytearray()
    async for piece in response.aiter_bytes():
        content += piece
        if len(content) > LARGEST_RESPONSE_BYTES:
            return Lost(
                f"the response is larger than {LARGEST_RESPONSE_BYTES / 1e6:g} MB", sent=True, hopeless=True
            )
    return Received(response.status_code, response.headers, bytes(content))


def _address(request: httpx.Request) -> str:
    return str(request.url.copy_with(query=None, fragment=None))
