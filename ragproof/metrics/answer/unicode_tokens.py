"""Unicode tokens: words and numbers of a text in any script, in one spelling.

NFKC, case folded (U+0130 is i), without format characters, variation selectors, tatweel and apostrophes. A
token is a run of letters, marks and digits by Unicode category. In the scripts written without spaces (Han,
Kana, Thai, Lao, Khmer, Burmese) every character is one, their vowel signs and tone marks too. Digits become
ASCII; a number keeps its decimal point and leading minus (typed as a hyphen or en dash too) and loses its
thousands commas (1,234,567 and 12,34,567). % and currency signs are tokens of their own. The words a, an and
the are dropped. A text with no token at all is read by its symbols, so that one emoji is not another;
punctuation is never read.
Known limits: a full-width or Arabic separator between digits is read as a comma or point; Korean particles
stay attached; Turkish I is i; vowel marks of Arabic and Hebrew count; the articles go in every language.
False friends: `squad_tokens`, which glues what punctuation separates, and `\\w`, which splits Devanagari.
Source: our own, on Unicode Standard Annexes 15 and 44; the character data is that of the running Python.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

from ragproof.normal_form import nfkc

ARTICLES = frozenset({"a", "an", "the"})

_APOSTROPHES = frozenset("'‘’‛ʻʼ")
_ACUTE = re.compile("[\u00b4\u0384\u1ffd]")
"""Typed for an apostrophe; NFKC would make a space and a mark of it."""
_RAISED = re.compile(r"[¼-¾²³¹⁰-⁹⁺⁻₀-₉⅐-⅟↉①-⒛](?<=\d.)")
"""What NFKC would make further digits of the number before it: 6½ is not 61/2, 10² is not 102."""
_SEPARATORS = {"\u066a": "%", "\u066b": ".", "\u066c": ","}
_MINUSES = frozenset("-−‐‒–")
_TATWEEL = "\u0640"
_VARIATION_SELECTORS = ((0x180B, 0x180D), (0x180F, 0x180F), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF))

_PER_THOUSANDS = frozenset("%‰‱")
_AFTER_AMOUNTS = frozenset("°′″‴")
_CLOSING = "\x01"
_UNSPACED = (
    *((0x0E00, 0x0EFF), (0x1000, 0x109F), (0xA9E0, 0xA9FF), (0xAA60, 0xAA7F), (0x1780, 0x17FF)),
    *((0x2E80, 0x2FDF), (0x3005, 0x3007), (0x3021, 0x3029), (0x3038, 0x303B), (0x3041, 0x30FF)),
    *((0x31F0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0xFF66, 0xFF9F)),
    *((0x1AFF0, 0x1AFFE), (0x1B000, 0x1B16F), (0x20000, 0x3FFFD)),
)
"""Thai and Lao, Burmese, Khmer, then Han and Kana."""


class _Table(dict[int, str]):
    """A translation that is worked out once a character."""

    def __init__(self, translate: Callable[[str], str]) -> None:
        super().__init__()
        self._translate = translate

    def __missing__(self, code: int) -> str:
        translated = self._translate(chr(code))
        if code < 0x20000:  # the planes beyond hold a million characters, which a hostile text could list
            self[code] = translated
        return translated


def _within(character: str, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= ord(character) <= last for first, last in ranges)


def _spelled(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Nd":
        return str(unicodedata.decimal(character))
    if character in _MINUSES:
        return "-"
    unwritten = category == "Cf" or character == _TATWEEL or character in _APOSTROPHES
    if unwritten or _within(character, _VARIATION_SELECTORS):
        return ""
    return _SEPARATORS.get(character, character)


def _spaced(character: str) -> str:
    """Return the character with spaces where a token begins or ends; what may belong to a number stays."""
    category = unicodedata.category(character)
    if category == "Sc" or character in _PER_THOUSANDS:
        return f" {character} "
    if category != "Nd" and category[0] in "LMNSC" and _within(character, _UNSPACED):
        return f" {character} "
    if category[0] in "LMN" or character in "-.,":
        return character
    return _CLOSING if category in ("Pe", "Pf") or character in _AFTER_AMOUNTS else " "


_SPELLED = _Table(_spelled)
_SPACED = _Table(_spaced)

_SIGN = r" [^\w ] "
_GROUPED = re.compile(r"\d(?<!\d\d)(?<!\d[.,]\d)(?:\d?\d?(?:,\d{3})++|\d?(?:,\d\d(?!\d))++,\d{3})(?!,?\d)")
"""All groups or none, and never from the middle of a number: "1,234,56" is a list."""
_BETWEEN_TOKENS = re.compile(
    rf"[,{_CLOSING}]"
    rf"|-(?:(?<=[^ ,]-)|(?<=\d{_SIGN}-)|(?<=\d {_SIGN}-)|(?!\.?\d|{_SIGN}\.?\d))"
    r"|\.(?:(?<=[^ ,\-\d]\.)|(?!\d))"
)
"""Commas, closing marks, minuses that do not lead a number, points that are not decimal. A minus leads unless
a word, a closing mark or an amount stands before it: 1990-1995 and 5€-10€ are ranges."""

_SHORT_CHARACTERS = 2_000


def unicode_tokens(text: str) -> tuple[str, ...]:
    """Return the tokens of a text.

    Args:
        text: any text, lone surrogates included; empty, and text of nothing but articles, punctuation and
            white space, has none.

    Returns:
        The tokens in their order; none holds white space.
    """
    return _read_and_remembered(text) if len(text) <= _SHORT_CHARACTERS else _read(text)


def _read(text: str) -> tuple[str, ...]:
    spelled = _in_one_spelling(text)
    spaced = _GROUPED.sub(lambda number: number[0].replace(",", ""), spelled.translate(_SPACED))
    tokens = _BETWEEN_TOKENS.sub(" ", spaced).split()
    if not tokens:
        return tuple(filter(_is_symbol, spelled))
    return tuple([token for token in tokens if token not in ARTICLES])


def _in_one_spelling(text: str) -> str:
    if text.isascii():  # what follows would do the same, and take longer
        return text.lower().translate(_SPELLED)
    composed = _composed(_RAISED.sub(r" \g<0>", _ACUTE.sub("'", text)))
    # A dot above an i is left where U+0130 is lowered.
    return _composed(composed.translate(_SPELLED).casefold().replace("i\u0307", "i"))


def _composed(text: str) -> str:
    return nfkc(text) if len(text) > _SHORT_CHARACTERS else unicodedata.normalize("NFKC", text)


def _is_symbol(character: str) -> bool:
    category = unicodedata.category(character)
    return category[0] == "S" or category in ("Cn", "Co", "Cs")


_read_and_remembered = lru_cache(maxsize=256)(_read)
"""Several metrics read the same answer and references, one after the other."""
