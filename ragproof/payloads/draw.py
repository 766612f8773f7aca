"""Chance that is the same on every machine and in every Python, drawn from a seed and names alone.

Adding a case or a document leaves all other draws as they were, which one shared `random.Random` would not.
"""

from __future__ import annotations

import hashlib


def draw(seed: int, *names: str) -> int:
    """Return a number in [0, 2**64) for what these names stand for, in this order."""
    key = "\x1f".join((str(seed), *names)).encode("utf-8", "backslashreplace")
    return int.from_bytes(hashlib.sha256(key).digest()[:8], "big")
