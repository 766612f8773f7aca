"""Who works on a run: a process on a machine, and whether it is known to be gone."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from ragproof.frozen import Frozen


class Holder(Frozen):
    """One process, as other processes can look for it."""

    process: int
    machine: str
    """Host name and, where there is one, the process namespace: a number means a process only inside it."""

    def __str__(self) -> str:
        return f"process {self.process} on {self.machine.partition('/')[0]}"

    def is_gone(self) -> bool:
        """Say whether the process is known to have ended; on another machine nobody can know."""
        if self.machine != _machine():
            return False
        try:
            os.kill(self.process, 0)
        except ProcessLookupError:
            return True
        except OSError:  # it lives, and belongs to somebody else
            return False
        return False


def this_process() -> Holder:
    """Return this process."""
    return Holder(process=os.getpid(), machine=_machine())


def _machine() -> str:
    namespace = Path("/proc/self/ns/pid")
    inside = f"/{namespace.readlink()}" if namespace.is_symlink() else ""
    return socket.gethostname() + inside
