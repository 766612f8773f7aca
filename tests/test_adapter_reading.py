"""Reading results: every shape a pipeline may return, and the words about those that cannot be read."""

from __future__ import annotations

import json
from collections import namedtuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.adapters.adapter import CallFailed
from ragproof.adapters.reading.results import Reading, read_result
from ragproof.outputs import Chunk, FailureKind, Usage
from tests.fakes.pipelines import (
    Document,
    Message,
    NodeWithScore,
    Reply,
    ReplyModel,
    Response,
    Scalar,
    TextNode,
)

INTEGER_ID = "an integer id was read as text"
LISTED = "the result is a list: read as the ranking"
UNSTORABLE = "characters that cannot be stored (NUL, half a surrogate pair) were replaced by U+FFFD"


Named = namedtuple("Named", ["answer", "citations"])
C1 = (Chunk(id="c1"),)

RESULTS = [
    ("text is an answer", "yes", Reading(answer="yes")),
    ("an empty answer is an answer", "", Reading(answer="")),
    ("None is no answer, not an empty one", None, Reading()),
    ("a mapping", {"answer": "yes"}, Reading(answer="yes")),
    ("an answer of None stays None", {"answer": None, "retrieved": []}, Reading(retrieved=())),
    ("the first name wins, even with None", {"answer": None, "result": "x"}, Reading()),
    ("a dataclass", Reply(), Reading(answer="from a dataclass", retrieved=(Chunk(id="d1", text="one"),))),
    ("a dataclass without a ranking", Reply(retrieved=None), Reading(answer="from a dataclass")),
    (
        "a pydantic model, its integer citations as text",
        ReplyModel(),
        Reading(answer="from a model", citations=("1", "2"), notes=(f"{INTEGER_ID} (2 times)",)),
    ),
    ("a named tuple is no list", Named("yes", ["c1"]), Reading(answer="yes", citations=("c1",))),
    (
        "LangChain's RetrievalQA",
        {"query": "q", "result": "r", "source_documents": [Document("t", id="c1")]},
        Reading(answer="r", retrieved=(Chunk(id="c1", text="t"),)),
    ),
    (
        "LangChain's retrieval chain",
        {"input": "q", "context": [Document("t", id="c1")], "answer": "a"},
        Reading(answer="a", context=(Chunk(id="c1", text="t"),)),
    ),
    (
        "LangChain's message",
        Message("hello", {"input_tokens": 3, "output_tokens": 2}),
        Reading(answer="hello", usage=Usage(input_tokens=3, output_tokens=2)),
    ),
    (
        "a message in blocks",
        Message(["one ", {"type": "text", "text": "two"}, {"type": "image"}]),
        Reading(answer="one two"),
    ),
    ("a message as the answer", {"answer": Message("inside")}, Reading(answer="inside")),
    (
        "LlamaIndex's response",
        Response("r", [NodeWithScore(TextNode("n1", "t", "d1"), 0.5)]),
        Reading(
            answer="r",
            retrieved=(Chunk(id="n1", text="t", score=0.5, metadata={"page": 3, "document_id": "d1"}),),
        ),
    ),
    ("LlamaIndex's empty response", Response(None, []), Reading(retrieved=())),
    (
        "a ranking and what was read stay apart",
        {"answer": "a", "retrieved": [{"id": "c1"}], "contexts": []},
        Reading(answer="a", retrieved=C1, context=()),
    ),
    ("a ranking without an answer", {"documents": [{"id": "c1"}]}, Reading(retrieved=C1)),
    ("a list is a ranking", [{"id": "c1"}], Reading(retrieved=C1, notes=(LISTED,))),
    ("an empty list found nothing", [], Reading(retrieved=(), notes=(LISTED,))),
    (
        "no citation is not the same as none reported",
        {"answer": "a", "citations": []},
        Reading(answer="a", citations=()),
    ),
    (
        "citations may be objects with an id",
        {"answer": "a", "citations": [{"chunk_id": "c1"}, Document("t", id="c2")]},
        Reading(answer="a", citations=("c1", "c2")),
    ),
    (
        "a set of citations is put in order",
        {"answer": "a", "citations": {"c2", "c1"}},
        Reading(answer="a", citations=("c1", "c2")),
    ),
    (
        "OpenAI's names of usage",
        {"answer": "a", "usage": {"prompt_tokens": 3, "completion_tokens": 0, "total_tokens": 3}},
        Reading(answer="a", usage=Usage(input_tokens=3, output_tokens=0)),
    ),
    (
        "usage without anything known is not reported",
        {"answer": "a", "usage": {"seconds": 3}},
        Reading(answer="a"),
    ),
    ("half a surrogate pair becomes U+FFFD", "a\ud800b", Reading(answer="a\ufffdb", notes=(UNSTORABLE,))),
    ("a whole pair is joined", "\ud83d\ude00", Reading(answer="\U0001f600", notes=(UNSTORABLE,))),
    ("a NUL becomes U+FFFD", "a\0", Reading(answer="a\ufffd", notes=(UNSTORABLE,))),
    ("other text is left as it is", "e\u0301 \u202e\x1b[0m", Reading(answer="e\u0301 \u202e\x1b[0m")),
]


@pytest.mark.parametrize(("why", "result", "reading"), RESULTS, ids=[row[0] for row in RESULTS])
def test_a_result_is_read_by_what_it_has(why, result, reading):
    """Each shape gives the parts it holds, and a note for whatever was changed."""
    assert read_result(result, "the result") == reading


def test_the_context_is_the_ranking_when_there_is_no_other():
    """A pipeline that returns only what it read is measured by that, and says so."""
    output = read_result({"answer": "a", "contexts": [{"id": "c1"}]}, "the result").output("q1", 2.0)
    assert (output.retrieved, output.context, output.latency_ms) == (C1, None, 2.0)
    assert output.notes == ("the ranking is the context that came with the answer; there is no other",)


WRONG = [
    ("a number", 42, "the result is the int 42, expected text, None, a list of chunks"),
    ("bytes", b"yes", "the result is a bytes, expected text"),
    ("a mapping of other names", {"anwser": "x", "n": 1}, "its fields are 'anwser', 'n'"),
    ("a stream", (c for c in "ab"), "the result is a generator, expected text"),
    (
        "texts in a list",
        ["a", "b"],
        "the result is a list, expected text, or {'answer': ..., 'retrieved': [...]}",
    ),
    ("an answer that is a number", {"answer": 42}, "'answer' is the int 42, expected text or None"),
    ("an answer that is a list", {"result": ["x"]}, "'result' is a list, expected text or None"),
    (
        "an object of no known kind",
        {"answer": Scalar(object())},
        "'answer' is an object of class 'Scalar', expected text",
    ),
    ("chunks in a set", {"retrieved": {"a"}}, "'retrieved' is a set, expected a list of chunks, best first"),
    ("chunks in a stream", {"retrieved": iter([])}, "wrap it in list(...)"),
    ("a number among chunks", {"chunks": ["a", 3]}, "'chunks'[1] is the int 3, expected text, or something"),
    ("a chunk without id and text", {"chunks": [{"name": "x"}]}, "its fields are 'name'"),
    ("a list among chunks", {"chunks": [["a", "b", "c"]]}, "'chunks'[0] is a list, expected text"),
    (
        "an id that is a float",
        {"chunks": [{"id": 17.0}]},
        "the id of 'chunks'[0] is the float 17.0, expected text or an",
    ),
    ("an id that is true", {"chunks": [{"id": True}]}, "the id of 'chunks'[0] is the bool True"),
    (
        "a text that is a list",
        {"chunks": [{"id": 1, "text": []}]},
        "the text of 'chunks'[0] is a list, expected text",
    ),
    (
        "a score that is text",
        {"chunks": [{"id": 1, "score": "0.5"}]},
        "the score of 'chunks'[0] is the text '0.5'",
    ),
    (
        "metadata that is text",
        {"chunks": [{"id": 1, "metadata": "x"}]},
        "the metadata of 'chunks'[0] is the text 'x'",
    ),
    (
        "one citation as text",
        {"answer": "a", "citations": "c1"},
        "'citations' is the text 'c1', expected a list of",
    ),
    (
        "a citation of nothing",
        {"answer": "a", "citations": [None]},
        "'citations'[0] is None, expected a chunk id",
    ),
    (
        "a negative count",
        {"answer": "a", "usage": {"calls": -1}},
        "llm_calls of 'usage' is the int -1, expected a whole",
    ),
    (
        "a count no database keeps",
        {"answer": "a", "usage": {"calls": 10**5000}},
        "llm_calls of 'usage' is an int",
    ),
    (
        "an id of too many digits",
        {"chunks": [{"id": 10**5000}]},
        "the id of 'chunks'[0] is an int, expected text",
    ),
    ("usage that is a number", {"answer": "a", "usage": 3}, "'usage' is the int 3, expected a mapping"),
]


@pytest.mark.parametrize(("why", "result", "words"), WRONG, ids=[row[0] for row in WRONG])
def test_what_cannot_be_read_says_what_was_expected(why, result, words):
    """The failure names the field, what it holds and what it should hold."""
    with pytest.raises(CallFailed) as failed:
        read_result(result, "the result")
    assert failed.value.kind is FailureKind.BAD_OUTPUT
    assert words in failed.value.message


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers().map(lambda number: number * 10**5000)
    | st.floats()
    | st.text()
    | st.binary()
    | st.decimals(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(
            st.text()
            | st.sampled_from(
                [
                    "answer",
                    "retrieved",
                    "context",
                    "citations",
                    "usage",
                    "id",
                    "text",
                    "score",
                    "metadata",
                    "input_tokens",
                ]
            ),
            inner,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(result=ANYTHING)
def test_any_result_is_read_or_refused_and_what_is_read_can_be_stored(result):
    """No value a pipeline returns may end a run, or be refused by the store later."""
    try:
        output = read_result(result, "the result").output("q1", 1.0)
    except CallFailed:
        return
    written = json.dumps(output.model_dump(mode="json"), allow_nan=False, ensure_ascii=False).encode()
    assert type(output).model_validate_json(written) == output
    assert b"\0" not in written
