"""Text of others made safe to show: what a terminal or browser would obey, or hide, is written as an escape.

Answers, chunks, tags and error messages come from outside. Control characters drive terminals, direction
overrides reorder what a reader sees, and zero-width and tag characters hide text in text.
"""

from __future__ import annotations

import unicodedata

ELLIPSIS = "…"
_OBEYED_OR_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
# Format characters that scripts need: soft hyphen, joiners, direction marks, and number signs that are seen.
_NEEDED = frozenset(
    "\u00ad\u0600\u0601\u0602\u0603\u0604\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u200c\u200d\u200e\u200f"
)


def visible(text: str) -> str:
    """Return text on one line with nothing in it that is obeyed or hidden.

    Args:
        text: anything, lone surrogates included.

    Returns:
        Runs of white space as single spaces, none at the ends; control, override and zero-width characters
        as escapes such as `\\x1b` and `\\u202e`.
    """
    line = " ".join(text.split())
    return line if line.isascii() and line.isprintable() else "".join(map(_shown, line))


def visible_lines(text: str) -> tuple[str, ...]:
    """Return a text's lines, each safe to show with its indentation kept; empty text has none."""
    return tuple("".join(map(_shown, line.expandtabs(4))) for line in text.splitlines())


def excerpt(text: str, length: int) -> str:
    """Return `visible` text of at most `length` characters, the last an ellipsis when more was there."""
    shown = visible(text)
    return shown if len(shown) <= length else shown[: length - 1].rstrip() + ELLIPSIS


def _shown(character: str) -> str:
    if unicodedata.category(character) not in _OBEYED_OR_HIDDEN or character in _NEEDED:
        return character
    return character.encode("unicode_escape").decode("ascii")
