"""Whether a passage that the judge quotes stands in a text: compared without case and spacing.

A quote shows a reader where to look. One that is nowhere counts against nobody, unless the run requires
quotes: models copy loosely, and the verdict may be right all the same.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable


def is_quoted(quote: str, texts: Iterable[str]) -> bool:
    """Say whether a quote stands in one of the texts; an empty quote stands nowhere."""
    sought = _plain(quote)
    return bool(sought) and any(sought in _plain(text) for text in texts)


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(folded.split()).strip("\"'“”‘’«»„… ")
