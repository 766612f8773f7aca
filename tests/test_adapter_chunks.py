"""Reading rankings: every shape a chunk may have, and what stands for what it lacks."""

from __future__ import annotations

import hashlib
import math
from decimal import Decimal
from types import SimpleNamespace
from uuid import UUID

import pytest

from ragproof.adapters.adapter import CallFailed
from ragproof.adapters.reading.results import Reading, read_ranking
from ragproof.outputs import Chunk
from tests.fakes.pipelines import Array, Document, Scalar, TextNode

C1 = (Chunk(id="c1"),)
NO_ID = "a chunk has no id: a hash of its text stands for it"
INTEGER_ID = "an integer id was read as text"
NOT_FINITE = "a score that is not finite was read as None"


def text_id(text: str) -> str:
    return "text-" + hashlib.sha256(text.encode()).hexdigest()[:16]


CHUNKS = [
    ("text", "t", Chunk(id=text_id("t"), text="t"), (NO_ID,)),
    ("an id alone", {"id": "c"}, Chunk(id="c"), ()),
    ("an id of 0 is an id", {"id": 0}, Chunk(id="0"), (INTEGER_ID,)),
    ("an integer of numpy", {"id": Scalar(17)}, Chunk(id="17"), (INTEGER_ID,)),
    ("a UUID", {"id": UUID(int=1)}, Chunk(id="00000000-0000-0000-0000-000000000001"), ()),
    ("an empty id is none", {"id": "", "text": "t"}, Chunk(id=text_id("t"), text="t"), (NO_ID,)),
    (
        "an id in the metadata",
        Document("t", {"chunk_id": "c"}),
        Chunk(id="c", text="t", metadata={"chunk_id": "c"}),
        (),
    ),
    (
        "its document's id, when it has no other",
        {"text": "t", "document_id": 4},
        Chunk(id="4", text="t", metadata={"document_id": "4"}),
        (INTEGER_ID, "a chunk has no id of its own: its document_id stands for it"),
    ),
    (
        "the document beside the id",
        {"id": "c", "doc_id": "d"},
        Chunk(id="c", metadata={"document_id": "d"}),
        (),
    ),
    ("a pair with its score", (Document("t", id="c"), 0.5), Chunk(id="c", text="t", score=0.5), ()),
    ("a pair with a score of numpy", [{"id": "c"}, Scalar(0.5)], Chunk(id="c", score=0.5), ()),
    ("a node of LlamaIndex alone", TextNode("n", "t"), Chunk(id="n", text="t", metadata={"page": 3}), ()),
    ("an object", SimpleNamespace(id="c", content="t"), Chunk(id="c", text="t"), ()),
    ("a decimal score", {"id": "c", "score": Decimal("0.5")}, Chunk(id="c", score=0.5), ()),
    ("a score of NaN is None", {"id": "c", "score": math.nan}, Chunk(id="c"), (NOT_FINITE,)),
    ("an integer score too large for a float", {"id": "c", "score": 10**400}, Chunk(id="c"), (NOT_FINITE,)),
    ("empty text is text", {"id": "c", "text": "", "body": "b"}, Chunk(id="c"), ()),
]


@pytest.mark.parametrize(("why", "item", "chunk", "notes"), CHUNKS, ids=[row[0] for row in CHUNKS])
def test_a_chunk_is_read_by_what_it_has(why, item, chunk, notes):
    """Each shape of a chunk gives its id, text, score and metadata."""
    assert read_ranking([item], "retrieve()") == Reading(retrieved=(chunk,), notes=notes)


RANKINGS = [
    ("a tuple", ({"id": "c1"},), Reading(retrieved=C1)),
    ("an array", Array([{"id": "c1"}]), Reading(retrieved=C1)),
    ("a mapping that holds it", {"documents": [{"id": "c1"}]}, Reading(retrieved=C1)),
    (
        "texts, equal ones with equal ids",
        ["t", "t"],
        Reading(retrieved=(Chunk(id=text_id("t"), text="t"),) * 2, notes=(f"{NO_ID} (2 times)",)),
    ),
]


@pytest.mark.parametrize(("why", "result", "reading"), RANKINGS, ids=[row[0] for row in RANKINGS])
def test_a_ranking_is_read_from_any_list(why, result, reading):
    """What a retriever returns is a list, or holds one."""
    assert read_ranking(result, "retrieve()") == reading


@pytest.mark.parametrize("result", [None, "text", 3, {"answer": "a"}])
def test_a_retriever_must_return_a_list(result):
    """None from retrieve() is a mistake, while [] is "found nothing"."""
    with pytest.raises(CallFailed, match=r"^retrieve\(\) is "):
        read_ranking(result, "retrieve()")
