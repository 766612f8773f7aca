"""One running process of a command, from its start to its end: asked by one thread at a time, killed by any.

It leads a process group of its own, so that what it starts ends with it, and Ctrl-C is for us to handle.
"""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from time import monotonic
from typing import IO

from ragproof.adapters.adapter import CallFailed
from ragproof.adapters.process.launching import Launch
from ragproof.adapters.process.pipes import Pipes
from ragproof.outputs import FailureKind

GRACE_SECONDS = 1.0
"""How long a process that has nothing left to do may take to end."""


class SaidNothing(CallFailed):
    """It ended in good order, and without an answer."""


class Process:
    """A process that runs from the moment it is made."""

    def __init__(self, launch: Launch) -> None:
        """Start it.

        Raises:
            CallFailed: it cannot be started.
        """
        try:
            self._popen = subprocess.Popen(
                launch.command,
                cwd=launch.cwd,
                env=launch.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            message = f"'{launch.command[0]}' cannot be started: {reason}"
            raise CallFailed(FailureKind.EXCEPTION, message) from error
        self._pipes = Pipes(_ours(self._popen.stdin), _ours(self._popen.stdout), _ours(self._popen.stderr))
        self._is_killed = False

    def ask(self, line: bytes, *, last: bool) -> bytes:
        """Send a line, and return what it answers.

        Args:
            line: with its line break.
            last: whether nothing more will be sent; then all it writes until it ends is the answer.

        Returns:
            The answer, never blank.

        Raises:
            CallFailed: it ended otherwise than in good order, or answers too much.
            SaidNothing: it ended in good order, and without an answer.
        """
        answer = self._pipes.converse(line, last=last, is_over=self._is_over)
        if answer.endswith(b"\n") and not last:
            return answer
        ending = self._ending()
        if ending is not None:
            raise CallFailed(FailureKind.EXCEPTION, f"the command {ending}{self._its_words()}")
        if not answer.strip():
            cure = "does it read the question from its standard input?"
            message = f"the command ended without an answer; {cure}{self._its_words()}"
            raise SaidNothing(FailureKind.EXCEPTION, message)
        return answer

    def is_in_step(self) -> bool:
        """Say whether it lives, and has written nothing that nobody asked for."""
        return not self._pipes.unasked().strip() and not self._pipes.at_end and self._popen.poll() is None

    def let_go(self) -> None:
        """Close its input, from which it learns that there are no more questions."""
        self._pipes.close_input()

    def end(self, deadline: float) -> None:
        """Wait for it to end, until a time of `monotonic`, and kill it when it has not."""
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(max(0.0, deadline - monotonic()))
        self.discard()

    def kill(self) -> None:
        """End it and all that it has started, now."""
        self._is_killed = True
        with suppress(ProcessLookupError, PermissionError):  # all of them have ended
            os.killpg(self._popen.pid, signal.SIGKILL)

    def discard(self) -> None:
        """Kill it, and leave nothing of it behind."""
        self.kill()
        self._pipes.close()
        with suppress(subprocess.TimeoutExpired):  # the operating system itself may hold it
            self._popen.wait(GRACE_SECONDS)

    def _is_over(self) -> bool:
        return self._is_killed or self._popen.poll() is not None

    def _ending(self) -> str | None:
        """Say how it ended; None in good order, or not yet."""
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(GRACE_SECONDS)
        code = self._popen.returncode
        if code is None or code == 0:
            return None
        if code > 0:
            return f"exited with code {code}"
        name = signal.Signals(-code).name if -code in signal.valid_signals() else f"signal {-code}"
        return f"was ended by {name}"

    def _its_words(self) -> str:
        self._pipes.unasked()
        line = self._pipes.tail.line()
        return f": {line}" if line else ""


def _ours(end: IO[bytes] | None) -> IO[bytes]:
    assert end is not None  # all three are pipes
    return end
