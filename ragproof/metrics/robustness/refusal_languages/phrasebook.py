"""A phrasebook holds how one language declines to answer, as named pieces of regular expressions.

Convention: a block of text holds one pattern a line, each matched at the start of a clause; a piece holds one
alternative a line and is used in a pattern as `<name>`. A line that ends in `\\` goes on in the next one; a
space at either end of a line stands inside a group. Groups never capture, so `(` is written plain. Patterns
are spelled as the language is, in lower case (so no `\\S` or `\\W`), and go through the same `fold` as the
text: accents, vowel marks and letter variants never decide. Clauses are short and gaps bounded.
False friend: a phrasebook does not list refusals; it lists the parts that a refusal is built from.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from ragproof.metrics.robustness.refusal_languages.folding import fold

_PIECE = re.compile(r"<([a-z_]+)>")
_PLAIN_GROUP = re.compile(r"(?<!\\)\((?!\?)")
_CONTINUED = re.compile(r"\\\n\s*")
_NEVER = r"(?!)"


@dataclass(frozen=True)
class Phrasebook:
    """One language's ways of declining.

    Attributes:
        cues: what every refusal contains somewhere; a text without any is an answer at once.
        labels: whole answers that decline, without punctuation.
        refusals: patterns that decline, by the sentence that explains them.
        whole_sentence: the same, tried on a sentence before it is split at its turns.
        openers: what may stand before the refusal in its clause ("unfortunately, ...").
        answers: clauses that look like refusals and answer (idioms, a leading "no,").
        courtesies: clauses without content (apologies, referrals, offers, what was searched).
        turns: where a sentence may turn to content ("..., but ...").
        pieces: named parts that the patterns share.
    """

    cues: str
    labels: str
    refusals: Mapping[str, str]
    openers: str
    courtesies: str
    turns: str
    answers: str = ""
    whole_sentence: Mapping[str, str] = field(default_factory=dict)
    pieces: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def cue(self) -> re.Pattern[str]:
        return self._compiled(self.cues)

    @cached_property
    def whole_answers(self) -> frozenset[str]:
        return frozenset(fold(label) for line in _lines(self.labels) for label in line.split("|"))

    @cached_property
    def refusal(self) -> tuple[tuple[str, re.Pattern[str]], ...]:
        return tuple((reason, self._compiled(block)) for reason, block in self.refusals.items())

    @cached_property
    def sentence_refusal(self) -> tuple[tuple[str, re.Pattern[str]], ...]:
        return tuple((reason, self._compiled(block)) for reason, block in self.whole_sentence.items())

    @cached_property
    def opener(self) -> re.Pattern[str]:
        return self._compiled(self.openers)

    @cached_property
    def answer(self) -> re.Pattern[str]:
        return self._compiled(self.answers)

    @cached_property
    def courtesy(self) -> re.Pattern[str]:
        return self._compiled(self.courtesies)

    @cached_property
    def turn(self) -> re.Pattern[str]:
        return self._compiled(self.turns)

    def _compiled(self, block: str) -> re.Pattern[str]:
        return re.compile(_PLAIN_GROUP.sub("(?:", fold(self._expanded(block))) or _NEVER)

    def _expanded(self, block: str) -> str:
        alternatives = "|".join(_lines(block))
        return _PIECE.sub(lambda piece: f"({self._expanded(self.pieces[piece[1]])})", alternatives)


def _lines(block: str) -> tuple[str, ...]:
    joined = _CONTINUED.sub("", block)
    return tuple(line.strip() for line in joined.splitlines() if line.strip())
