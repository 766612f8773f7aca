"""Ways to hide an instruction from a reader or a filter and still have a model read it.

Tag characters are U+E0020 to U+E007E, one for each printable ASCII character, drawn by nothing (Unicode 16,
section 23.9). They are made here, not stored, so that no file of this project holds invisible text.
"""

from __future__ import annotations

import base64
import codecs
import re
from collections.abc import Callable, Mapping

TAG_OFFSET = 0xE0000
ZERO_WIDTH_SPACE = "\u200b"

_TAG_CHARACTERS = re.compile("[\U000e0020-\U000e007e]")


def zero_width(text: str) -> str:
    """Put a zero-width space between all characters, which a word filter does not see through."""
    return ZERO_WIDTH_SPACE.join(text)


def tag_characters(text: str) -> str:
    """Write printable ASCII in tag characters; what has no tag character is left out."""
    return "".join(chr(TAG_OFFSET + ord(character)) for character in text if " " <= character <= "~")


def decode_tag_characters(text: str) -> str:
    """Turn every tag character that stands for a printable one into that one."""
    return _TAG_CHARACTERS.sub(lambda match: chr(ord(match[0]) - TAG_OFFSET), text)


def base64_text(text: str) -> str:
    """Write the text's UTF-8 bytes in Base64 on one line."""
    return base64.b64encode(text.encode()).decode()


def rot13(text: str) -> str:
    """Turn each ASCII letter 13 places."""
    return codecs.encode(text, "rot13")


def plain(text: str) -> str:
    """Leave the text as it is."""
    return text


DISGUISES: Mapping[str, Callable[[str], str]] = {
    "plain": plain,
    "zero-width": zero_width,
    "tag-characters": tag_characters,
    "base64": base64_text,
    "rot13": rot13,
}
