"""Traces: whatever wrote them, and by whichever convention, they say what the pipeline answered."""

from __future__ import annotations

import json

import pytest

from ragproof.adapters.adapter import CallFailed
from ragproof.adapters.recorded.messages import last_text, questions
from ragproof.adapters.recorded.spans import NotASpan, spans, trace_key
from ragproof.adapters.recorded.times import nanoseconds
from ragproof.adapters.recorded.traces import Trace
from ragproof.outputs import Chunk, FailureKind, PipelineOutput, Usage
from tests.fakes.traces import SPELLINGS, TRACE, Made, Written, documents, nested, sdk

KIND = "openinference.span.kind"
DOCUMENTS = documents("retrieval.documents", ("d1", "one", 0.9), ("d2", "two", 0.5))
CHUNKS = (Chunk(id="d1", text="one", score=0.9), Chunk(id="d2", text="two", score=0.5))


def read(*made: Made, spelled: Written = sdk) -> Trace:
    return Trace(span for each in made for span in spans(json.loads(json.dumps(spelled(each)))))


def output(*made: Made, spelled: Written = sdk) -> PipelineOutput:
    return read(*made, spelled=spelled).output("q1")


def chain(*inner: Made, **attributes: object) -> tuple[Made, ...]:
    """A chain with an answer, and what is within it."""
    told = {KIND: "CHAIN", "input.value": "why?", "output.value": "because", **attributes}
    return (Made("aa", told), *inner)


def retriever(span_id: str = "bb", found: dict[str, object] = DOCUMENTS, **fields) -> Made:
    told = {KIND: "RETRIEVER", "input.value": "rewritten: why", **found}
    return Made(span_id, told, **{"parent_id": "aa", "start_ms": 10, "end_ms": 200, **fields})


def model(span_id: str = "cc", **fields) -> Made:
    told = {
        KIND: "LLM",
        "llm.token_count.prompt": 70,
        "llm.token_count.completion": 7,
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.content": "prompt",
        "llm.output_messages.0.message.content": "because",
        "output.value": '{"choices": []}',
    }
    return Made(span_id, told, **{"parent_id": "aa", "start_ms": 300, "end_ms": 900, **fields})


GEN_AI = (
    Made("aa", {"gen_ai.operation.name": "invoke_agent",
                "gen_ai.input.messages": json.dumps([
                    {"role": "user", "parts": [{"type": "text", "content": "why?"}]}]),
                "gen_ai.output.messages": json.dumps([
                    {"role": "assistant", "finish_reason": "stop", "parts": [
                        {"type": "reasoning", "content": "hm"}, {"type": "text", "content": "because"}]}])}),
    Made("bb", {"gen_ai.operation.name": "retrieval", "gen_ai.retrieval.query.text": "rewritten: why",
                "gen_ai.retrieval.documents": json.dumps([
                    {"id": "d1", "content": "one", "score": 0.9},
                    {"id": "d2", "content": "two", "score": 0.5}])}, "aa", 10, 200),
    Made("cc", {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m",
                "gen_ai.usage.input_tokens": 70, "gen_ai.usage.output_tokens": 7}, "aa", 300, 900),
)  # fmt: skip
CONVENTIONS = {"OpenInference": chain(retriever(), model()), "GenAI": GEN_AI}


@pytest.mark.parametrize("spelled", SPELLINGS, ids=lambda spelled: spelled.__name__)
@pytest.mark.parametrize("convention", CONVENTIONS)
def test_a_trace_says_what_was_asked_retrieved_and_answered(convention, spelled):
    """By either convention, flat or nested, with times in nanoseconds, milliseconds or ISO."""
    made = CONVENTIONS[convention]
    assert output(*made, spelled=spelled) == PipelineOutput(
        case_id="q1",
        answer="because",
        retrieved=CHUNKS,
        usage=Usage(input_tokens=70, output_tokens=7, llm_calls=1),
        latency_ms=1000,
    )
    assert "why?" in read(*made, spelled=spelled).questions()


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_the_order_of_spans_does_not_matter(convention):
    """Exporters write a span when it ends, so that the root comes last."""
    made = CONVENTIONS[convention]
    assert output(*reversed(made)) == output(*made)


ANSWERS = [
    ("the root's output", chain(), "because"),
    ("JSON with an answer",
     chain(**{"output.value": '{"answer": "from JSON", "context": [{"id": "d1"}]}'}), "from JSON"),
    ("JSON without one", chain(**{"output.value": '{"verdict": 1}'}), '{"verdict":1}'),
    ("text that only looks like it", chain(**{"output.value": "[1] says so"}), "[1] says so"),
    ("messages of an agent", chain(**{"output.value": json.dumps({"messages": [
        {"type": "human", "content": "why?"},
        {"type": "ai", "content": [{"type": "text", "text": "it"}]}]})}), "it"),
    ("the model's, when the chain says nothing", chain(model(), **{"output.value": ""}), "because"),
    ("the last model's", chain(
        Made("dd", {KIND: "LLM", "output.value": "a query"}, "aa", 0, 250), model(), **{"output.value": ""}),
     "because"),
    ("not an inner step's that ends later",
     chain(Made("dd", {KIND: "CHAIN", "output.value": "logged"}, "aa", 0, 1500)), "because"),
    ("a model alone: its message, not the provider's reply", (model(parent_id=None),), "because"),
    ("not a tool's", chain(
        model(), Made("dd", {KIND: "TOOL", "output.value": "42"}, "aa", 0, 950), **{"output.value": ""}),
     "because"),
    ("below a request that says nothing",
     (Made("99", {"http.method": "POST"}), Made("aa", chain()[0].attributes, "99")), "because"),
    ("the parent is in another service", (Made("aa", chain()[0].attributes, "ff"),), "because"),
    ("older names", (Made("aa", {"gen_ai.prompt": "why?", "gen_ai.completion": "because"}),), "because"),
    ("older numbered names", (Made("aa", {"gen_ai.completion.0.role": "assistant",
                                          "gen_ai.completion.0.content": "because"}),), "because"),
    ("in an event", (Made("aa", {"gen_ai.operation.name": "chat"}, events=(
        {"name": "gen_ai.client.inference.operation.details", "attributes": {
            "gen_ai.output.messages": '[{"role": "assistant", "parts": [{"content": "ev"}]}]'}},
    )),), "ev"),
    ("both conventions on one span: the kind decides",
     (Made("aa", {KIND: "CHAIN", "output.value": "because", "gen_ai.completion": "no"}),), "because"),
    ("a retriever alone answers nothing", (retriever(parent_id=None),), None),
]  # fmt: skip


@pytest.mark.parametrize(("why", "made", "answer"), ANSWERS, ids=[row[0] for row in ANSWERS])
def test_the_answer_is_what_the_step_nearest_to_the_root_put_out(why, made, answer):
    assert output(*made).answer == answer


RANKINGS = [
    ("no retriever", chain(), None, []),
    ("a retriever that found nothing", chain(retriever(found={})), [], []),
    ("one whose output was not kept", chain(retriever(found={"output.value": "__REDACTED__"})), None, []),
    ("documents in its output alone",
     chain(retriever(found={"output.value": '[{"page_content": "x", "metadata": {"id": "d7"}}]'})), ["d7"],
     []),
    ("ten and more in their order",
     chain(retriever(found=documents("retrieval.documents", *((f"d{n}", "", 0.1) for n in range(12))))),
     [f"d{n}" for n in range(12)], []),
    ("integer ids", chain(retriever(found={"retrieval.documents.0.document.id": 7})), ["7"],
     ["an integer id was read as text"]),
    ("a re-ranker has the last word",
     chain(retriever(), Made("dd", {KIND: "RERANKER", **documents(
         "reranker.output_documents", ("d2", "two", 3.0))}, "aa", 210, 250)), ["d2"], []),
    ("two retrievers, a document found by both",
     chain(retriever(), retriever("dd", documents("retrieval.documents", ("d3", "", 1.0), ("d1", "one", 0.2)),
                                  start_ms=20)), ["d1", "d2", "d3"],
     ["2 retrievers: their rankings stand one after the other"]),
    ("a retriever within a retriever",
     chain(retriever(), retriever("dd", documents("retrieval.documents", ("d9", "", 1.0)), parent_id="bb")),
     ["d1", "d2"], []),
    ("documents without a kind", chain(Made("bb", DOCUMENTS, "aa")), ["d1", "d2"], []),
    ("what came with the answer, when there is no other",
     chain(**{"output.value": '{"answer": "x", "context": [{"id": "d1"}]}'}), ["d1"],
     ["the ranking is the context that came with the answer; there is no other"]),
]  # fmt: skip


@pytest.mark.parametrize(("why", "made", "ids", "notes"), RANKINGS, ids=[row[0] for row in RANKINGS])
def test_the_ranking_is_what_the_last_of_the_retrieval_put_out(why, made, ids, notes):
    """None is that nothing was retrieved, or that nobody knows; () is that nothing was found."""
    found = output(*made)
    assert (None if found.retrieved is None else [chunk.id for chunk in found.retrieved]) == ids
    assert list(found.notes) == notes


def test_metadata_of_a_document_is_json_in_text_or_an_object():
    """A document_id in it is the document's."""
    text = {"retrieval.documents.0.document.content": "x",
            "retrieval.documents.0.document.metadata": '{"document_id": 7, "page": {"n": 3}}'}  # fmt: skip
    for spelled in SPELLINGS:
        (chunk,) = output(*chain(retriever(found=text)), spelled=spelled).retrieved or ()
        assert (chunk.document_id, chunk.metadata["page"]) == ("7", {"n": 3})
    whole = {"trace_id": TRACE, "start_time": 0, "end_time": 5, "attributes": {"retrieval": {"documents": [
        {"document": {"id": "c", "metadata": {"document_id": "d"}}}]}}}  # fmt: skip
    (chunk,) = Trace(spans(whole)).output("q1").retrieved or ()
    assert (chunk.id, chunk.document_id) == ("c", "d")


def test_what_the_generator_read_is_kept_where_it_differs_from_the_ranking():
    """The chain says what it gave to its model; the retriever said more."""
    said = chain(retriever(), **{"output.value": '{"answer": "x", "context": [{"id": "d2"}]}'})
    found = output(*said)
    assert [chunk.id for chunk in found.retrieved or ()] == ["d1", "d2"]
    assert [chunk.id for chunk in found.context or ()] == ["d2"]
    same = chain(retriever(), **{"output.value": '{"answer": "x", "context": [{"id": "d1"}, {"id": "d2"}]}'})
    assert output(*same).context is None


SPENT = [
    ("nobody says", chain(), None, []),
    ("two calls", chain(model("cc"), model("dd")),
     Usage(input_tokens=140, output_tokens=14, llm_calls=2), []),
    ("a call within a call is the same one", chain(model("cc"), model("dd", parent_id="cc")),
     Usage(input_tokens=70, output_tokens=7, llm_calls=1), []),
    ("a call that does not say: no sum is better than a wrong one",
     chain(model("cc"), Made("dd", {KIND: "LLM"}, "aa")), Usage(llm_calls=2),
     ["1 of 2 calls of models report no input_tokens", "1 of 2 calls of models report no output_tokens"]),
    ("an agent that counts for all",
     (Made("aa", {"gen_ai.operation.name": "invoke_agent", "gen_ai.completion": "x",
                  "gen_ai.usage.input_tokens": 5}),), Usage(input_tokens=5), []),
]  # fmt: skip


@pytest.mark.parametrize(("why", "made", "usage", "notes"), SPENT, ids=[row[0] for row in SPENT])
def test_usage_is_that_of_all_calls_of_models(why, made, usage, notes):
    found = output(*made)
    assert (found.usage, list(found.notes)) == (usage, notes)


def test_latency_is_that_of_the_root():
    """Of a trace whose root is elsewhere, from the first beginning to the last end."""
    assert output(*chain(model(end_ms=5000))).latency_ms == 1000
    apart = (retriever(parent_id=None), model(parent_id=None))
    assert output(*apart).latency_ms == 900 - 10


FAILURES = [
    ("the root failed", (Made("aa", chain()[0].attributes, error="no index"),), FailureKind.EXCEPTION,
     "the recorded call failed: no index"),
    ("nothing in it", (Made("aa", {"http.method": "GET"}),), FailureKind.BAD_OUTPUT,
     f"trace '{TRACE}' holds neither an answer nor documents; expected attributes of OpenInference"),
    ("a document that is none", chain(retriever(found={"retrieval.documents.0.document.score": 1})),
     FailureKind.BAD_OUTPUT, "document 0 of the trace has neither"),
    ("a count that is none", chain(Made("cc", {KIND: "LLM", "llm.token_count.prompt": "many"}, "aa")),
     FailureKind.BAD_OUTPUT, "input_tokens of a span is the text 'many', expected a whole number of"),
]  # fmt: skip


@pytest.mark.parametrize(("why", "made", "kind", "message"), FAILURES, ids=[row[0] for row in FAILURES])
def test_a_trace_that_says_no_answer_fails_its_case(why, made, kind, message):
    for spelled in SPELLINGS:
        with pytest.raises(CallFailed) as failed:
            output(*made, spelled=spelled)
        assert failed.value.kind is kind
        assert failed.value.message.startswith(message)


def test_a_step_that_failed_and_was_tried_again_is_no_failure():
    """What the root says counts."""
    assert output(*chain(model("cc", error="429"), model("dd"))).answer == "because"


def test_an_exception_event_says_what_the_status_does_not():
    event = {"name": "exception", "attributes": {"exception.message": "no index"}}
    made = Made("aa", {"output.value": "x"}, error=" ", events=(event,))
    row = {**sdk(made), "status": {"status_code": "ERROR"}}
    with pytest.raises(CallFailed, match="the recorded call failed: no index"):
        Trace(spans(row)).output("q1")


def test_a_trace_without_times_has_no_latency():
    """A latency of 0 would be a measurement that nobody made; its answer is as good as any."""
    row = {name: value for name, value in nested(chain()[0]).items() if not name.endswith("_time")}
    found = Trace(spans(row)).output("q1")
    assert (found.answer, found.latency_ms) == ("because", None)


def test_a_trace_that_ends_before_it_begins_has_no_latency():
    """Two machines may disagree about now; a note says so."""
    found = output(Made("aa", chain()[0].attributes, start_ms=10, end_ms=0))
    assert (found.answer, found.latency_ms) == ("because", None)
    assert "the trace ends before it begins: it has no latency" in found.notes


def test_a_circle_of_spans_is_read_to_its_end():
    """A broken file must not hang a run."""
    circle = [Made("aa", {"output.value": "x"}, "bb"), Made("bb", {"output.value": "y"}, "aa")]
    assert output(*circle).latency_ms is None
    assert output(Made("aa", {"output.value": "x"}, "aa")).answer == "x"


QUESTIONS = [
    ("text", "why?", ["why?"]),
    ("JSON in text, too", '{"question": "why?", "k": 3}', ['{"question": "why?", "k": 3}', "why?"]),
    ("an object", {"input": "why?", "other": "no"}, ["why?"]),
    ("the user's last message", {"messages": [
        {"role": "user", "content": "first"}, {"role": "assistant", "content": "no"},
        {"type": "human", "content": [{"type": "text", "text": "wh"}, {"text": "y?"}]}]}, ["why?"]),
    ("messages alone", [{"role": "user", "parts": [{"type": "text", "content": "why?"}]}], ["why?"]),
    ("nothing", None, []),
    ("blanks", "  ", []),
]  # fmt: skip


@pytest.mark.parametrize(("why", "value", "found"), QUESTIONS, ids=[row[0] for row in QUESTIONS])
def test_a_question_is_looked_for_in_every_reading_of_an_input(why, value, found):
    assert list(questions(value)) == found


def test_the_text_of_a_message_is_neither_a_thought_nor_a_call_of_a_tool():
    said = [{"role": "assistant", "parts": [{"type": "thinking", "content": "hm"}, "a",
             {"type": "tool_call", "arguments": {}}, {"type": "text", "content": "b"}]},
            {"role": "assistant", "parts": []}, 7]  # fmt: skip
    assert last_text(said) == "ab"
    assert last_text({"no": "list"}) is None


TIMES = [
    ("ISO with nanoseconds", "2024-05-01T12:00:00.123456789Z", 1714564800_123456000),
    ("ISO without a zone is UTC", "2024-05-01T12:00:00", 1714564800_000000000),
    ("ISO with a zone", "2024-05-01 14:00:00+02:00", 1714564800_000000000),
    ("nanoseconds", 1714564800_123456789, 1714564800_123456789),
    ("nanoseconds in text", "1714564800123456789", 1714564800_123456789),
    ("microseconds", 1714564800_123456, 1714564800_123456000),
    ("milliseconds", 1714564800_123, 1714564800_123000000),
    ("seconds with a fraction", 1714564800.5, 1714564800_500000000),
    ("a small number is nanoseconds of a test's own time", 1_500_000_000, 1_500_000_000),
    ("zero", 0, 0),
]


@pytest.mark.parametrize(("why", "value", "expected"), TIMES, ids=[row[0] for row in TIMES])
def test_times_are_nanoseconds_whatever_they_are_written_in(why, value, expected):
    assert nanoseconds(value) == expected


@pytest.mark.parametrize("value", ["soon", "", True, None, [], "2024-13-01"])
def test_what_is_no_time_is_refused(value):
    with pytest.raises(ValueError):  # noqa: PT011 - the words of the standard library
        nanoseconds(value)


WRONG = [
    ("no trace", {"traceId": "", "spanId": "a"}, "a span has no trace_id; expected text"),
    ("a list for an id", {"trace_id": ["a"]}, "a list is not an id of a trace or span; expected text"),
    ("true for an id", {"trace_id": True}, "true is not an id of a trace or span; expected text"),
    ("no time", {"trace_id": "a", "start_time": "soon"},
     "start_time: 'soon' is not a time; expected ISO 8601 or nanoseconds"),
    ("a request that is none", {"resourceSpans": {}}, "an empty object stands in resourceSpans, expected"),
]  # fmt: skip


@pytest.mark.parametrize(("why", "row", "message"), WRONG, ids=[row[0] for row in WRONG])
def test_what_is_wrong_with_a_span_is_said(why, row, message):
    with pytest.raises(NotASpan) as refused:
        list(spans(row))
    assert str(refused.value).startswith(message)


KEYS = [
    ("hexadecimal", "0x5B8EFFF798038103D269B633813FC60C", TRACE),
    ("white space", f" {TRACE}\n", TRACE),
    ("a name that happens to be hexadecimal", "BEEF", "BEEF"),
    ("any other name", "Trace-1", "Trace-1"),
]


@pytest.mark.parametrize(("why", "text", "key"), KEYS, ids=[row[0] for row in KEYS])
def test_an_id_of_a_trace_has_one_spelling(why, text, key):
    assert trace_key(text) == key
