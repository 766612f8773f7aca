"""The replay adapter: a case finds what was recorded for it, or is told how to."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.adapters import registry
from ragproof.adapters.adapter import Question
from ragproof.adapters.recorded import outputs
from ragproof.asking import ask
from ragproof.cases import Case
from ragproof.errors import ConfigurationError
from ragproof.outputs import CaseFailure, Chunk, FailureKind, Outcome, PipelineOutput, Usage
from tests.fakes.stores import ANY_TEXT
from tests.fakes.traces import OTHER, SPELLINGS, TRACE, Made, nested, sdk, write

CONFIG = registry.parse({"type": "replay", "path": "answers.jsonl"})
FULL = PipelineOutput(
    case_id="q1",
    answer="an answer,\u2028on two lines",
    retrieved=(Chunk(id="c1", text="one", score=0.5, metadata={"document_id": "d1", "page": [1]}),),
    context=(),
    citations=("c1",),
    usage=Usage(input_tokens=5),
    latency_ms=12.5,
    notes=("an integer id was read as text",),
)
FAILED = CaseFailure(case_id="q2", kind=FailureKind.TIMEOUT, message="no answer within 60 s", latency_ms=6e4)


def recorded(folder: Path, *lines: object) -> Path:
    """Write lines: outcomes, objects, or bytes as they are."""
    content = [line if isinstance(line, bytes) else _line(line) for line in lines]
    (folder / "answers.jsonl").write_bytes(b"".join(content))
    return folder


def _line(value: object) -> bytes:
    if isinstance(value, PipelineOutput | CaseFailure):
        return outputs.written(value)
    return json.dumps(value).encode() + b"\n"


def replayed(folder: Path, *questions: Question) -> list[Outcome]:
    adapter = CONFIG.open([folder])

    async def one_by_one() -> list[Outcome]:
        found = [await ask(adapter, question, 60) for question in questions]
        await adapter.close()
        return found

    assert adapter.passes_history
    return asyncio.run(one_by_one())


def question(case_id: str = "q1", text: str = "why?", **metadata: object) -> Question:
    return Question.of(Case(id=case_id, question=text, metadata=metadata), k=2, retrieve_k=3)


def faults(folder: Path) -> list[str]:
    with pytest.raises(ConfigurationError) as refused:
        CONFIG.open([folder])
    return [str(fault) for fault in refused.value.faults]


def test_what_was_recorded_comes_back_as_it_was(tmp_path):
    """Every field, and its latency, which is not that of reading a file; a failure fails again."""
    full, failed = replayed(recorded(tmp_path, FULL, FAILED), question("q1"), question("q2"))
    assert full == FULL
    assert failed == FAILED


UNTIMED: Sequence[tuple[str, object]] = [
    ("a line of another program", {"id": "q1", "result": "x", "contexts": ["one"]}),
    ("a line in our own words", {"case_id": "q1", "answer": "x", "retrieved": [{"id": "c"}]}),
    ("a latency of null", {"case_id": "q1", "answer": "x", "latency_ms": None}),
    ("a failure", CaseFailure(case_id="q1", kind=FailureKind.TIMEOUT, message="no answer")),
]


@pytest.mark.parametrize(("why", "line"), UNTIMED, ids=[row[0] for row in UNTIMED])
def test_a_recording_without_times_has_no_latency(why, line, tmp_path):
    """What reading the file takes is nobody's latency."""
    (found,) = replayed(recorded(tmp_path, line), question("q1"))
    assert found.latency_ms is None


@pytest.mark.parametrize(("spelled"), SPELLINGS)
def test_a_replayed_failure_took_what_its_trace_took(spelled, tmp_path):
    """One that is not recorded took nothing."""
    made = Made("aa", {"input.value": "why?"}, start_ms=10, end_ms=250, error="no index")
    write(tmp_path / "answers.jsonl", made, spelled=spelled)
    failed, missing = replayed(tmp_path, question(TRACE), question("q9", "what?"))
    assert (failed.kind, failed.latency_ms) == (FailureKind.EXCEPTION, 240)
    assert (missing.kind, missing.latency_ms) == (FailureKind.BAD_OUTPUT, None)


CHUNKS = st.lists(
    st.builds(
        Chunk, id=ANY_TEXT, text=ANY_TEXT, score=st.none() | st.floats(allow_nan=False, allow_infinity=False)
    ),
    max_size=2,
).map(tuple)
OUTPUTS = st.builds(
    PipelineOutput,
    case_id=ANY_TEXT,
    answer=st.none() | ANY_TEXT,
    retrieved=st.none() | CHUNKS,
    citations=st.none() | st.lists(ANY_TEXT, max_size=2).map(tuple),
    latency_ms=st.none() | st.floats(0, 1e9),
)


@given(OUTPUTS)
def test_any_output_is_one_line_and_comes_back_from_it(output):
    """Whatever characters are in it, halves of pairs among them."""
    line = outputs.written(output)
    assert line.count(b"\n") == 1
    assert outputs.read(json.loads(line)) == output


SOMEONE_ELSES = [
    ("the usual names", {"id": "q1", "result": "x", "contexts": ["one"], "latency_ms": 3}, "x", 1),
    ("an integer id", {"case_id": 1, "answer": "x", "latency_ms": 3}, "x", None),
    ("retrieval alone", {"case_id": "q1", "documents": [{"id": 7}], "latency_ms": 3}, None, 1),
    ("a score that is none",
     b'{"case_id": "q1", "answer": "x", "documents": [{"id": "c", "score": NaN}], "latency_ms": 3}', "x", 1),
    ("a byte order mark",
     b'\xef\xbb\xbf{"case_id": "q1", "answer": "x", "latency_ms": 3}\r\n\r\n', "x", None),
]  # fmt: skip


@pytest.mark.parametrize(
    ("why", "line", "answer", "chunks"), SOMEONE_ELSES, ids=[r[0] for r in SOMEONE_ELSES]
)
def test_a_line_that_someone_else_wrote_is_read_like_a_result(why, line, answer, chunks, tmp_path):
    case_id = "1" if why == "an integer id" else "q1"
    (found,) = replayed(recorded(tmp_path, line), question(case_id))
    assert isinstance(found, PipelineOutput), found
    assert (found.case_id, found.answer, found.latency_ms) == (case_id, answer, 3)
    assert (None if found.retrieved is None else len(found.retrieved)) == chunks


def asking(text: str, trace_id: str = TRACE, **fields) -> Made:
    return Made("aa", {"input.value": text, "output.value": f"to {text}"}, trace_id=trace_id, **fields)


FOUND = [
    ("by the id of the trace", question(TRACE), "to why?"),
    ("whatever its spelling", question(f"0x{TRACE.upper()}"), "to why?"),
    ("by metadata.trace_id", question("q1", "something else", trace_id=OTHER), "to who?"),
    ("metadata wins over the question", question("q1", "why?", trace_id=OTHER), "to who?"),
    ("by the question", question("q1", "who?"), "to who?"),
    ("white space around it does not count", question("q1", " who? \n"), "to who?"),
]


@pytest.mark.parametrize(("why", "asked", "answer"), FOUND, ids=[row[0] for row in FOUND])
def test_a_case_finds_its_trace(why, asked, answer, tmp_path):
    """By id, by metadata, or by its question."""
    for spelled in SPELLINGS:
        write(tmp_path / "answers.jsonl", asking("why?"), asking("who?", OTHER), spelled=spelled)
        (found,) = replayed(tmp_path, asked)
        assert isinstance(found, PipelineOutput), found
        assert (found.case_id, found.answer) == (asked.case_id, answer)


MISSING = [
    ("nothing of it", question("q1", "what?"),
     "nothing is recorded for case 'q1' in 'answers.jsonl'; set metadata.trace_id of the case, or ask the "
     "pipeline again with `ragproof record`"),
    ("two traces ask the same", question("q1", "why?"),
     "2 traces ask the same question for case 'q1' in 'answers.jsonl'; set metadata.trace_id of the case to "
     "the one that is meant"),
    ("the trace it names is not there", question("q1", "who?", trace_id="77"),
     "trace '77' of metadata.trace_id is not in 'answers.jsonl'"),
]  # fmt: skip


@pytest.mark.parametrize(("why", "asked", "message"), MISSING, ids=[row[0] for row in MISSING])
def test_a_case_without_a_trace_is_told_how_to_get_one(why, asked, message, tmp_path):
    """It fails alone."""
    made = [asking("why?"), asking("why?", OTHER), asking("who?", "who")]
    write(tmp_path / "answers.jsonl", *made, spelled=nested)
    missing, found = replayed(tmp_path, asked, question("who"))
    assert isinstance(missing, CaseFailure)
    assert missing.reason == f"bad_output: {message}"
    assert isinstance(found, PipelineOutput)


def test_a_case_that_was_not_recorded_is_told_to_record_it(tmp_path):
    (missing,) = replayed(recorded(tmp_path, FULL), question("q9"))
    assert missing.reason == (
        "bad_output: nothing is recorded for case 'q9' in 'answers.jsonl'; ask the pipeline again with"
        " `ragproof record`"
    )


def test_outputs_and_traces_may_stand_in_one_file_and_a_broken_trace_harms_only_its_case(tmp_path):
    """Spans of one trace need not follow one another."""
    broken = Made("aa", {"openinference.span.kind": "RETRIEVER", "output.value": "[7]"}, trace_id="broken")
    late = Made("bb", {"gen_ai.operation.name": "chat", "gen_ai.usage.input_tokens": 3}, "aa")
    recorded(tmp_path, sdk(asking("why?")), FULL, nested(broken), nested(late))
    first, second, third = replayed(
        tmp_path, question(text="unseen", case_id="q1"), question("x", "why?"), question("broken")
    )
    assert first == FULL
    assert second.usage == Usage(input_tokens=3, llm_calls=1)
    assert third.reason == (
        "bad_output: output.value[0] is the int 7, expected text, or something with an id and a text"
    )


BROKEN: Sequence[tuple[str, Sequence[object], list[str]]] = [
    ("all at once, each with its line",
     [b"\n", b"{\n", b"\xff\n", b"7\n", {"x": 1}, FULL, FULL,
      {"case_id": "q3", "answer": "x", "latency_ms": -1},
      {"case_id": "q4", "anwser": "x", "latency_ms": 1}, {"case_id": [1], "answer": "x"},
      {"case_id": "q6"}, {"trace_id": "a", "end_time": "?"},
      {"case_id": "q5", "kind": "tiemout", "message": ""}],
     ["answers.jsonl:2: not JSON: expecting property name enclosed in double quotes at column 2; expected",
      "answers.jsonl:3: byte 0xff is not UTF-8; save the file as UTF-8",
      "answers.jsonl:4: 7 is neither an output nor a span; expected an object",
      "answers.jsonl:5: neither an output, with a case_id, nor a span, with a trace_id; its keys are 'x'",
      "answers.jsonl:7: case 'q1' is already on line 6; expected it once",
      "answers.jsonl:8: latency_ms is -1, expected the milliseconds that the pipeline took, at least 0",
      "answers.jsonl:9: the line is a dict, expected text, None, a list of chunks, or something with an",
      "answers.jsonl:10: case_id is a list, expected text or an integer",
      "answers.jsonl:11: the line is a dict, expected text, None, a list of chunks, or something with an",
      "answers.jsonl:12: end_time: '?' is not a time; expected ISO 8601 or nanoseconds",
      "answers.jsonl:13: kind: input should be 'timeout', 'exception', "]),
    ("an empty file", [b"\n\n"],
     ["answers.jsonl: nothing is recorded here; expected outputs or spans, one object on each line"]),
    ("nested without end", [b"[" * 100_000],
     ["answers.jsonl:1: a number is too long, or lists and objects are nested too deeply, to be read"]),
    ("more than anybody reads", [b"{\n"] * 60, ["answers.jsonl:1: "] + ["answers.jsonl:"] * 49
     + ["answers.jsonl: and 10 more faults"]),
]  # fmt: skip


@pytest.mark.parametrize(("why", "lines", "told"), BROKEN, ids=[row[0] for row in BROKEN])
def test_all_faults_of_a_file_are_told_before_the_first_case(why, lines, told, tmp_path):
    found = faults(recorded(tmp_path, *lines))
    assert len(found) == len(told)
    for fault, beginning in zip(found, told, strict=True):
        assert fault.startswith(beginning)


def test_a_file_is_looked_for_beside_the_configuration_first(tmp_path):
    """Then in the current directory; a near name is suggested."""
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
    recorded(there, FULL)
    assert CONFIG.open([here, there])
    (there / "answers.jsonl").rename(there / "answer.jsonl")
    with pytest.raises(ConfigurationError) as refused:
        CONFIG.open([here, there])
    assert str(refused.value) == (
        f"pipeline.adapter.path: there is no file 'answers.jsonl' in '{here}' nor in '{there}'; did you mean"
        " 'answer.jsonl'?"
    )


CHANGED = [
    ("another case", FULL.model_copy(update={"case_id": "q7"}), "it holds another case"),
    ("half a line", b"{", "line 1 is not JSON"),
    ("someone else's line", {"case_id": "q1", "n": "x" * 999}, "line 1 is not JSON"),
]


@pytest.mark.parametrize(("why", "line", "told"), CHANGED, ids=[row[0] for row in CHANGED])
def test_a_file_that_changes_while_it_is_open_fails_the_case_and_answers_for_no_other(
    why, line, told, tmp_path
):
    """Where the line stood, something else stands now."""
    adapter = CONFIG.open([recorded(tmp_path, FULL)])
    recorded(tmp_path, line)
    failed = asyncio.run(ask(adapter, question("q1"), 60))
    assert isinstance(failed, CaseFailure)
    assert failed.message.startswith(f"'answers.jsonl' has changed since it was opened: {told}")


def test_a_trace_that_changes_while_its_file_is_open_fails_the_case(tmp_path):
    write(tmp_path / "answers.jsonl", asking("why?"))
    adapter = CONFIG.open([tmp_path])
    write(tmp_path / "answers.jsonl", asking("why?", OTHER))
    failed = asyncio.run(ask(adapter, question(TRACE), 60))
    assert isinstance(failed, CaseFailure)
    assert failed.message == "'answers.jsonl' has changed since it was opened: it holds another trace"
