"""The demo corpus: the handbook of an invented maker of pumps and sensors, one Markdown file a document.

The id of a document is the stem of its file. Six documents carry planted instructions, written as such text
reaches real corpora; nothing here removes them, because resisting them is the pipeline's task.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from importlib.resources import files

import yaml


@dataclass(frozen=True, slots=True)
class Document:
    """One document of the handbook, its body still in Markdown; of another corpus, what is known of it."""

    id: str
    title: str
    body: str
    language: str = ""
    date: datetime.date | None = None
    topic: str = ""


def documents() -> tuple[Document, ...]:
    """Read every document of the handbook.

    Returns:
        The documents, by id in code point order.

    Raises:
        ValueError: when a file has no front matter.
    """
    folder = files("ragproof.demo") / "corpus"
    found = [
        parse(entry.name.removesuffix(".md"), entry.read_text(encoding="utf-8"))
        for entry in folder.iterdir()
        if entry.name.endswith(".md")
    ]
    return tuple(sorted(found, key=lambda document: document.id))


def parse(document_id: str, text: str) -> Document:
    """Read one document from its text.

    Args:
        document_id: the stem of its file.
        text: YAML front matter between two lines of `---`, then Markdown.

    Returns:
        The document; its body may be empty.

    Raises:
        ValueError: when the front matter is missing or a field of it is.
    """
    opening, _, rest = text.partition("---\n")
    header, fence, body = rest.partition("\n---\n")
    if opening or not fence:
        raise ValueError(f"document '{document_id}' has no front matter; begin it with a line of ---")
    fields = yaml.safe_load(header)
    missing = [name for name in ("title", "language", "date", "topic") if name not in fields]
    if missing:
        raise ValueError(f"document '{document_id}' lacks '{missing[0]}' in its front matter")
    return Document(
        id=document_id,
        title=fields["title"],
        language=fields["language"],
        date=fields["date"],
        topic=fields["topic"],
        body=body,
    )
