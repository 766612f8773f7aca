"""The sentences of an answer, each with the sources it cites: ALCE's reading, with rules of ours.

All lines are read, and not the first alone; a line is cut at `. ! ?` before white space and at `。！？` and
their like anywhere. An entry of a list is a line, a row of a table is one sentence; headings, the heads and
rules of tables and fences make none. A mark belongs to the sentence before it, also right after its full stop
or on a line of its own, and to the sentence after it only at the beginning of a line. False friend: NLTK's
punkt, which ALCE uses, reads no Japanese and cuts lists in no particular way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from ragproof.metrics.judged.citations.marks import Citation, Mark, marks

CAP = 3
"""How many citations of a sentence ALCE looks at."""

_END = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s|$)|[。！？．｡।؟۔]+[」』”’）)]*")
_LIST_ENTRY = re.compile(r"\s*(?:>\s*)*(?:(?:[-*+•‣◦▪●·–—]|\(?\d{1,3}[.)])\s+)*")
_NO_SENTENCE = re.compile(r"\s*(?:#{1,6}\s|```|~~~)")
_TABLE_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
_TABLE_ROW = re.compile(r"\s*\|.*\|\s*")
_SHORTENED = re.compile(
    r"(?:^|[\s(\"'“])(?:[^\W\d_]|e\.g|i\.e|z\.B|d\.h|u\.a|p\.ej|dr|mr|mrs|ms|prof|st|no|nr|vs|etc|approx|ca"
    r"|fig|p|pp|cf|bzw|inkl|art|vol|sec|inc|ltd|co|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.$",
    re.IGNORECASE,
)
_FAR = 64
"""How far the next word is looked for."""
_SPACE_BEFORE = re.compile(r"\s+(?=[,.;:!?。！？、，；：．।؟۔)\]])")


@dataclass(frozen=True)
class Sentence:
    """One sentence without its marks."""

    text: str
    citations: tuple[Citation, ...] = ()
    """Each source once, in the order cited."""
    left_out: int = 0
    """Citations past the cap."""


@dataclass
class _Open:
    """A sentence that later marks may still belong to."""

    text: str
    citations: list[Citation] = field(default_factory=list)


def read(
    answer: str, numbered: int, named: Mapping[str, int] | None = None, cap: int | None = CAP
) -> tuple[Sentence, ...]:
    """Read an answer.

    Args:
        answer: any text; one without a letter or digit has no sentence.
        numbered: how many sources a number in brackets can mean, at least 0.
        named: places of sources by name; None is no names.
        cap: how many citations of a sentence count, the first ones; None is all.

    Returns:
        The sentences in their order.
    """
    opened: list[_Open] = []
    for line in _lines(answer):
        found = list(marks(line, numbered, named or {}))
        _read_line(line, found, opened)
    return tuple(_closed(each, cap) for each in opened)


def capped(citations: Sequence[Citation], cap: int | None) -> tuple[Citation, ...]:
    """Return each source once, at most the first `cap`; what points at nothing is told apart by its label."""
    once: dict[str | int, Citation] = {}
    for each in citations:
        once.setdefault(each.label if each.place is None else each.place, each)
    return tuple(once.values())[:cap]


def _lines(answer: str) -> Iterator[str]:
    lines = [*answer.splitlines(), ""]
    for line, after in pairwise(lines):
        is_head = _TABLE_ROW.fullmatch(line) and _is_rule(after)
        if not (is_head or _is_rule(line) or _NO_SENTENCE.match(line)):
            yield line


def _is_rule(line: str) -> bool:
    return "|" in line and _TABLE_RULE.fullmatch(line) is not None


def _read_line(line: str, found: Sequence[Mark], opened: list[_Open]) -> None:
    """Add the sentences of a line, and give each mark to its sentence."""
    entry = _LIST_ENTRY.match(line)
    plain, offsets, place = "", [], entry.end() if entry else 0
    for mark in found:
        plain += line[place : mark.start]
        offsets.append(len(plain.rstrip()))
        plain += " "
        place = max(place, mark.end)
    plain += line[place:]
    ends, spoken = [], len(opened)
    start = 0
    for end in [len(plain)] if _TABLE_ROW.fullmatch(line) else [*_ends(plain), len(plain)]:
        text = _tidy(plain[start:end])
        if any(character.isalnum() for character in text):
            opened.append(_Open(text))
            ends.append(end)
            start = end
    for offset, mark in zip(offsets, found, strict=True):
        before = next((place for place, end in enumerate(ends) if offset <= end), len(ends) - 1)
        at = spoken + before if ends else len(opened) - 1
        if at >= 0:
            opened[at].citations.extend(mark.citations)


def _ends(plain: str) -> Iterator[int]:
    for found in _END.finditer(plain):
        after = plain[found.end() : found.end() + _FAR].lstrip()
        stops = found[0].startswith((".", "…"))
        if stops and after[:1].islower():
            continue
        if found[0] == "." and after and _SHORTENED.search(plain[: found.end()][-24:]):
            continue
        yield found.end()


def _tidy(text: str) -> str:
    return _SPACE_BEFORE.sub("", " ".join(text.replace("|", " | ").split())).strip("| ")


def _closed(sentence: _Open, cap: int | None) -> Sentence:
    distinct = capped(sentence.citations, None)
    kept = distinct[:cap]
    return Sentence(sentence.text, kept, len(distinct) - len(kept))
