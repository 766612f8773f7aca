"""The three pipes to a process: a question goes in while an answer and its logs come out.

Nothing here blocks, so that neither side can hold up the other with a full pipe.
"""

from __future__ import annotations

import os
import selectors
from collections.abc import Callable
from typing import IO

from ragproof.adapters.adapter import CallFailed
from ragproof.adapters.process.tail import Tail
from ragproof.outputs import FailureKind

LONGEST_ANSWER_BYTES = 20 * 1024 * 1024
_TICK_SECONDS = 0.2
_PIECE_BYTES = 65_536
_MOST_PIECES = 100
"""Taken without a question; something that never stops writing must not be read for ever."""


class Pipes:
    """What a process reads and writes; used by one thread at a time."""

    def __init__(self, into: IO[bytes], out: IO[bytes], logs: IO[bytes]) -> None:
        """Take the ends that are ours of its standard input, output and error."""
        self._into, self._out, self._logs = into, out, logs
        for pipe in (into, out, logs):
            os.set_blocking(pipe.fileno(), False)
        self._answer = bytearray()
        self.tail = Tail()
        self.at_end = False
        """Whether nothing more will come out."""

    def converse(self, line: bytes, *, last: bool, is_over: Callable[[], bool]) -> bytes:
        """Send a line and return what comes back.

        Args:
            line: with its line break.
            last: whether nothing more will be sent; then all that comes out until the end is the answer.
            is_over: asked now and then whether to wait no longer.

        Returns:
            A line that is not blank, with its line break, unless the end came first; or all until the end.

        Raises:
            CallFailed: it is larger than 20 MiB.
        """
        searched = 0
        unsent = memoryview(line)
        with selectors.DefaultSelector() as selector:
            selector.register(self._into, selectors.EVENT_WRITE)
            selector.register(self._out, selectors.EVENT_READ)
            selector.register(self._logs, selectors.EVENT_READ)
            while not self.at_end:
                if not last and (answer := self._line(searched)):
                    return answer
                searched = len(self._answer)
                ready = [key.fileobj for key, _ in selector.select(_TICK_SECONDS)]
                if self._into in ready:
                    unsent = unsent[self._write(unsent) :]
                    if not unsent:
                        selector.unregister(self._into)
                        if last:
                            self.close_input()
                for pipe in (self._out, self._logs):
                    if pipe in ready and self._read(pipe) == b"":
                        selector.unregister(pipe)
                # Whatever it has started and left behind may hold the pipes open for ever.
                self.at_end = self.at_end or (not ready and is_over())
        return (b"" if last else self._line(0)) or self._taken(len(self._answer))

    def unasked(self) -> bytes:
        """Return what has come out without a question, as far as it is there."""
        for pipe in (self._out, self._logs):
            pieces = 0
            while pieces < _MOST_PIECES and self._read(pipe):
                pieces += 1
        return bytes(self._answer)

    def close_input(self) -> None:
        """Say that there is nothing more to read."""
        self._into.close()

    def close(self) -> None:
        """Close all three."""
        for pipe in (self._into, self._out, self._logs):
            pipe.close()

    def _line(self, start: int) -> bytes:
        """Take the first line that is not blank, whose end is not before `start`; b"" when there is none."""
        while (end := self._answer.find(b"\n", start)) >= 0:
            start = 0
            line = self._taken(end + 1)
            if line.strip():
                return line
        return b""

    def _taken(self, size: int) -> bytes:
        taken = bytes(self._answer[:size])
        del self._answer[:size]
        return taken

    def _write(self, content: memoryview) -> int:
        try:
            return os.write(self._into.fileno(), content)
        except BlockingIOError:
            return 0
        except BrokenPipeError:  # it reads no more, and may still answer
            return len(content)

    def _read(self, pipe: IO[bytes]) -> bytes | None:
        """Take the next piece; b"" is the end, None is nothing yet."""
        try:
            piece = os.read(pipe.fileno(), _PIECE_BYTES)
        except BlockingIOError:
            return None
        if pipe is self._logs:
            self.tail.add(piece)
            return piece
        self._answer += piece
        self.at_end = self.at_end or not piece
        if len(self._answer) > LONGEST_ANSWER_BYTES:
            most = f"{LONGEST_ANSWER_BYTES // 1024**2} MiB"
            raise CallFailed(FailureKind.BAD_OUTPUT, f"the command's answer is larger than {most}")
        return piece
