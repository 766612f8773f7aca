"""Whether an answer says otherwise than what it was read from, told from words alone, where no judge looked.

Two signs, in any language: it names a figure that stands in nothing it read, where the right answer is
another figure; or a sentence of it is nearly one that was right, with words put in another's place. What
stands word for word in a chunk is taken from there, right or wrong, and is no conflict. Conservative: a
paraphrase shows neither sign. False friend: entailment, which needs a model.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from ragproof.metrics.answer.unicode_tokens import unicode_tokens
from ragproof.metrics.robustness.refusal_languages.reading import sentences

NEARLY = 0.6
"""The least similarity, 2 * matching tokens / all tokens, of a sentence and what it was made from."""
ABOUT = 1 / 3
"""The least share of an answer's words that make it speak of the same."""
_LEAST_TOKENS = 3
_LONGEST_CHARACTERS = 4_000
_MOST_SENTENCES = 12
_CITATION = re.compile(r"\s*[\[【][^\[\]【】\n]{0,60}[\]】]")

Tokens = tuple[str, ...]


def conflict(answer: str, read: Sequence[str], right: Sequence[str], question: str = "") -> str | None:
    """Look for a place where an answer conflicts with what is right.

    Args:
        answer: what was answered.
        read: the texts that the generator was given; empty supports nothing.
        right: texts that are right: expected answers, an earlier answer; empty has nothing to conflict with.
        question: whose words an answer may repeat.

    Returns:
        A sentence that says what conflicts; None when nothing shows it.
    """
    chunks = [unicode_tokens(text[:_LONGEST_CHARACTERS]) for text in read]
    said = [unicode_tokens(each) for each in _sentences(answer)]
    truths = [tokens for text in right for tokens in _whole_and_sentences(text)]
    known = {*unicode_tokens(question), *(token for tokens in chunks for token in tokens)}
    figure = _odd_figure(said, truths, known)
    if figure is not None:
        return f"it says '{figure}', which stands in nothing it was given"
    for sentence in said:
        if not any(_stands_in(sentence, tokens) for tokens in chunks):
            twisted = _twisted(sentence, truths, read, chunks)
            if twisted is not None:
                return f"it says '{' '.join(sentence)}' where '{' '.join(twisted)}' stood"
    return None


def speaks_of(answer: str, right: Sequence[str]) -> bool:
    """Say whether an answer speaks of what is right: whether a third of its words are among theirs.

    Args:
        answer: what was answered; one without words speaks of nothing.
        right: texts that are right, and the question.
    """
    said = set(unicode_tokens(_plain(answer)))
    known = {token for text in right for token in unicode_tokens(text[:_LONGEST_CHARACTERS])}
    return bool(said) and len(said & known) >= ABOUT * len(said)


def _odd_figure(said: Iterable[Tokens], truths: Iterable[Tokens], known: set[str]) -> str | None:
    right = {token for tokens in truths for token in tokens if _is_figure(token)}
    if not right:
        return None
    told = [token for tokens in said for token in tokens if _is_figure(token)]
    return next((figure for figure in told if figure not in right and figure not in known), None)


def _is_figure(token: str) -> bool:
    return token.lstrip("-").replace(".", "", 1).isdecimal()


def _twisted(
    said: Tokens, truths: Sequence[Tokens], read: Sequence[str], chunks: Sequence[Tokens]
) -> Tokens | None:
    """Find the sentence that another one twists, among those that are right and those of what was read."""
    sources = {
        token for tokens in chunks if any(_stands_in(each, tokens) for each in truths) for token in tokens
    }
    for truth in truths:
        if _twists(said, truth, sources.union(truth)):
            return truth
    for text, tokens in zip(read, chunks, strict=True):
        for sentence in map(unicode_tokens, _sentences(text)):
            if _twists(said, sentence, set(tokens)):
                return sentence
    return None


def _twists(said: Tokens, source: Tokens, around: set[str]) -> bool:
    """Tell whether a sentence is another with words replaced, or put in, that did not stand around it.

    A sentence that was cut, framed, or joined from what stood in one place says nothing else.
    """
    if min(len(said), len(source)) < _LEAST_TOKENS or around.issuperset(said):
        return False
    shared = (Counter(said) & Counter(source)).total()
    if 2 * shared < NEARLY * (len(said) + len(source)):
        return False
    matcher = SequenceMatcher(None, source, said, autojunk=False)
    if matcher.ratio() < NEARLY:
        return False
    steps = matcher.get_opcodes()
    return any(
        not around.issuperset(said[begin:end])
        and (tag == "replace" or (tag == "insert" and 0 < place < len(steps) - 1))
        for place, (tag, _, _, begin, end) in enumerate(steps)
    )


def _stands_in(sentence: Tokens, chunk: Tokens) -> bool:
    return f" {' '.join(sentence)} " in f" {' '.join(chunk)} "


def _whole_and_sentences(text: str) -> Iterator[Tokens]:
    whole = unicode_tokens(_plain(text))
    parts = [unicode_tokens(each) for each in _sentences(text)]
    yield from dict.fromkeys([whole, *parts])


def _sentences(text: str) -> Iterator[str]:
    for number, sentence in enumerate(sentences(_plain(text))):
        if number == _MOST_SENTENCES:
            return
        yield sentence


def _plain(text: str) -> str:
    return _CITATION.sub("", text[:_LONGEST_CHARACTERS])
