"""Reading a response where the configuration says: a JSONPath to every part, and what is said of a miss."""

from __future__ import annotations

import pytest

from ragproof.adapters import registry
from ragproof.adapters.adapter import CallFailed
from ragproof.outputs import Chunk, FailureKind, PipelineOutput, Usage


def read(body: object, paths: dict[str, object]) -> PipelineOutput:
    config = registry.parse({"type": "http", "url": "http://h/", "response": paths})
    return config.response.read(body).output("q1", 1.0)


HIT = {"key": 7, "body": "t", "sim": 0.5, "doc": "d1", "meta": {"page": 3}}
PATHS = {"id": "$.key", "text": "$.body", "score": "$.sim", "document_id": "$.doc", "metadata": "$.meta"}
CHUNK = Chunk(id="7", text="t", score=0.5, metadata={"page": 3, "document_id": "d1"})
SPENT = Usage(input_tokens=3, llm_calls=1)
MAPPED = [
    ("every part", {"a": {"b": "x"}, "hits": [HIT], "cites": [7], "u": {"in": 3, "calls": 1}},
     {"answer": "$.a.b", "chunks": "$.hits[*]", "chunk": PATHS, "citations": "$.cites[*]",
      "usage": {"input_tokens": "$.u.in", "llm_calls": "$.u.calls"}},
     {"answer": "x", "retrieved": (CHUNK,), "citations": ("7",), "usage": SPENT}),
    ("a list may be named without [*]", {"hits": [{"id": "c"}]}, {"chunks": "$.hits"},
     {"retrieved": (Chunk(id="c"),)}),
    ("an empty list found nothing", {"hits": []}, {"chunks": "$.hits[*]"}, {"retrieved": ()}),
    ("null is no retrieval", {"hits": None}, {"chunks": "$.hits"}, {"retrieved": None}),
    ("an empty list inside lists", {"groups": []}, {"chunks": "$.groups[*].hits[*]"}, {"retrieved": ()}),
    ("a filter that chooses nothing", {"hits": [{"id": "c", "kind": "web"}]},
     {"chunks": "$.hits[?(@.kind=='doc')]"}, {"retrieved": ()}),
    ("texts as chunks", {"hits": ["t"]}, {"chunks": "$.hits[*]", "chunk": {"text": "$"}},
     {"retrieved": (Chunk(id="text-e3b98a4da31a127d", text="t"),)}),
    ("an answer of null", {"a": None}, {"answer": "$.a"}, {"answer": None}),
    ("what is not named is not read", {"answer": "x", "citations": ["c"]}, {"answer": "$.answer"},
     {"answer": "x", "citations": None}),
    ("no citations", {"a": "x"}, {"answer": "$.a", "citations": "$.c[*]"}, {"citations": None}),
    ("a context of its own", {"hits": [], "read": [{"id": "c"}]}, {"chunks": "$.hits", "context": "$.read"},
     {"retrieved": (), "context": (Chunk(id="c"),)}),
]  # fmt: skip


@pytest.mark.parametrize(("why", "body", "paths", "parts"), MAPPED, ids=[row[0] for row in MAPPED])
def test_a_response_is_read_where_the_configuration_says(why, body, paths, parts):
    """Each path gives the part it is named for."""
    output = read(body, paths)
    assert {name: getattr(output, name) for name in parts} == parts


MISSES = [
    ("the answer", {"answer": "x", "contexts": []}, {"answer": "$.anwser"},
     "JSONPath '$.anwser' matches nothing in the response; its keys are 'answer', 'contexts'"),
    ("a response that is no object", ["x"], {"answer": "$.answer"},
     "JSONPath '$.answer' matches nothing in the response; it is a list"),
    ("several answers", {"a": ["x", "y"]}, {"answer": "$.a[*]"},
     "JSONPath '$.a[*]' matches 2 values in the response, expected one"),
    ("no text", {"a": {"b": 1}}, {"answer": "$.a.b"},
     "the answer at '$.a.b' is the int 1, expected text or None"),
    ("the chunks", {"hits": []}, {"chunks": "$.contexts[*]"},
     "JSONPath '$.contexts[*]' matches nothing in the response; its keys are 'hits'"),
    ("chunks in an object, not a list", {"hits": {}}, {"chunks": "$.hits[*]"},
     "JSONPath '$.hits[*]' matches nothing in the response; its keys are 'hits'"),
    ("a misspelt key inside a list", {"groups": [{"hits": []}]}, {"chunks": "$.groups[*].hit[*]"},
     "JSONPath '$.groups[*].hit[*]' matches nothing in the response; its keys are 'groups'"),
    ("a chunk's id", {"c": [{"id": 1}, {"key": 2}]}, {"chunks": "$.c", "chunk": {"id": "$.id"}},
     "JSONPath '$.id' matches nothing in '$.c'[1]; its keys are 'key'"),
    ("a chunk's text", {"c": ["t"]}, {"chunks": "$.c", "chunk": {"text": "$.text"}},
     "JSONPath '$.text' matches nothing in '$.c'[0]; it is the text 't'"),
]  # fmt: skip


@pytest.mark.parametrize(("why", "body", "paths", "message"), MISSES, ids=[row[0] for row in MISSES])
def test_a_path_that_leads_nowhere_fails_the_case(why, body, paths, message):
    """A typing mistake must not look like a pipeline that says or finds nothing."""
    with pytest.raises(CallFailed) as failed:
        read(body, paths)
    assert (failed.value.kind, failed.value.message) == (FailureKind.BAD_OUTPUT, message)


OPTIONAL = [
    ("citations", {"a": "x"}, {"answer": "$.a", "citations": "$.c[*]"},
     "JSONPath '$.c[*]' matches nothing: no citations"),
    ("usage", {"a": "x"}, {"answer": "$.a", "usage": {"llm_calls": "$.u"}},
     "JSONPath '$.u' matches nothing: no llm_calls"),
]  # fmt: skip


@pytest.mark.parametrize(("why", "body", "paths", "note"), OPTIONAL, ids=[row[0] for row in OPTIONAL])
def test_a_path_to_what_may_be_left_out_is_noted(why, body, paths, note):
    """A pipeline may leave it out of one answer; a typing mistake shows in the notes of all."""
    assert read(body, paths).notes == (note,)
