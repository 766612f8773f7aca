"""Cutting a document into chunks of about a hundred words, at paragraphs and never inside one.

Markdown becomes plain lines: HTML comments go, as in any rendering, and a table row becomes a sentence of its
own ("Property: Weight; Value: 3.1 kg"). Section headings stay in the text, marked with `## `. Characters of
no width stay as they are, as in most ingestion code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ragproof.demo.corpus import Document
from ragproof.demo.terms import word_count

TARGET_WORDS = 80
"""A chunk is closed once it holds this many words."""
MAXIMUM_WORDS = 120
"""A paragraph that would carry a begun chunk past this many words opens the next one."""
HEADING = "## "

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_RULE = re.compile(r"\|[\s:|-]+\|")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document; `id` is the document's id, `#` and a number from 1."""

    id: str
    document: Document
    text: str


def split(document: Document) -> tuple[Chunk, ...]:
    """Cut a document into chunks, in reading order.

    Args:
        document: any document; an empty body is allowed.

    Returns:
        The chunks; () for a document without text.
    """
    texts = _pack(list(_paragraphs(document.body)))
    return tuple(
        Chunk(id=f"{document.id}#{number}", document=document, text=text)
        for number, text in enumerate(texts, start=1)
    )


def _pack(paragraphs: list[str]) -> list[str]:
    texts: list[str] = []
    current: list[str] = []
    size = 0
    for paragraph in paragraphs:
        words = word_count(paragraph)
        if current and (size >= TARGET_WORDS or size + words > MAXIMUM_WORDS):
            texts.append("\n".join(current))
            current, size = [], 0
        current.append(paragraph)
        size += words
    if current:
        texts.append("\n".join(current))
    return texts


def _paragraphs(markdown: str) -> Iterator[str]:
    """Yield paragraphs and table rows as plain text, a heading on the line before what it heads."""
    heading = ""
    for block in re.split(r"\n\s*\n", _COMMENT.sub("", markdown)):
        lines = [line.strip() for line in block.splitlines() if line.strip()]
        if not lines or lines[0].startswith("# "):
            continue
        if lines[0].startswith(HEADING):
            heading = lines[0] + "\n"
            lines = lines[1:]
        for text in _table_rows(lines) if lines and lines[0].startswith("|") else _prose(lines):
            yield heading + text
            heading = ""


def _prose(lines: list[str]) -> list[str]:
    """Join the lines of a paragraph; list items and quoted lines stay lines of their own."""
    plain = [re.sub(r"^(?:>|[-*]|\d+\.)\s+", "", line).replace("**", "") for line in lines]
    kept_apart = any(re.match(r"(?:>|[-*]|\d+\.)\s", line) for line in lines)
    return ["\n".join(plain) if kept_apart else " ".join(plain)] if plain else []


def _table_rows(lines: list[str]) -> list[str]:
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in lines if not _RULE.fullmatch(line)
    ]
    return [
        "; ".join(f"{name}: {cell}" for name, cell in zip(header, row, strict=False))
        for header in rows[:1]
        for row in rows[1:]
    ]
