"""A proxy before a PostgreSQL server that cuts connections at the worst moment."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from pathlib import Path
from typing import Self

from sqlalchemy import URL

CHUNK_BYTES = 65_536
END_OF_REPLY = b"Z\0\0\0\5"
"""PostgreSQL's ReadyForQuery, which ends its reply to everything that was asked."""


class Proxy:
    """Listens on a port of its own; the server behind it is never touched."""

    def __init__(self, server: URL) -> None:
        """Stand before a server that listens on a Unix socket."""
        self._behind = str(Path(str(server.query["host"]), ".s.PGSQL.5432"))
        self._server = server
        self._open: list[socket.socket] = []
        self._lock = threading.Lock()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._down = False
        self.messages = 0
        """What clients have sent since the last `cut_after`."""
        self._cut_after: int | None = None
        self._commits_until_lost: int | None = None
        threading.Thread(target=self._accept, daemon=True).start()

    def url(self) -> URL:
        """Return the URL of the same database behind this proxy."""
        port = self._listening.getsockname()[1]
        plain = {"sslmode": "disable", "gssencmode": "disable"}
        return self._server.set(host="127.0.0.1", port=port, query=plain)

    def cut_after(self, messages: int) -> None:
        """Cut the connection that brings the client's so many-and-first message from now on; once."""
        self.messages, self._cut_after = 0, messages

    def lose_commit(self, after: int = 0) -> None:
        """Let a commit happen, `after` others, and cut the connection before the client hears of it."""
        self._commits_until_lost = after

    def go_down(self) -> None:
        """Cut everything, and let nobody in."""
        self._down = True
        with self._lock:
            for each in self._open:
                _end(each)

    def come_up(self) -> None:
        """Let clients through again."""
        self._down = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.go_down()
        _end(self._listening)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                if self._down:
                    _end(client)
                    continue
                behind = socket.socket(socket.AF_UNIX)
                behind.connect(self._behind)
                with self._lock:
                    self._open += [client, behind]
                loses = threading.Event()
                threading.Thread(target=self._ask, args=(client, behind, loses), daemon=True).start()
                threading.Thread(target=self._reply, args=(client, behind, loses), daemon=True).start()

    def _ask(self, client: socket.socket, behind: socket.socket, loses: threading.Event) -> None:
        with suppress(OSError):
            while chunk := client.recv(CHUNK_BYTES):
                if self._cut_after is not None and self.messages >= self._cut_after:
                    self._cut_after = None
                    break
                self.messages += 1
                if b"COMMIT" in chunk and self._is_lost():
                    loses.set()
                behind.sendall(chunk)
        _end(client)
        _end(behind)

    def _is_lost(self) -> bool:
        left, self._commits_until_lost = self._commits_until_lost, None
        if left:
            self._commits_until_lost = left - 1
        return left == 0

    def _reply(self, client: socket.socket, behind: socket.socket, loses: threading.Event) -> None:
        with suppress(OSError):
            while chunk := behind.recv(CHUNK_BYTES):
                if loses.is_set() and END_OF_REPLY in chunk:
                    break
                client.sendall(chunk)
        _end(client)
        _end(behind)


def _end(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()
