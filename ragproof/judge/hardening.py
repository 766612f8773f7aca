"""Data on its way into a prompt: one line of JSON in which nothing can pass for a part of the prompt.

Chat templates, tokenizers and models give meaning to role tokens (`<|im_start|>`, `[INST]`, `</data>`) and
read characters that nobody sees. In the line each of them begins with a JSON escape, so the data stay the
same for whoever decodes them and the bytes of the token are nowhere in the prompt. False friend: removing
them, which changes what is judged.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue

_TOKENS = r"<(?=[/|!<?a-zA-Z\uff5c])|\[(?=/?[A-Z_]{3,40}\])|◁(?=/?[a-z])"
_VARIATION_SELECTORS = "[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}"
_UNSEEN = (
    "[\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
_NEUTRALISED = re.compile(f"{_TOKENS}|{_VARIATION_SELECTORS}|{_UNSEEN}")
_JOINERS = frozenset("\u200c\u200d\u200e\u200f\u061c")


@dataclass(frozen=True)
class DataLine:
    """Data as a prompt holds them."""

    text: str
    """One line of JSON."""
    neutralised: int
    """How many places were escaped that JSON would have left as they are."""


def data_line(data: Mapping[str, JsonValue]) -> DataLine:
    """Write data as one line of JSON that holds no token, closing tag or unseen character.

    Joiners and direction marks stay between two characters that are not ASCII: scripts and emoji need them.

    Args:
        data: keys are the prompt's own, values come from anywhere; lone surrogates are escaped too.

    Returns:
        `json.loads` of the text gives the data back.
    """
    neutralised = 0

    def escape(found: re.Match[str]) -> str:
        nonlocal neutralised
        if found[0] in _JOINERS and _is_needed(written, found.start()):
            return found[0]
        neutralised += 1
        return "".join(map(_escaped, found[0]))

    written = json.dumps(data, ensure_ascii=False)
    text = _NEUTRALISED.sub(escape, written)
    return DataLine(text, neutralised)


def _is_needed(text: str, place: int) -> bool:
    """Say whether a joiner stands between characters of a script, and not between other unseen ones."""
    around = text[place - 1 : place] + text[place + 1 : place + 2]
    return len(around) == 2 and all(not c.isascii() and unicodedata.category(c)[0] != "C" for c in around)


def _escaped(character: str) -> str:
    return json.dumps(character)[1:-1] if not character.isascii() else f"\\u{ord(character):04x}"
