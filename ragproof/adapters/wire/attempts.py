"""One HTTP call with its retries: only what a later attempt can mend is tried again.

Tried again: a connection that cannot be made or breaks, 429, 502, 503 and 504. Never another 4xx, nor 500:
the pipeline has answered, and would answer the same. A wait that the server asks for is kept, up to a cap.
Latency is that of the attempt that succeeded.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import perf_counter

import httpx
from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception_type,
    stop_after_attempt,
    wait_exponential,
    wait_random,
)

from ragproof.adapters.adapter import CallFailed
from ragproof.adapters.calling.clock import paused
from ragproof.adapters.wire.connecting import why
from ragproof.adapters.wire.retry_after import wait_seconds
from ragproof.outputs import FailureKind

CONNECT_SECONDS = 10.0
_BACKOFF = wait_exponential(multiplier=0.2, max=10) + wait_random(0, 0.1)
_TRIED_AGAIN = frozenset({429, 502, 503, 504})
_OUR_MISTAKES = (httpx.LocalProtocolError, httpx.UnsupportedProtocol)
_EXCERPT_BYTES = 2000


@dataclass(frozen=True)
class Timing:
    """How time passes, in seconds."""

    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    now: Callable[[], float] = perf_counter


REAL_TIME = Timing()


@dataclass(frozen=True)
class Policy:
    """How patient one call is."""

    timeout_seconds: float | None
    """For one attempt."""
    retries: int
    retry_after_cap_seconds: float
    max_response_bytes: int


@dataclass(frozen=True)
class Reply:
    """A response of the 2xx kind, read to its end."""

    content: bytes
    content_type: str
    latency_ms: float


class _Again(Exception):
    """An attempt failed in a way that another may not."""

    def __init__(self, kind: FailureKind, what: str, detail: str, wait_seconds: float | None = None) -> None:
        super().__init__(what, detail)
        self.kind = kind
        self.what = what
        self.detail = detail
        self.wait_seconds = wait_seconds


async def exchange(
    client: httpx.AsyncClient, request: httpx.Request, policy: Policy, timing: Timing
) -> Reply:
    """Send a request until it is answered, or there is no hope that it will be.

    Args:
        client: whose connections are used.
        request: sent as it is in every attempt.
        policy: how patient to be.
        timing: waits between attempts, off the clock of the case, and measures the one that succeeds.

    Raises:
        CallFailed: the last failure, with the number of attempts when there were several.
    """

    async def off_the_clock(seconds: float) -> None:
        async with paused():
            await timing.sleep(seconds)

    attempts = AsyncRetrying(
        retry=retry_if_exception_type(_Again),
        stop=stop_after_attempt(policy.retries + 1),
        wait=_wait,
        sleep=off_the_clock,
        reraise=True,
    )
    try:
        return await attempts(_attempt, client, request, policy, timing.now)
    except _Again as failed:
        tries = f" after {policy.retries + 1} attempts" if policy.retries else ""
        raise CallFailed(failed.kind, f"{failed.what}{tries}: {failed.detail}") from failed


def _wait(state: RetryCallState) -> float:
    failed = state.outcome.exception() if state.outcome else None
    asked = failed.wait_seconds if isinstance(failed, _Again) else None
    return _BACKOFF(state) if asked is None else asked


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
        connecting = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)
        what = f"{'cannot connect to' if connecting else 'the connection broke to'} {_address(request)}"
        raise _Again(FailureKind.CONNECTION, what, why(error, request.url.host)) from error
    except httpx.DecodingError as error:
        message = f"the response cannot be decompressed: {error}"
        raise CallFailed(FailureKind.BAD_OUTPUT, message) from error
    latency_ms = (now() - started) * 1000
    return Reply(content, response.headers.get("content-type", ""), latency_ms)


def _refusal(response: httpx.Response, excerpt: str, policy: Policy) -> Exception:
    """Return what a response that is not 2xx comes to."""
    status = response.status_code
    what = f"HTTP {status}"
    if status in _TRIED_AGAIN:
        kind = FailureKind.RATE_LIMIT if status == 429 else FailureKind.HTTP_STATUS
        asked = wait_seconds(response.headers)
        if asked is None or asked <= policy.retry_after_cap_seconds:
            return _Again(kind, what, excerpt, asked)
        cap = f"more than retry_after_cap_seconds allows ({policy.retry_after_cap_seconds:g})"
        return CallFailed(kind, f"{what} asks to wait {asked:g} s, {cap}")
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
    """Return the beginning of a body that nobody will read as an output."""
    content = bytearray()
    async for piece in response.aiter_bytes():
        content += piece
        if len(content) >= _EXCERPT_BYTES:
            break
    return content[:_EXCERPT_BYTES].decode(errors="replace").strip() or response.reason_phrase or "no body"


def _address(request: httpx.Request) -> str:
    """Return where a request goes, without its query, which may hold the question."""
    return str(request.url.copy_with(query=None, fragment=None))
