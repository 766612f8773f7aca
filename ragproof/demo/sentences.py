"""Splitting a chunk into the units an extractive answer may quote.

A line ends a sentence, as do `. ! ?` before a space and the full stops of Japanese and Hindi. A question
stays with the sentence after it: in a list of questions and answers, the second is found by the words of
the first. Section headings are no sentences.
"""

from __future__ import annotations

import re

from ragproof.demo.chunks import HEADING

# "Dr. Noll" and the German date "1. April" hold no end of a sentence.
_END = re.compile(r"(?<=[.!?])(?<!\bDr\.)(?<!\s\d\.)(?<!\s\d\d\.)\s+(?![a-zà-ÿ])|(?<=[。！？।])\s*")


def sentences(chunk_text: str) -> tuple[str, ...]:
    """Return the quotable units of a chunk, in order.

    Args:
        chunk_text: lines, those of headings beginning with `## `; "" has no sentences.

    Returns:
        The units; white space at their ends is gone, and every other character is as it was.
    """
    lines = [line for line in chunk_text.splitlines() if not line.startswith(HEADING)]
    return tuple(unit for line in lines for unit in _units(line))


def _units(line: str) -> list[str]:
    units: list[str] = []
    question = ""
    for piece in filter(None, (piece.strip() for piece in _END.split(line))):
        unit = f"{question} {piece}".strip()
        question = unit if piece.endswith(("?", "？")) else ""
        if not question:
            units.append(unit)
    return [*units, question] if question else units
