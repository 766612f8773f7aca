"""How many entries a question to the judge is about: few enough that none of them is passed over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

MOST = 10
"""Claims, contexts or sentences in one question."""

Entry = TypeVar("Entry")


def batches(entries: Sequence[Entry], most: int = MOST) -> list[Sequence[Entry]]:
    """Cut entries into runs of at most `most`, at least 1, in their order; none for no entries."""
    return [entries[start : start + most] for start in range(0, len(entries), most)]
