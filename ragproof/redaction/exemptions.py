"""What no rule may touch: marks that already stand for a secret, sentinels, and a dataset's literal markers.

A sentinel torn apart would make every pipeline look immune to its attack.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property

from ragproof.payloads.library import library
from ragproof.redaction.spellings import SHORTEST_SECRET

_SHORTEST_APART = 8
"""A shorter literal cannot be taken for a key, but could stand inside one and save it."""


def mark(name: str) -> str:
    """Return what stands in the place of a secret."""
    return f"[redacted:{name}]"


class Exemptions:
    """Texts that stay, wherever they stand."""

    def __init__(self, names: Iterable[str], literals: Iterable[str]) -> None:
        """Keep the marks of names, the library's sentinels, and literals of 4 characters and more."""
        self._names = tuple(names)
        self._literals = tuple(literals)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """All of them, the longest first."""
        sentinels = [payload.sentinel for payload in library().values()]
        literals = [literal for literal in self._literals if len(literal) >= SHORTEST_SECRET]
        return tuple(sorted({*map(mark, self._names), *sentinels, *literals}, key=len, reverse=True))

    def around(self, text: str, change: Callable[[str], str]) -> str:
        """Change the pieces between the exempt texts."""
        pieces = self._apart.split(text)
        return "".join(piece if index % 2 else change(piece) for index, piece in enumerate(pieces))

    @cached_property
    def _apart(self) -> re.Pattern[str]:
        long = [re.escape(text) for text in self.texts if len(text) >= _SHORTEST_APART]
        return re.compile(f"({'|'.join(long)})")
