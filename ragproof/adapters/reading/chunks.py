"""Chunks: text, mappings and objects of LangChain, LlamaIndex and others, read by what they have.

A chunk is text, or something with an id and a text, or a pair of such and its score. Nothing is imported
from those libraries. A chunk without an id gets one made of its text, so that equal texts are one source.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from numbers import Real

from pydantic import JsonValue

from ragproof.adapters.reading.fields import filled, first, names_of
from ragproof.adapters.reading.json_values import json_object
from ragproof.adapters.reading.notes import Notes
from ragproof.adapters.reading.values import identifier, number, plain, whole, wrong
from ragproof.outputs import Chunk

CHUNK_ID = ("id", "chunk_id", "node_id", "id_", "_id")
DOCUMENT_ID = ("document_id", "doc_id", "docid", "ref_doc_id")
TEXT = ("text", "page_content", "content", "body", "passage")
SCORE = ("score", "similarity", "relevance_score", "_score")
_METADATA_CHUNK_ID = ("chunk_id", "id")
_LIST = "a list of chunks, best first"
_SHAPE = "text, or something with an id and a text"


@dataclass(frozen=True)
class Parts:
    """What was found of one chunk, not yet checked."""

    id: object = None
    text: object = None
    score: object = None
    document_id: object = None
    metadata: object = None


def read_chunks(value: object, field: str, notes: Notes) -> tuple[Chunk, ...] | None:
    """Read a ranking.

    Args:
        value: a list (or tuple or array) of chunks; text is a list of one; None is no retrieval.
        field: what to call it in a failure.
        notes: told of everything that was normalised.

    Raises:
        CallFailed: it is something else, or one of its chunks is.
    """
    if value is None:
        return None
    if isinstance(value, str):
        notes.add(f"{field} is one text, read as one chunk")
        value = [value]
    return tuple(
        chunk(parts(item, f"{field}[{index}]"), f"{field}[{index}]", notes)
        for index, item in enumerate(items(value, field, _LIST))
    )


def items(value: object, field: str, expected: str) -> Sequence[object]:
    """Return the items of a list, tuple or array.

    Raises:
        CallFailed: it is none of them; a set has no order, and a generator can be read only once.
    """
    value = plain(value)
    if isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray):
        return value
    if isinstance(value, Iterable) and not isinstance(value, str | bytes | bytearray | Mapping | Set):
        expected = f"{expected}; wrap it in list(...)"
    raise wrong(field, value, expected)


def parts(item: object, field: str) -> Parts:
    """Find the parts of one chunk.

    Raises:
        CallFailed: it is nothing that could be a chunk.
    """
    score: object = None
    if isinstance(item, tuple | list) and not is_named_tuple(item):
        if len(item) != 2 or not isinstance(plain(item[1]), Real):
            raise wrong(field, item, f"{_SHAPE}, or a pair of such and its score")
        item, score = item
    if isinstance(item, str):
        return Parts(text=item, score=score)
    if item is None or isinstance(item, bool | Real | bytes | bytearray | Set):
        raise wrong(field, item, _SHAPE)
    inner = filled(item, ("node", "document"))
    content = inner if inner is not None and not isinstance(inner, str) else item
    found = Parts(
        id=filled(content, CHUNK_ID),
        text=_text(content),
        score=filled(item, SCORE) if score is None else score,
        document_id=filled(content, DOCUMENT_ID),
        metadata=filled(content, ("metadata",)),
    )
    if found.id is None and found.text is None and found.document_id is None:
        raise wrong(field, item, f"{_SHAPE}; its fields are {names_of(item)}")
    return found


def chunk(found: Parts, field: str, notes: Notes) -> Chunk:
    """Check the parts of one chunk and put them together.

    Raises:
        CallFailed: a part is of the wrong type.
    """
    metadata = _metadata(found.metadata, field, notes)
    given = found.document_id if found.document_id is not None else metadata.get("document_id")
    document_id = identifier(given, f"the document_id of {field}", notes)
    if document_id is not None:
        metadata["document_id"] = document_id
    if found.text is not None and not isinstance(found.text, str):
        raise wrong(f"the text of {field}", found.text, "text")
    text = "" if found.text is None else whole(found.text, notes)
    own = found.id if found.id is not None else filled(metadata, _METADATA_CHUNK_ID)
    return Chunk(
        id=identifier(own, f"the id of {field}", notes) or _stand_in(text, document_id, notes),
        text=text,
        score=number(found.score, f"the score of {field}", notes),
        metadata=metadata,
    )


def is_named_tuple(value: object) -> bool:
    """Say whether a value is a record with fields rather than a list."""
    return isinstance(value, tuple) and hasattr(value, "_fields")


def _text(content: object) -> object:
    found = first(content, TEXT)
    if found is not None and found[1] is not None:
        return found[1]
    get_content = getattr(content, "get_content", None)
    return get_content() if callable(get_content) else None


def _metadata(value: object, field: str, notes: Notes) -> dict[str, JsonValue]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise wrong(f"the metadata of {field}", value, "a mapping")
    return json_object(value, notes)


def _stand_in(text: str, document_id: str | None, notes: Notes) -> str:
    if document_id is not None:
        notes.add("a chunk has no id of its own: its document_id stands for it")
        return document_id
    notes.add("a chunk has no id: a hash of its text stands for it")
    return f"text-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
