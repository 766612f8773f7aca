"""From the spans of one trace to what the pipeline answered.

- The question and the answer are those of the step or model nearest to the root: of several, the first to
  begin asks, and the last to end answers.
- The ranking is what the last re-ranker put out; without one, what the retrievers did, in their order.
  A retriever within a retriever only helped it.
- Tokens are those of all calls of models; a call within a call (of an SDK, within a framework's) is the same.
- Latency is the time from the beginning of the root to its end; absent when it does not say both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

from pydantic import JsonValue

from ragproof.adapters.adapter import CallFailed, RecordedFailure
from ragproof.adapters.reading.chunks import chunk
from ragproof.adapters.reading.notes import Notes
from ragproof.adapters.reading.results import Reading, read_answer, read_result, read_usage
from ragproof.adapters.reading.values import count
from ragproof.adapters.recorded import gen_ai, open_inference
from ragproof.adapters.recorded.messages import last_text, role
from ragproof.adapters.recorded.operations import Operation, Role
from ragproof.adapters.recorded.spans import Span
from ragproof.cases import canonical_json
from ragproof.outputs import Chunk, FailureKind, PipelineOutput, Usage

_SPEAKING = frozenset({Role.STEP, Role.MODEL})
_OUTPUT = "the output of the trace"


class Trace:
    """The spans of one trace; at least one."""

    def __init__(self, spans: Iterable[Span]) -> None:
        """Read each span by its convention.

        Raises:
            CallFailed: what one of them retrieved cannot be read.
        """
        self._operations = tuple(map(_operation, spans))
        self._by_id = {each.span.span_id: each for each in self._operations if each.span.span_id}

    def questions(self) -> tuple[str, ...]:
        """Return what may be the text that was asked, in several readings; () when nothing says."""
        asked = [each for each in self._operations if each.questions and each.role in _SPEAKING]
        asked = asked or [each for each in self._operations if each.questions]
        return min(asked, key=lambda each: (self._depth(each), _began(each))).questions if asked else ()

    def output(self, case_id: str) -> PipelineOutput:
        """Return what the pipeline answered.

        Raises:
            CallFailed: it failed, the trace says nothing of it, or what it says cannot be read.
        """
        failed = next((each.span.error for each in self._tops if each.span.error), None)
        if failed is not None:
            message = f"the recorded call failed: {failed}"
            raise RecordedFailure(FailureKind.EXCEPTION, message, self._latency_ms(Notes()))
        notes = Notes()
        reading = self._answered(notes)
        ranking = self._ranking(notes)
        if (
            reading.answer is None
            and ranking is None
            and reading.retrieved is None
            and reading.context is None
        ):
            message = (
                f"trace '{self._operations[0].span.trace_id}' holds neither an answer nor documents; expected"
                " attributes of OpenInference (output.value) or OpenTelemetry (gen_ai.output.messages)"
            )
            raise CallFailed(FailureKind.BAD_OUTPUT, message)
        if ranking is not None:
            read = reading.context or reading.retrieved
            context = read if read and _ids(read) != _ids(ranking) else None
            reading = replace(reading, retrieved=ranking, context=context)
        usage, latency_ms = reading.usage or self._usage(notes), self._latency_ms(notes)
        kept = (*reading.notes, *(note for note in notes.sentences() if note not in reading.notes))
        return replace(reading, usage=usage, notes=kept).output(case_id, latency_ms)

    @cached_property
    def _tops(self) -> tuple[Operation, ...]:
        return tuple(each for each in self._operations if self._parent(each) is None)

    def _parent(self, operation: Operation) -> Operation | None:
        parent = self._by_id.get(operation.span.parent_id or "")
        return None if parent is operation else parent

    def _ancestors(self, operation: Operation) -> list[Operation]:
        """Return what a span is within, the nearest first; a circle, as in a broken file, ends it."""
        found: list[Operation] = []
        parent = self._parent(operation)
        while parent is not None and parent not in found:
            found.append(parent)
            parent = self._parent(parent)
        return found

    def _depth(self, operation: Operation) -> int:
        return len(self._ancestors(operation))

    def _outermost(self, *roles: Role) -> list[Operation]:
        """Return the spans of a role that are not within another of it, in the order in which they began."""
        found = [
            each
            for each in self._operations
            if each.role in roles and not any(outer.role in roles for outer in self._ancestors(each))
        ]
        return sorted(found, key=_began)

    def _answered(self, notes: Notes) -> Reading:
        """Read the output of the step or model nearest to the root that has one."""
        said = [each for each in self._operations if each.role in _SPEAKING and each.output not in (None, "")]
        if not said:
            return Reading()
        nearest = min(map(self._depth, said))
        last = max((each for each in said if self._depth(each) == nearest), key=_ended)
        spoken = last_text(_messages(last.output))
        if spoken is None and isinstance(last.output, dict | list):
            try:
                return read_result(last.output, _OUTPUT)
            except CallFailed:
                notes.add(f"{_OUTPUT} is JSON without a known answer: read as text")
        text = last.output if isinstance(last.output, str) else canonical_json(last.output)
        return Reading(answer=read_answer(spoken or text, _OUTPUT, notes))

    def _ranking(self, notes: Notes) -> tuple[Chunk, ...] | None:
        reranked = [each for each in self._outermost(Role.RERANKER) if each.documents is not None]
        if reranked:
            return _chunks(max(reranked, key=_ended), notes)
        retrieved = [each for each in self._outermost(Role.RETRIEVER) if each.documents is not None]
        if len(retrieved) < 2:
            return _chunks(retrieved[0], notes) if retrieved else None
        notes.add(f"{len(retrieved)} retrievers: their rankings stand one after the other")
        first: dict[str, Chunk] = {}
        for each in retrieved:
            for found in _chunks(each, notes):
                first.setdefault(found.id, found)
        return tuple(first.values())

    def _usage(self, notes: Notes) -> Usage | None:
        models = self._outermost(Role.MODEL)
        counted = models or [each for each in self._tops if each.input_tokens is not None]
        if not counted:
            return None
        usage: dict[str, int | None] = {"llm_calls": len(models) or None}
        for name in ("input_tokens", "output_tokens"):
            known = [count(getattr(each, name), f"{name} of a span") for each in counted]
            reported = [tokens for tokens in known if tokens is not None]
            if len(reported) == len(counted):
                usage[name] = sum(reported)
            elif reported:
                notes.add(
                    f"{len(counted) - len(reported)} of {len(counted)} calls of models report no {name}"
                )
        return read_usage(usage, "the usage of the trace")

    def _latency_ms(self, notes: Notes) -> float | None:
        starts = [each.span.start_ns for each in self._tops if each.span.start_ns is not None]
        ends = [each.span.end_ns for each in self._tops if each.span.end_ns is not None]
        if not starts or not ends:
            return None
        if max(ends) < min(starts):
            notes.add("the trace ends before it begins: it has no latency")
            return None
        return (max(ends) - min(starts)) / 1e6


def _operation(span: Span) -> Operation:
    conventions = (
        (open_inference, gen_ai) if open_inference.names_its_kind(span) else (gen_ai, open_inference)
    )
    found = (convention.operation(span) for convention in conventions)
    return next((each for each in found if each is not None), Operation(span))


def _chunks(operation: Operation, notes: Notes) -> tuple[Chunk, ...]:
    chunks = []
    for index, document in enumerate(operation.documents or ()):
        name = f"document {index} of the trace"
        if document.id is None and document.text is None and not document.metadata:
            raise CallFailed(FailureKind.BAD_OUTPUT, f"{name} has neither an id nor content")
        chunks.append(chunk(document, name, notes))
    return tuple(chunks)


def _messages(output: JsonValue) -> JsonValue:
    """Return the messages that an output holds or is; None when there are none."""
    if isinstance(output, dict):
        return output.get("messages")
    return output if isinstance(output, list) and output and all(map(role, output)) else None


def _began(operation: Operation) -> int:
    return operation.span.start_ns or 0


def _ended(operation: Operation) -> int:
    return operation.span.end_ns or 0


def _ids(chunks: Sequence[Chunk]) -> list[str]:
    return [each.id for each in chunks]
