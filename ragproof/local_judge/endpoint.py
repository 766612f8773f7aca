"""The address a judge is asked at: it bounds the schema of a question and passes all else to the engine.

What comes back is the engine's own response, byte for byte.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx

from ragproof.errors import ConfigurationError
from ragproof.local_judge.bounds import bounded
from ragproof.local_judge.engine import HOST

API = "/v1"
_CHAT = f"{API}/chat/completions"
_JSON = "application/json"


class Endpoint(ThreadingHTTPServer):
    """Listens from the start, and answers once `serve_forever` is called."""

    daemon_threads = True

    def __init__(self, engine_url: str, port: int) -> None:
        """Listen on loopback.

        Args:
            engine_url: where questions go.
            port: 0 takes a free one.

        Raises:
            ConfigurationError: the port cannot be listened on.
        """
        self.engine = httpx.Client(base_url=engine_url, timeout=None, trust_env=False)
        try:
            super().__init__((HOST, port), _Handler)
        except OSError as error:
            raise ConfigurationError(
                f"port '{port}' cannot be listened on ({os.strerror(error.errno or 0)}); expected a free one,"
                " which 0 finds"
            ) from error
        self.base_url = f"http://{HOST}:{self.server_port}{API}"
        """As a judge's `base_url`."""

    def server_close(self) -> None:
        """Stop listening, and let go of the engine."""
        super().server_close()
        self.engine.close()


def with_bounds(question: bytes) -> bytes:
    """Return a question whose reply has an end; one without a schema, or that is no JSON, as it is."""
    try:
        body: Any = json.loads(question)
        named = body["response_format"]["json_schema"]
        named["schema"] = bounded(named["schema"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return question
    return json.dumps(body).encode()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Endpoint

    def do_GET(self) -> None:
        self._pass_on(None)

    def do_POST(self) -> None:
        length = self.headers.get("content-length", "")
        content = self.rfile.read(int(length)) if length.isdecimal() else b""
        self._pass_on(with_bounds(content) if self.path == _CHAT else content)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the only line on standard output is the base URL, and nobody reads a log."""

    def _pass_on(self, content: bytes | None) -> None:
        with suppress(ConnectionError):  # whoever asked may have given up
            try:
                response = self.server.engine.request(
                    self.command, self.path, content=content, headers={"content-type": _JSON}
                )
            except httpx.HTTPError as error:
                self.send_error(HTTPStatus.BAD_GATEWAY, f"the engine does not answer: {error}")
                return
            self.send_response(response.status_code)
            self.send_header("content-type", response.headers.get("content-type", _JSON))
            self.send_header("content-length", str(len(response.content)))
            self.end_headers()
            self.wfile.write(response.content)
