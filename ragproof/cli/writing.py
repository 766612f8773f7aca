"""Writing a file that a command was asked for."""

from __future__ import annotations

import sys
from pathlib import Path

from ragproof.errors import RagproofError


def write_file(path: Path, text: str) -> None:
    """Write text as UTF-8, making the folders it takes, and say so on stderr.

    Raises:
        RagproofError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise RagproofError(f"'{path}' cannot be written: {error.strerror}; name another file") from error
    sys.stderr.write(f"wrote {path}\n")
