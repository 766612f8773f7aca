"""Citation marks in an answer: `[1]`, `[1][2]`, `[1, 2]`, `[1-3]`, with brackets and digits of any width.

A number is a place among the sources, from 1, and never wraps: `[0]` and places past the end point at nothing
and stay citations. A name is a mark when a source has it. All else in brackets is text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_MARK = re.compile(
    r"[\[［【〔](?P<labels>[^\[\]［］【】〔〕\n]{1,200})[\]］】〕](?P<link>\((?:https?:|#)[^()\s]*\))?"
)
_BETWEEN = re.compile(r"[,;、،]")
_RANGE = re.compile(r"(\d{1,6})\s*[-–—~〜‑]\s*(\d{1,6})")
_LONGEST_RANGE = 30
_LONGEST_NUMBER = 9


@dataclass(frozen=True)
class Citation:
    """One source as one mark names it."""

    label: str
    place: int | None
    """Of the source, from 1; None points at nothing."""
    by_number: bool


@dataclass(frozen=True)
class Mark:
    """One pair of brackets that cites."""

    start: int
    end: int
    citations: tuple[Citation, ...]


def marks(text: str, numbered: int, named: Mapping[str, int]) -> Iterator[Mark]:
    """Yield the marks of a text in their order.

    Args:
        text: any text.
        numbered: how many sources a number can mean.
        named: places of sources by the names they may be cited by; a name that is a number counts before it.
    """
    for found in _MARK.finditer(text):
        labels = _labels(found["labels"], named)
        citations = [_citation(label, numbered, named) for label in labels]
        if citations and None not in citations:
            yield Mark(found.start(), found.end(), tuple(each for each in citations if each is not None))


def _labels(written: str, named: Mapping[str, int]) -> list[str]:
    if written.strip() in named:
        return [written.strip()]
    plain = unicodedata.normalize("NFKC", written).partition("†")[0].strip().removeprefix("^")
    labels: list[str] = []
    for part in (part.strip() for part in _BETWEEN.split(plain)):
        ends = _RANGE.fullmatch(part)
        if ends is None or part in named:
            labels.append(part)
        else:
            low, high = sorted((int(ends[1]), int(ends[2])))
            labels += map(str, range(low, min(high, low + _LONGEST_RANGE) + 1))
    return labels


def _citation(label: str, numbered: int, named: Mapping[str, int]) -> Citation | None:
    if label in named:
        return Citation(label, named[label], by_number=False)
    if not label.isdecimal() or len(label) > _LONGEST_NUMBER:
        return None
    place = int(label)
    return Citation(label, place if 1 <= place <= numbered else None, by_number=True)
