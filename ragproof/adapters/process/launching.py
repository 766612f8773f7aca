"""What a process is started with: its arguments, its folder, and little of the environment."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

_ALWAYS_GIVEN = (
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "LC_*", "TZ", "TMPDIR", "TMP", "TEMP",
    "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "LD_LIBRARY_PATH", "SSL_CERT_FILE", "SSL_CERT_DIR",
)  # fmt: skip
"""Where programs, files and certificates are, and in which language to speak; nothing that opens a door."""
_UNBUFFERED = {"PYTHONUNBUFFERED": "1"}
"""Python would otherwise keep a line back until it has a block of them, and every question would time out."""


@dataclass(frozen=True)
class Launch:
    """How a process of the command is started."""

    command: tuple[str, ...]
    cwd: Path
    environment: Mapping[str, str]

    def faults(self) -> Iterator[str]:
        """Yield what keeps it from being started, as far as can be seen without trying."""
        if not self.cwd.is_dir():
            yield f"'{self.cwd}' is not a folder; set cwd to one beside the configuration"
        elif self._executable() is None:
            yield f"there is no program '{self.command[0]}'; give its path, or install it where PATH leads"

    def _executable(self) -> str | None:
        program = self.command[0]
        if "/" in program:  # as the operating system has it: from the folder it is started in
            return shutil.which(self.cwd / program)
        return shutil.which(program, path=self.environment.get("PATH", os.defpath))


def launch(command: Sequence[str], cwd: Path, environ: Mapping[str, str], named: Mapping[str, str]) -> Launch:
    """Describe how a process is started.

    Args:
        command: program and arguments; never given to a shell.
        cwd: the folder it is started in.
        environ: the environment it takes what is always given from.
        named: the variables that the configuration gives it.
    """
    given = {
        name: value
        for name, value in environ.items()
        if any(fnmatchcase(name, pattern) for pattern in _ALWAYS_GIVEN)
    }
    return Launch(tuple(command), cwd, {**given, **_UNBUFFERED, **named})
