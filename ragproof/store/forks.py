"""What happens when a process with an open store is forked: nothing of the store is carried across.

SQLite keeps its locks in the memory of the process. A child that inherits an open connection believes in
locks it does not hold, and its parent may then delete a write-ahead log that the child writes to: rows are
lost. So a fork waits for open transactions to end, and no connection is open in that moment.
Source: "Carrying an open database connection across a fork()", sqlite.org/howtocorrupt.html, 2.6.
"""

from __future__ import annotations

import os
import sys
import threading
from collections import Counter
from types import TracebackType
from typing import Protocol
from weakref import WeakSet


class Gate:
    """Lets threads through, any number at once, except while the process is being forked."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._inside: Counter[int] = Counter()
        self._shut = False

    def __enter__(self) -> None:
        thread = threading.get_ident()
        with self._changed:
            self._changed.wait_for(lambda: not self._shut or thread in self._inside)
            self._inside[thread] += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        thread = threading.get_ident()
        with self._changed:
            self._inside[thread] -= 1
            if not self._inside[thread]:
                del self._inside[thread]
            self._changed.notify_all()

    def shut(self) -> None:
        """Let no other thread in, and wait until those inside have left."""
        thread = threading.get_ident()
        with self._changed:
            self._shut = True
            self._changed.wait_for(lambda: not self._inside.keys() - {thread})

    def open(self) -> None:
        """Let threads through again."""
        with self._changed:
            self._shut = False
            self._changed.notify_all()


class Forked(Protocol):
    """Owns locks, threads or connections that a forked child must not use."""

    def before_fork(self) -> None:
        """Bring to rest what cannot be carried across."""
        ...

    def after_fork(self, in_child: bool) -> None:
        """Go on in the parent; start afresh in the child, which has no other thread."""
        ...


_owners: WeakSet[Forked] = WeakSet()


def watch(owner: Forked) -> None:
    """Tell the owner of every fork of this process from now on."""
    _owners.add(owner)


def _before() -> None:
    for owner in tuple(_owners):
        owner.before_fork()


def _after(in_child: bool) -> None:
    for owner in tuple(_owners):
        owner.after_fork(in_child)


if sys.platform != "win32":
    os.register_at_fork(
        before=_before, after_in_parent=lambda: _after(False), after_in_child=lambda: _after(True)
    )
