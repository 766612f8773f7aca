"""The few fragments of a text in which a secret would show, so that honest text is read once and quickly.

A secret without blanks stands inside one long word; the beginning of one that was cut off stands at the end
of the text or before an ellipsis.
"""

from __future__ import annotations

SHORTEST_WORD = 10
"""In characters; a secret with fewer is looked for in the whole text."""
ELLIPSIS = "\u2026"


def fragments(text: str) -> str:
    """Return the long words of a text and the ends of what an ellipsis follows, each on a line."""
    long = [word for word in text.split() if len(word) >= SHORTEST_WORD]
    ends = [piece[-SHORTEST_WORD:] for piece in text.replace("...", ELLIPSIS).split(ELLIPSIS)]
    return "\n".join(long + ends)
