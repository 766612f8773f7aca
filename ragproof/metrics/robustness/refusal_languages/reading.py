"""Reading takes an answer apart as a person skims it: markup and quotations out, then one sentence at a time.

Convention: only the first `WINDOW_CHARACTERS` of an answer are read, because a refusal stands near the start.
A quotation becomes one neutral sign; an answer that is nothing but one quotation is read without its quotes.
False friend: this is no markdown parser; it removes what would stand between the words of a sentence.
"""

import re
from collections.abc import Iterator

from ragproof.metrics.robustness.refusal_languages.folding import fold

WINDOW_CHARACTERS = 700
QUOTED = "¤"

_QUOTATION = re.compile(
    r'"[^"]{1,400}"'
    r"|“[^”“]{1,400}[”“]|„[^“”„]{1,400}[“”]|«[^»«]{1,400}»|»[^«»]{1,400}«|‹[^›]{1,400}›"
    r"|「[^」]{1,400}」|『[^』]{1,400}』|《[^》]{1,400}》|``[^`']{1,400}''|```[^`]{1,400}```|`[^`]{1,400}`"
    r"|(?<![^\W_])‘(?:[^’\n]|’(?=[^\W\d_])){1,400}’(?![A-Za-z\u00c0-\u024f])"
    r"|(?<![^\W_])'(?=\S)(?:[^'\n]|(?<=[^\W\d_])'(?=[A-Za-z\u00c0-\u024f])){1,400}'(?![A-Za-z\u00c0-\u024f])"
)
_QUOTE_SIGNS = "\"“”„«»‹›「」『』《》`'‘’"
_QUOTES = frozenset(_QUOTE_SIGNS)
_SPEAKS = re.compile(r"[^\W_]")
_CITATION = re.compile(
    r"\s*(?:\[[^\[\]\n]{0,60}\](?:\([^()\s]{0,200}\))?|【[^【】\n]{0,60}】|</?[a-z][^<>\n]{0,60}>|[⁰¹²³⁴⁵⁶⁷⁸⁹]+"
    r"|\(\d{1,3}(?:, ?\d{1,3}){0,5}\))",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"[*#~|]+|^\s*(?:[>•·–-]|\d{1,2}[.)])\s+|\[|\]|</?|>|【|】", re.MULTILINE)
_WRAPPING = " \t\n.!?。؟।…"
_STOP = re.compile(r"[.!?]+(?=\s|$)|[。؟।॥…]+|[!?](?=[^\x00-\x7f])|\n")
_SHORTENED = frozenset(
    [
        *(
            "approx",
            "dr",
            "e.g",
            "etc",
            "fig",
            "i.e",
            "inc",
            "jr",
            "ltd",
            "mr",
            "mrs",
            "ms",
            "no",
            "prof",
            "sr",
            "st",
            "vs",
        ),
        *("abs", "bzw", "ca", "d.h", "evtl", "ggf", "inkl", "nr", "sog", "u.a", "usw", "z.b"),
        *("art", "av", "dott", "num", "p.ex", "pag", "sig", "sra", "bkz", "vb"),
        *("др", "им", "ст", "стр", "т.д", "т.е", "ул"),
    ]
)
_AROUND_A_SENTENCE = " .!?。؟।॥…,;:-–—\"'()¿¡"


def read(text: str) -> str:
    """Return the folded beginning of an answer without markup, citations and quotations.

    Args:
        text: the answer, without white space before it.

    Returns:
        At most `WINDOW_CHARACTERS` on lines of single-spaced words; "" when nothing was written.
    """
    beginning = text[:WINDOW_CHARACTERS]
    unquoted = beginning if _QUOTES.isdisjoint(beginning) else _without_quotations(beginning)
    uncited = _CITATION.sub("", unquoted)
    plain = _MARKUP.sub(" ", uncited if uncited.strip(_WRAPPING) else unquoted).replace("_", " ")
    # Compatibility forms can unfold to many times their length.
    folded = fold(plain)[:WINDOW_CHARACTERS]
    return "\n".join(" ".join(line.split()) for line in folded.split("\n")).strip()


def _without_quotations(text: str) -> str:
    whole = _QUOTATION.fullmatch(text.strip(_WRAPPING))
    return _QUOTATION.sub(QUOTED, text if whole is None else whole[0].strip(_QUOTE_SIGNS))


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a read text that have a letter or digit in them, without their stops."""
    begin = 0
    for stop in (*_STOP.finditer(text), None):
        end = len(text) if stop is None else stop.start()
        if stop is not None and stop[0] == "." and _goes_on(text[begin:end]):
            continue
        sentence = text[begin:end].strip(_AROUND_A_SENTENCE)
        if _SPEAKS.search(sentence):
            yield sentence
        begin = end if stop is None else stop.end()


def _goes_on(before_the_dot: str) -> bool:
    """Tell a dot that ends an abbreviation, an initial or an ordinal from one that ends a sentence."""
    last = before_the_dot.rsplit(None, 1)[-1].lstrip("(") if before_the_dot.strip() else ""
    return last in _SHORTENED or (len(last) == 1 and last.isalpha()) or (last.isdecimal() and len(last) < 3)
