"""A pipeline behind HTTP on this machine: it answers as its script says, and remembers what it was asked."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Received:
    """One request as it arrived."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body, read as JSON."""
        return json.loads(self.body)


@dataclass(frozen=True)
class Reply:
    """What to send back; the body is JSON unless it is bytes."""

    body: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    hang: bool = False
    """Send nothing until the server closes."""
    reset: bool = False
    """Break the connection without a response."""
    raw: bytes | None = None
    """Send these bytes and nothing else, and close the connection."""
    half_close: bool = False
    """Say that nothing more will be sent, and keep the connection open."""
    drip_seconds: float = 0.0
    """Send the body a byte at a time, with so long a pause after each."""


Script = Callable[[Received], Reply]


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128  # five by default, and a crowd that connects at once would be turned away


class Server:
    """The running server: its address and what it received."""

    def __init__(self, script: Sequence[Reply] | Script) -> None:
        self.received: list[Received] = []
        self.closing = threading.Event()
        self._script = script
        self._lock = threading.Lock()
        self._http = _Listener(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._http.server_port}/ask"

    @property
    def calls(self) -> int:
        """How often it was asked."""
        return len(self.received)

    def next(self, received: Received) -> Reply:
        """Return the reply to a request: the next of the script, whose last one repeats."""
        with self._lock:
            self.received.append(received)
            number = len(self.received)
        if callable(self._script):
            return self._script(received)  # may take its time, and others are answered meanwhile
        return self._script[min(number, len(self._script)) - 1]

    def run(self) -> None:
        """Serve until closed."""
        self._http.serve_forever(poll_interval=0.01)

    def close(self) -> None:
        """Stop serving, and let go of the requests that hang."""
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                body = self.rfile.read(length)
                if len(body) < length:  # who sent it was killed half way: no server would act on that
                    self.close_connection = True
                    return
                headers = {name.lower(): value for name, value in self.headers.items()}
                reply = server.next(Received(self.command, self.path, headers, body))
                if reply.hang:
                    server.closing.wait()
                    self.close_connection = True
                elif reply.half_close:
                    self.connection.shutdown(socket.SHUT_WR)
                    server.closing.wait()
                    self.close_connection = True
                elif reply.raw is not None:
                    self.wfile.write(reply.raw)
                    self.close_connection = True
                elif reply.reset:
                    linger = struct.pack("ii", 1, 0)  # closing sends a reset instead of an orderly end
                    self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                    self.close_connection = True
                else:
                    self.send(reply)

            def send(self, reply: Reply) -> None:
                content = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
                headers = {"content-type": "application/json", **reply.headers}
                self.send_response(reply.status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                if not reply.drip_seconds:
                    self.wfile.write(content)
                    return
                self.close_connection = True
                with suppress(OSError):  # whoever asked may have lost patience
                    for byte in content:
                        self.wfile.write(bytes([byte]))
                        if server.closing.wait(reply.drip_seconds):
                            return

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

            def log_message(self, format: str, *args: object) -> None:
                """Stay silent."""

        return Handler


@contextmanager
def serving(script: Sequence[Reply] | Script) -> Iterator[Server]:
    """Run a server while the block lasts.

    Args:
        script: replies in order, the last of which repeats; or a function from request to reply.
    """
    server = Server(script)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.close()
        thread.join()
