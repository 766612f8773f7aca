"""The closed vocabulary of verdicts and ratings: a word is in it as a whole, or it is no verdict.

False friend: a search for "supported" in the reply, which "partly supported" and "unsupported" satisfy; and
truthiness, by which "0", "false", -1 and {"value": 1} are all yes.
"""

from __future__ import annotations

from collections.abc import Mapping

VERDICT_WORDS: Mapping[str, bool] = {
    "supported": True,
    "yes": True,
    "true": True,
    "1": True,
    "unsupported": False,
    "no": False,
    "false": False,
    "0": False,
}
RATING_WORDS: Mapping[str, int] = {
    "relevant": 2,
    "complete": 2,
    "2": 2,
    "partial": 1,
    "1": 1,
    "irrelevant": 0,
    "missing": 0,
    "0": 0,
}


def verdict(value: object) -> bool | None:
    """Return what a verdict says.

    Args:
        value: as JSON has it: a word in any case of letters, true, false, 1 or 0.

    Returns:
        None when it is not in the vocabulary.
    """
    if isinstance(value, bool):
        return value
    number = _whole(value)
    if number is not None:
        return {0: False, 1: True}.get(number)
    return VERDICT_WORDS.get(_word(value))


def rating(value: object) -> int | None:
    """Return what a rating says: 0, 1 or 2, also as a word; None when it is not in the vocabulary.

    True is no rating, although Python counts it as 1.
    """
    if isinstance(value, bool):
        return None
    number = _whole(value)
    if number is not None:
        return number if number in (0, 1, 2) else None
    return RATING_WORDS.get(_word(value))


def _whole(value: object) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return int(value) if isinstance(value, float) and value.is_integer() else None


def _word(value: object) -> str:
    """Return a word without outer white space, its full stop and its case; anything but text is no word."""
    return value.strip().casefold().removesuffix(".") if isinstance(value, str) else ""
