"""Why a connection failed, in one sentence with its cure; HTTP libraries bury it several exceptions deep."""

from __future__ import annotations

import os
import socket
import ssl
from collections.abc import Iterator

import httpx


def why(error: httpx.TransportError, host: str, server: str = "pipeline") -> str:
    """Say why there was no response.

    Args:
        error: as the HTTP library raised it.
        host: the name that was looked up.
        server: what was to be there, for the cure.
    """
    if isinstance(error, httpx.ConnectTimeout):
        return f"no connection in time; is the {server} running?"
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"{cause.verify_message}; set verify to the file of its certificate authority"
        if isinstance(cause, ssl.SSLError):
            reason = (cause.reason or "no reason given").lower().replace("_", " ")
            return f"no agreement on TLS ({reason}); does the {server} speak https?"
        if isinstance(cause, socket.gaierror):
            return f"there is no host '{host}'"
        if isinstance(cause, ConnectionRefusedError):
            return f"connection refused; is the {server} running?"
        if isinstance(cause, OSError) and cause.errno:
            return os.strerror(cause.errno).lower()
    return (str(error) or type(error).__name__).rstrip(".").lower()


def is_distrust(error: httpx.TransportError) -> bool:
    """Say whether a certificate was refused, which it will be again."""
    return any(isinstance(cause, ssl.SSLCertVerificationError) for cause in _causes(error))


def is_no_http(error: httpx.TransportError) -> bool:
    """Say whether something was received that is not HTTP, rather than too little of it.

    The library has one exception for both, and tells them apart in words alone.
    """
    ended = ("disconnected", "closed connection", "unexpectedly closed")
    return isinstance(error, httpx.RemoteProtocolError) and not any(word in str(error) for word in ended)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield the exceptions behind an exception, the nearest first."""
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        current = waiting.pop(0)
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        waiting += [current.__cause__, current.__context__]
        if isinstance(current, BaseExceptionGroup):
            waiting += current.exceptions
