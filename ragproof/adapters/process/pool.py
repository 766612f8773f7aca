"""Processes that wait for a question: as many as there were calls at one time, each asked again and again."""

from __future__ import annotations

from time import monotonic

from ragproof.adapters.process.launching import Launch
from ragproof.adapters.process.process import GRACE_SECONDS, Process


class Pool:
    """The idle processes of one command; used by many threads."""

    def __init__(self, launch: Launch) -> None:
        self._launch = launch
        self._idle: list[Process] = []

    def idle(self) -> Process | None:
        """Take a process that waits for a question; None when there is none."""
        while True:
            try:
                process = self._idle.pop()
            except IndexError:
                return None
            if process.is_in_step():
                return process
            process.discard()

    def fresh(self) -> Process:
        """Start a process.

        Raises:
            CallFailed: it cannot be started.
        """
        return Process(self._launch)

    def give_back(self, process: Process) -> None:
        """Leave a process that has answered to the next call."""
        self._idle.append(process)

    def close(self) -> None:
        """Let every idle process end, and kill those that do not within a second."""
        leaving, self._idle = self._idle, []
        for process in leaving:
            process.let_go()
        deadline = monotonic() + GRACE_SECONDS
        for process in leaving:
            process.end(deadline)
