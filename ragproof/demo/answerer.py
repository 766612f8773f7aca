"""An extractive answerer: it quotes the one or two sentences nearest to the question, or declines.

Every sentence carries `[n]`, the rank of the chunk it was taken from. It understands nothing: text
planted in a document is quoted like any other when its words fit, and the question is never repeated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

from ragproof.demo.chunks import Chunk
from ragproof.demo.index import Index
from ragproof.demo.sentences import sentences
from ragproof.demo.stopwords import ENGLISH, GERMAN
from ragproof.demo.terms import content_terms, is_unspaced, terms, words

ENOUGH = 0.4
"""Below this share of the question's weight even the best sentence is no answer."""
CONTEXT_WEIGHT = 0.5
"""A term found in the title or elsewhere in the chunk counts this much of one in the sentence itself."""
RANK_DISCOUNT = 0.05
"""What a sentence loses for each rank of its chunk."""
SECOND_SHARE = 0.6
"""A second sentence needs this share of the first one's score, and a term that the first does not cover."""

ABSTENTIONS: Final = {
    "en": "I could not find this in the handbook.",
    "de": "Das konnte ich im Handbuch nicht finden.",
    "ja": "ハンドブックには記載が見つかりませんでした。",
    "hi": "मुझे यह जानकारी हैंडबुक में नहीं मिली।",
}
"""How the answerer declines, in the language of the question."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The text with its markers, and the ids of the chunks quoted: () when it declines."""

    text: str
    citations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Candidate:
    score: float
    rank: int
    text: str
    covered: frozenset[str]


def answer(question: str, chunks: Sequence[Chunk], index: Index) -> Answer:
    """Answer a question from chunks, or decline.

    Args:
        question: what was asked.
        chunks: retrieved chunks, best first; () makes it decline.
        index: the index they came from, for the weight of terms.

    Returns:
        One or two quoted sentences in order of score, or the abstention in the question's language.
    """
    asked = frozenset(content_terms(question))
    ranked = sorted(_candidates(asked, chunks, index), key=lambda candidate: -candidate.score)
    if not ranked or ranked[0].score < ENOUGH:
        return Answer(ABSTENTIONS[language(question)], ())
    first = ranked[0]
    second = [
        candidate
        for candidate in ranked[1:]
        if candidate.score >= SECOND_SHARE * first.score and candidate.covered - first.covered
    ]
    quoted = [first, *second[:1]]
    text = " ".join(f"{candidate.text} [{candidate.rank}]" for candidate in quoted)
    return Answer(text, tuple(dict.fromkeys(chunks[candidate.rank - 1].id for candidate in quoted)))


def language(question: str) -> str:
    """Guess the language of a question: by script, and German by its function words.

    Args:
        question: any text; "" counts as English.

    Returns:
        "en", "de", "ja" or "hi".
    """
    if is_unspaced(question):
        return "ja"
    if any("ऀ" <= character <= "ॿ" for character in question):
        return "hi"
    asked = words(question)
    german = sum(word in GERMAN for word in asked)
    return "de" if german > sum(word in ENGLISH for word in asked) else "en"


def _candidates(asked: frozenset[str], chunks: Sequence[Chunk], index: Index) -> list[_Candidate]:
    total = _weight(asked, index)
    found: list[_Candidate] = []
    for rank, chunk in enumerate(chunks, start=1):
        nearby = asked & set(terms(f"{chunk.document.title}\n{chunk.text}"))
        for sentence in sentences(chunk.text):
            covered = asked & set(terms(sentence))
            if covered:
                weight = _weight(covered, index) + CONTEXT_WEIGHT * _weight(nearby - covered, index)
                score = weight / total - RANK_DISCOUNT * (rank - 1)
                found.append(_Candidate(score, rank, sentence, covered))
    return found


def _weight(covered: frozenset[str], index: Index) -> float:
    # Exact, because the order of a set differs between processes and a plain sum of floats depends on it.
    return fsum(map(index.idf, covered))
