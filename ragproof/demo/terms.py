"""Words of a text in any script, the way both the index and the answerer count them.

Text is normalised (NFKC, casefold). A word is a run of letters, marks and digits by Unicode category, so that
a Devanagari vowel sign stays inside its word (Python's `\\w` leaves it out). Han and Kana are written without
spaces: their runs give pairs of neighbouring characters. Plurals in -s fold into the singular by the three
rules of the S stemmer (Harman, "How effective is suffixing?", 1991); nothing else is stemmed.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import groupby

from ragproof.demo.stopwords import STOPWORDS

CHARACTERS_PER_WORD = 2
"""Han or Kana characters counted as one word when the length of a chunk is measured."""
SHORTEST_PLURAL = 3
"""Words up to this length keep a final s."""


def normalise(text: str) -> str:
    """Return the text with compatibility forms and case folded, as it is indexed and asked."""
    return unicodedata.normalize("NFKC", text).casefold()


def words(text: str) -> tuple[str, ...]:
    """Return every word in order, repeated as often as it occurs.

    Args:
        text: any text; "" has no words.

    Returns:
        Words of spaced scripts, and pairs of characters for Han and Kana (a lone character stays itself).
    """
    found: list[str] = []
    for kind, run in _runs(normalise(text)):
        if kind == "unspaced":
            found.extend(run[at : at + 2] for at in range(max(1, len(run) - 1)))
        else:
            found.append(run)
    return tuple(found)


def terms(text: str) -> tuple[str, ...]:
    """Return the words with plurals folded, as they are indexed."""
    return tuple(map(_singular, words(text)))


def content_terms(text: str) -> tuple[str, ...]:
    """Return the terms that carry a topic: no stop words, and no pairs written in hiragana alone."""
    carrying = [word for word in words(text) if word not in STOPWORDS and not all(map(_is_hiragana, word))]
    return tuple(map(_singular, carrying))


def trigrams(text: str) -> tuple[str, ...]:
    """Return the distinct runs of three characters, hyphens included, as an index of trigrams stores them.

    Args:
        text: any text; stretches shorter than three characters give nothing.

    Returns:
        The trigrams in order of appearance, each once.
    """
    joined = groupby(normalise(text), key=lambda character: bool(_kind(character)) or character == "-")
    stretches = ["".join(group) for inside, group in joined if inside]
    return tuple(dict.fromkeys(s[at : at + 3] for s in stretches for at in range(len(s) - 2)))


def is_unspaced(text: str) -> bool:
    """Tell whether the text holds Han or Kana."""
    return any(_kind(character) == "unspaced" for character in normalise(text))


def word_count(text: str) -> int:
    """Return the length of a text in words, two Han or Kana characters counting as one."""
    runs = list(_runs(normalise(text)))
    unspaced = sum(len(run) for kind, run in runs if kind == "unspaced")
    return sum(kind == "spaced" for kind, _ in runs) + unspaced // CHARACTERS_PER_WORD


def _singular(word: str) -> str:
    if len(word) <= SHORTEST_PLURAL or not word.endswith("s"):
        return word
    if word.endswith("ies"):
        return word if word.endswith(("eies", "aies")) else word[:-3] + "y"
    if word.endswith("es"):
        return word if word.endswith(("aes", "ees", "oes")) else word[:-1]
    return word if word.endswith(("us", "ss")) else word[:-1]


def _runs(text: str) -> Iterator[tuple[str, str]]:
    for kind, group in groupby(text, key=_kind):
        if kind:
            yield kind, "".join(group)


@cache
def _kind(character: str) -> str:
    """Return "spaced" or "unspaced" for a character of a word, "" for one between words."""
    if unicodedata.category(character)[0] not in "LMN":
        return ""
    name = unicodedata.name(character, "")
    return "unspaced" if name.startswith(("CJK", "HIRAGANA", "KATAKANA", "IDEOGRAPHIC")) else "spaced"


def _is_hiragana(character: str) -> bool:
    return "぀" <= character <= "ゟ"
