"""A real Prefect server on a port and a home of its own, for tests and benchmarks."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

START_UP_SECONDS = 120
BUSY_ATTEMPTS = 30


@dataclass(frozen=True)
class PrefectServer:
    """A running server, and the environment a process needs to use it."""

    url: str
    home: Path

    def environment(self, **more: str) -> dict[str, str]:
        """Return this process's environment pointed at the server."""
        return {
            **os.environ,
            "PREFECT_API_URL": self.url,
            "PREFECT_HOME": str(self.home),
            "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
            "DO_NOT_TRACK": "1",
            **more,
        }

    def get(self, path: str) -> object:
        """Read from the server's API."""
        return self._told("GET", path).raise_for_status().json()

    def post(self, path: str, body: object) -> httpx.Response:
        """Send to the server's API, and return what it says, an error too."""
        return self._told("POST", path, body)

    def find(self, what: str, **filters: object) -> list[dict[str, object]]:
        """Filter flow runs, task runs, artifacts and the like through the server's API."""
        found = self.post(f"/{what}/filter", filters).raise_for_status().json()
        assert isinstance(found, list)
        return found

    def _told(self, method: str, path: str, body: object = None) -> httpx.Response:
        # A busy database is a 503 that says to come again, and Prefect's own client does.
        for _ in range(BUSY_ATTEMPTS):
            told = httpx.request(method, f"{self.url}{path}", json=body, timeout=30)
            if told.status_code != httpx.codes.SERVICE_UNAVAILABLE:
                break
            time.sleep(1)
        return told


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def prefect_serving(home: Path) -> Iterator[PrefectServer]:
    """Run a server while the block lasts.

    Args:
        home: an existing folder for its database and its log.
    """
    port = _free_port()
    server = PrefectServer(url=f"http://127.0.0.1:{port}/api", home=home)
    log = (home / "server.log").open("wb")
    process = subprocess.Popen(
        [sys.executable, "-m", "prefect", "server", "start", "--host", "127.0.0.1", "--port", str(port)],
        env=server.environment(),
        stdout=log,
        stderr=subprocess.STDOUT,
    )
    try:
        _wait(server, process)
        yield server
    finally:
        end(process)
        log.close()


def end(process: subprocess.Popen[bytes]) -> None:
    """Ask a process to end, and end it when it takes too long: a worker waits for what it runs."""
    process.terminate()
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _wait(server: PrefectServer, process: subprocess.Popen[bytes]) -> None:
    for _ in range(START_UP_SECONDS * 5):
        if process.poll() is not None:
            break
        try:
            if httpx.get(f"{server.url}/health", timeout=2).status_code == 200:
                return
        except httpx.HTTPError:
            time.sleep(0.2)
    raise RuntimeError(f"no Prefect server: {(server.home / 'server.log').read_text()[-2000:]}")
