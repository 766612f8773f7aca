"""Refusal detection: did an answer decline to answer, told by rules alone, in 13 languages?

An answer declines when its first clause with content is a refusal and no other clause carries content. What
refusals look like is in `refusal_languages`, one phrasebook a language. Convention: conservative; a partial
or hedged answer is an answer, and an empty one is an abstention (as in the SQuAD v2 evaluation).
False friend: not a judge of whether declining was right, and not a search for words such as "not" or "sorry".
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from ragproof.metrics.robustness.refusal_languages import SUPPORTED_LANGUAGES, phrasebook
from ragproof.metrics.robustness.refusal_languages.identification import identify
from ragproof.metrics.robustness.refusal_languages.phrasebook import Phrasebook
from ragproof.metrics.robustness.refusal_languages.reading import read, sentences

_LONGEST_CLAUSE_CHARACTERS = 320
_LONGEST_EXCERPT_CHARACTERS = 80
_SHORT_CHARACTERS = 2_000
_MOST_OPENERS = 5
_AROUND_A_LABEL = " .!?。؟।…,;:-–—\"'(){}[]<>"
_BETWEEN_CLAUSES = " ,;:-–—、،"
_SUPPORTED = ", ".join(SUPPORTED_LANGUAGES)
_NOT_GIVEN = frozenset({"", "und", "mul", "zxx"})
_TWO_LETTERS = {
    **dict.fromkeys(("deu", "ger"), "de"),
    **dict.fromkeys(("fra", "fre"), "fr"),
    **dict.fromkeys(("zho", "chi", "cmn"), "zh"),
    **dict.fromkeys(("ara", "arb"), "ar"),
    "eng": "en",
    "spa": "es",
    "por": "pt",
    "ita": "it",
    "jpn": "ja",
    "kor": "ko",
    "hin": "hi",
    "rus": "ru",
    "tur": "tr",
}


@dataclass(frozen=True)
class Refusal:
    """Whether an answer declined, and how that was decided.

    Attributes:
        refused: None when the answer's language has no phrasebook.
        language: the BCP-47 primary tag whose rules decided; None when it is not known.
        reason: the rule that decided, for a person to read.
    """

    refused: bool | None
    language: str | None
    reason: str


def detect(text: str, language: str | None = None) -> Refusal:
    """Tell whether an answer declines to answer.

    Args:
        text: the answer; empty or white space is an abstention in every language.
        language: a BCP-47 tag such as "de" or "de-AT"; None, "" and "und" mean that it is to be identified.
            An answer in another supported language than this one is read in both.

    Returns:
        The verdict; its `refused` is None when no phrasebook fits.
    """
    return _detect_short(text, language) if len(text) <= _SHORT_CHARACTERS else _detect(text, language)


def _detect(text: str, language: str | None) -> Refusal:
    hint = _primary(language)
    answer = text.strip()
    if not answer:
        return Refusal(True, hint, "empty answer")
    if hint is not None and hint not in SUPPORTED_LANGUAGES:
        return Refusal(None, hint, f"refusal language '{hint}' not supported, expected one of {_SUPPORTED}")
    identified = identify(answer, otherwise=hint)
    body = read(answer)
    verdicts = [_judge(body, tag) for tag in dict.fromkeys((hint, *identified)) if tag is not None]
    for verdict in verdicts:
        if verdict.refused:
            return verdict
    if not identified:
        return Refusal(None, None, f"refusal language not identified, expected one of {_SUPPORTED}")
    return verdicts[0]


def _primary(language: str | None) -> str | None:
    tag = (language or "").strip().lower().replace("_", "-").split("-")[0]
    return None if tag in _NOT_GIVEN else _TWO_LETTERS.get(tag, tag)


def _judge(body: str, tag: str) -> Refusal:
    book = phrasebook(tag)
    label = body.strip(_AROUND_A_LABEL)
    if label in book.whole_answers:
        return Refusal(True, tag, f"the whole answer is the label '{label}'")
    if not book.cue.search(body):
        return Refusal(False, tag, "no word of refusal")
    declined = ""
    for clause in _clauses(book, body):
        role, why = _role(book, clause)
        if role == "content":
            where = "content follows a refusal" if declined else "opens with content"
            return Refusal(False, tag, f"{where}: {_excerpt(clause)} ({why})")
        if role == "refusal" and not declined:
            declined = f"{why}: {_excerpt(clause)}"
    return Refusal(True, tag, declined) if declined else Refusal(False, tag, "courtesies alone, no refusal")


def _clauses(book: Phrasebook, body: str) -> Iterator[str]:
    for sentence in sentences(body):
        bounded = sentence[:_LONGEST_CLAUSE_CHARACTERS]
        if any(pattern.match(bounded) for _, pattern in book.sentence_refusal):
            yield bounded
        else:
            yield from filter(None, (part.strip(_BETWEEN_CLAUSES) for part in book.turn.split(bounded)))


def _role(book: Phrasebook, clause: str) -> tuple[Literal["content", "refusal", "courtesy"], str]:
    stages = _without_openers(book, clause)
    for stage in stages:
        if book.answer.match(stage):
            return "content", "looks like a refusal and answers"
        if stage in book.whole_answers:
            return "refusal", "label"
        if not book.cue.search(stage):
            continue
        for why, pattern in (*book.refusal, *book.sentence_refusal):
            if pattern.match(stage):
                return "refusal", why
    if not stages[-1] or any(book.courtesy.match(stage) for stage in stages):
        return "courtesy", "courtesy"
    return "content", "neither refusal nor courtesy"


def _without_openers(book: Phrasebook, clause: str) -> list[str]:
    stages = [clause]
    while len(stages) <= _MOST_OPENERS and (opener := book.opener.match(stages[-1])) and opener.end():
        stages.append(stages[-1][opener.end() :].strip(_BETWEEN_CLAUSES))
    return stages


def _excerpt(clause: str) -> str:
    # A lone surrogate in a reason would break whoever stores or prints it.
    return f"'{clause[:_LONGEST_EXCERPT_CHARACTERS]}'".encode("utf-8", "replace").decode()


_detect_short = lru_cache(maxsize=256)(_detect)
"""Several metrics ask of the same answer, one after the other."""
