"""JSON that every parser reads: no NaN, no infinity, no half of a surrogate pair."""

from __future__ import annotations

import json
import re

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def strict_json(value: object) -> str:
    """Write a value as indented JSON in Unicode text.

    Args:
        value: JSON values alone; None is null.

    Returns:
        Text ending in a line break, encodable as UTF-8; a lone surrogate becomes U+FFFD.

    Raises:
        ValueError: a number is not finite.
    """
    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    return _LONE_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text) + "\n"
