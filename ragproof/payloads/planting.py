"""Plant attacks in copies of documents, each as a paragraph of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ragproof.payloads.documents import Document
from ragproof.payloads.draw import draw
from ragproof.payloads.payload import Payload

_BLANK_LINES = re.compile(r"\r?\n(?:[ \t]*\r?\n)+")


@dataclass(frozen=True)
class Planted:
    """One document with the payloads that now stand in it."""

    document: Document
    payloads: tuple[Payload, ...]


def plant(documents: Sequence[Document], payloads: Sequence[Payload], seed: int) -> tuple[Planted, ...]:
    """Give every document at least one attack, and every attack at least one document.

    Attacks are dealt round to the documents in a drawn order, one each where there are enough documents, so
    that as few as possible compete within one.

    Args:
        documents: what a pipeline retrieves from; empty gives nothing.
        payloads: at least one.
        seed: draws the order of documents and the place in each.

    Returns:
        The planted documents by name.
    """
    if not documents:
        return ()
    shuffled = sorted(documents, key=lambda document: (draw(seed, "document", document.name), document.name))
    dealt: dict[str, list[Payload]] = {document.name: [] for document in documents}
    for turn in range(max(len(documents), len(payloads))):
        dealt[shuffled[turn % len(shuffled)].name].append(payloads[turn % len(payloads)])
    return tuple(
        Planted(_with_attacks(document, dealt[document.name], seed), tuple(dealt[document.name]))
        for document in sorted(documents, key=lambda document: document.name)
    )


def paragraph_ends(text: str) -> tuple[int, ...]:
    """Return where each paragraph of a text ends, in order; nothing when the text is blank."""
    first, last = len(text) - len(text.lstrip()), len(text.rstrip())
    inner = {blank.start() for blank in _BLANK_LINES.finditer(text, first, last)}
    return tuple(sorted(inner | {last})) if last else ()


def _with_attacks(document: Document, payloads: Sequence[Payload], seed: int) -> Document:
    text, newline = document.text, "\r\n" if "\r\n" in document.text else "\n"
    ends = paragraph_ends(text)
    places = [(_place(ends, seed, document.name, payload), payload) for payload in payloads]
    for place, payload in sorted(places, key=lambda pair: (-pair[0], pair[1].id)):
        attack = payload.attack.replace("\n", newline)
        gap = newline * 2
        text = f"{text[:place]}{gap}{attack}{text[place:]}" if ends else f"{attack}{gap}{text}"
    return Document(name=document.name, text=text)


def _place(ends: Sequence[int], seed: int, name: str, payload: Payload) -> int:
    return ends[draw(seed, "place", name, payload.id) % len(ends)] if ends else 0
