"""An exception of the user's code as one line: what it was, and the line of their own file it came from."""

from __future__ import annotations

import sysconfig
import traceback
from pathlib import Path

import ragproof

_OURS = str(Path(ragproof.__file__).parent)
_INSTALLED = tuple(dict.fromkeys(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")))


def describe(error: BaseException) -> str:
    """Say what an exception was and where it came from.

    Args:
        error: as caught; a group of one is that one.

    Returns:
        `ValueError: no such index (rag.py:12)`; the file by its name alone, nothing when no frame is known.
    """
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    try:
        message = str(error)
    except Exception:  # an exception of theirs whose __str__ is broken, which must not hide the first fault
        message = ""
    place = _place(error)
    told = f"{type(error).__name__}: {message}" if message else type(error).__name__
    return f"{told} ({place})" if place else told


def _place(error: BaseException) -> str:
    """Return the deepest line of the user's own code; of an installed library's, when there is none."""
    frames = [
        frame
        for frame in traceback.StackSummary.extract(
            traceback.walk_tb(error.__traceback__), lookup_lines=False
        )
        if not frame.filename.startswith((_OURS, "<"))
    ]
    own = [frame for frame in frames if not frame.filename.startswith(_INSTALLED)] or frames
    return f"{Path(own[-1].filename).name}:{own[-1].lineno}" if own else ""
