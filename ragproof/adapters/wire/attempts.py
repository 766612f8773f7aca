"""One HTTP call with its retries: only what a later attempt can mend is tried again.

Tried again: a connection that cannot be made or breaks, 429, 502, 503 and 504. Never another 4xx, nor 500:
the pipeline has answered, and would answer the same. `patience` says how often. Latency is that of the
attempt that succeeded.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass

import httpx
from tenacity import AsyncRetrying, retry_if_exception_type

from ragproof.adapters.adapter import CallFailed
from ragproof.adapters.calling.clock import paused
from ragproof.adapters.wire import connecting
from ragproof.adapters.wire.concurrency import AdaptiveLimit, Slot, StillRefused
from ragproof.adapters.wire.patience import Again, AskedToWait, Overloaded, Patience, Policy
from ragproof.adapters.wire.retry_after import wait_seconds
from ragproof.adapters.wire.timing import Timing
from ragproof.outputs import FailureKind

CONNECT_SECONDS = 10.0
_TRIED_AGAIN = frozenset({429, 502, 503, 504})
_OUR_MISTAKES = (httpx.LocalProtocolError, httpx.UnsupportedProtocol)
_PAUSE_SECONDS = 0.2
"""Nobody sends anything for so long after a 429 that asks for nothing."""
_EXCERPT_BYTES = 2000
_EXCERPT_SECONDS = 2.0


@dataclass(frozen=True)
class Reply:
    """A response of the 2xx kind, read to its end."""

    content: bytes
    content_type: str
    latency_ms: float


async def exchange(
    client: httpx.AsyncClient, request: httpx.Request, policy: Policy, limit: AdaptiveLimit, timing: Timing
) -> Reply:
    """Send a request until it is answered, or there is no hope that it will be.

    Args:
        client: whose connections are used.
        request: sent as it is in every attempt.
        policy: how patient to be.
        limit: how many calls to this server may be under way; shared by all of them.
        timing: waits between attempts, off the clock of the case, and measures the one that succeeds.

    Raises:
        CallFailed: the last failure, with the number of attempts when there were several.
    """

    async def off_the_clock(seconds: float) -> None:
        async with paused():
            await timing.sleep(seconds)

    tried = 0

    async def attempt() -> Reply:
        nonlocal tried
        async with _slot(limit, policy) as slot:
            tried += 1
            return await _told(slot, _attempt(client, request, policy, timing.now))

    patience = Patience(policy, limit)
    attempts = AsyncRetrying(
        retry=retry_if_exception_type(Again),
        stop=patience.is_over,
        wait=patience.wait,
        sleep=off_the_clock,
        reraise=True,
    )
    try:
        return await attempts(attempt)
    except Again as failed:
        tries = f" after {tried} attempts" if tried > 1 else ""
        raise CallFailed(failed.kind, f"{failed.what}{tries}: {failed.detail}") from failed


@asynccontextmanager
async def _slot(limit: AdaptiveLimit, policy: Policy) -> AsyncIterator[Slot]:
    """Wait for a slot, off the clock of the case."""
    async with AsyncExitStack() as held:
        try:
            async with paused():
                slot = await held.enter_async_context(limit.slot(policy.retry_after_cap_seconds))
        except StillRefused as still:
            refused = f"the server has refused every call for {still.refused_seconds:.0f} s"
            cap = f"retry_after_cap_seconds ({policy.retry_after_cap_seconds:g}) allows no more"
            message = f"{refused} and asks to wait {still.wait_seconds:.0f} s more; {cap}"
            raise CallFailed(FailureKind.RATE_LIMIT, message) from still
        yield slot


async def _told(slot: Slot, attempt: Awaitable[Reply]) -> Reply:
    """Make an attempt, and tell the limit what came of it."""
    try:
        reply = await attempt
    except AskedToWait as refused:
        slot.overloaded(refused.wait_seconds or _PAUSE_SECONDS)
        raise
    except Overloaded:
        slot.overloaded()
        raise
    slot.succeeded()
    return reply


async def _attempt(
    client: httpx.AsyncClient, request: httpx.Request, policy: Policy, now: Callable[[], float]
) -> Reply:
    started = now()
    limit = asyncio.timeout(policy.timeout_seconds)
    try:
        async with limit:
            response = await client.send(request, stream=True)
            try:
                if not response.is_success:
                    raise _refusal(response, await _excerpt(response), policy)
                content = await _whole(response, policy.max_response_bytes)
            finally:
                await response.aclose()
    except TimeoutError:
        if not limit.expired():
            raise
        message = f"no complete response within {policy.timeout_seconds:g} s"
        raise CallFailed(FailureKind.TIMEOUT, message) from None
    except _OUR_MISTAKES as error:
        raise CallFailed(FailureKind.EXCEPTION, f"the request cannot be sent: {error}") from error
    except httpx.TransportError as error:
        raise _broken(error, request) from error
    except httpx.DecodingError as error:
        message = f"the response cannot be decompressed: {error}"
        raise CallFailed(FailureKind.BAD_OUTPUT, message) from error
    latency_ms = (now() - started) * 1000
    return Reply(content, response.headers.get("content-type", ""), latency_ms)


def _broken(error: httpx.TransportError, request: httpx.Request) -> Exception:
    """Return what a call without a response comes to."""
    if connecting.is_no_http(error):
        return CallFailed(FailureKind.BAD_OUTPUT, f"the response is not HTTP: {error}")
    at_all = not isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)
    what = f"{'the connection broke to' if at_all else 'cannot connect to'} {_address(request)}"
    cause = connecting.why(error, request.url.host)
    if connecting.is_distrust(error):
        return CallFailed(FailureKind.CONNECTION, f"{what}: {cause}")
    return Again(FailureKind.CONNECTION, what, cause)


def _refusal(response: httpx.Response, excerpt: str, policy: Policy) -> Exception:
    """Return what a response that is not 2xx comes to."""
    status = response.status_code
    what = f"HTTP {status}"
    if status in _TRIED_AGAIN:
        kind = FailureKind.RATE_LIMIT if status == 429 else FailureKind.HTTP_STATUS
        asked = wait_seconds(response.headers)
        if asked is not None and asked > policy.retry_after_cap_seconds:
            cap = f"more than retry_after_cap_seconds allows ({policy.retry_after_cap_seconds:g})"
            return CallFailed(kind, f"{what} asks to wait {asked:g} s, {cap}")
        if status == 429 or asked is not None:
            return AskedToWait(kind, what, excerpt, asked)
        return (Overloaded if status == 503 else Again)(kind, what, excerpt)
    if response.is_redirect:
        to = response.headers.get("location", "")
        return CallFailed(
            FailureKind.HTTP_STATUS,
            f"{what} leads to '{to}', which is not followed; set url to where it ends",
        )
    return CallFailed(FailureKind.HTTP_STATUS, f"{what}: {excerpt}")


async def _whole(response: httpx.Response, most_bytes: int) -> bytes:
    content = bytearray()
    async for piece in response.aiter_bytes():
        content += piece
        if len(content) > most_bytes:
            message = f"the response is larger than {most_bytes / 1e6:g} MB; raise max_response_mb"
            raise CallFailed(FailureKind.BAD_OUTPUT, message)
    return bytes(content)


async def _excerpt(response: httpx.Response) -> str:
    """Return the beginning of a body that nobody will read as an output, as far as it comes."""
    content = bytearray()
    with suppress(TimeoutError, httpx.TransportError, httpx.DecodingError):
        async with asyncio.timeout(_EXCERPT_SECONDS):
            async for piece in response.aiter_bytes():
                content += piece
                if len(content) >= _EXCERPT_BYTES:
                    break
    return content[:_EXCERPT_BYTES].decode(errors="replace").strip() or response.reason_phrase or "no body"


def _address(request: httpx.Request) -> str:
    """Return where a request goes, without its query, which may hold the question."""
    return str(request.url.copy_with(query=None, fragment=None))
