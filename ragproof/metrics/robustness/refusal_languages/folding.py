"""Folding makes spellings of one word equal: compatibility forms, case, accents, vowel marks, apostrophes.

Convention: NFKC, lower case, then one table of single characters. Latin and Cyrillic accents go, Arabic vowel
marks go and its letter variants meet, Devanagari nukta and nasal sign meet, and the traditional Han
characters that the Chinese phrasebook uses become simplified ones.
False friend: this is not the token normalisation of the answer metrics, which keeps accents.
"""

import unicodedata

from ragproof.normal_form import nfkc

_APOSTROPHES = "’‘ʼ′"
_INVISIBLE = "\u00ad\u061c\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\ufeff\ufe0f"
_MARKS = "".join(map(chr, (*range(0x0300, 0x0370), *range(0x064B, 0x0653), 0x0640, 0x0670, 0x093C)))
_ARABIC_LETTERS = str.maketrans("أإآٱىةؤئ", "اااايهوي")
_TRADITIONAL = str.maketrans(
    "無沒關資訊檔題問這個說確應該請對將與為從於給來還們會過協據實際內獲檢幫權餘雖儘繫聯詢試換種記載麼樣時間詳細節絕談議論",
    "无没关资讯档题问这个说确应该请对将与为从于给来还们会过协据实际内获检帮权余虽尽系联询试换种记载么样时间详细节绝谈议论",
)


def _without_accents() -> dict[int, str]:
    table = {}
    for code in (*range(0xC0, 0x250), *range(0x400, 0x460), *range(0x1E00, 0x1F00)):
        letter = unicodedata.normalize("NFD", chr(code))[0]
        if ord(letter) != code and chr(code) not in "йЙ":
            table[code] = letter
    return table


_LIGATURES: dict[str, int | str] = {"ß": "ss", "ẞ": "ss", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe"}
_TABLE: dict[int, int | str] = {
    **_without_accents(),
    **str.maketrans(_LIGATURES),
    **str.maketrans("ıøØłŁ", "iooll"),
    **dict.fromkeys(map(ord, _INVISIBLE + _MARKS), ""),
    **_ARABIC_LETTERS,
    **_TRADITIONAL,
    **str.maketrans("ँ", "ं"),
    **dict.fromkeys(map(ord, _APOSTROPHES), "'"),
}


def fold(text: str) -> str:
    """Return the text in the form that phrasebook patterns are compared in.

    Args:
        text: any text, lone surrogates included; empty gives empty.

    Returns:
        The folded text; folding it again changes nothing.
    """
    if text.isascii():
        return text.lower()
    return nfkc(text).translate(_TABLE).lower()
