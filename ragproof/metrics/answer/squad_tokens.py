"""SQuAD tokens: what the SQuAD v2 evaluation leaves of a text before it compares.

Lower case, every ASCII punctuation mark deleted, the words a, an and the replaced by a space, then split at
white space. Convention: the behaviour of the official evaluation, its traps included. Deleting joins ("3.5"
is "35", "-5" is "5"), and curly quotes, guillemets and CJK punctuation are not ASCII, so they stay.
Source: Rajpurkar, Jia and Liang (2018), doi:10.18653/v1/P18-2124, evaluation v2.0.
False friend: `unicode_tokens`, made for every script.
"""

from __future__ import annotations

import re
import string

_PUNCTUATION = re.compile(f"[{re.escape(string.punctuation)}]+")
_ARTICLE = re.compile(r"\b(?:an?|the)\b")


def squad_tokens(text: str) -> tuple[str, ...]:
    """Return the tokens of a text as SQuAD counts them; joined by one space they are its normal form.

    Args:
        text: any text; empty, and text of nothing but articles, ASCII punctuation and white space, has none.

    Returns:
        The tokens in their order.
    """
    return tuple(_ARTICLE.sub(" ", _PUNCTUATION.sub("", text.lower())).split())
