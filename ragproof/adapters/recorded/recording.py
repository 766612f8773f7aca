"""A file of what a pipeline has answered before: outputs by case, and traces by their id or their question.

The file is read once when it is opened, for its faults; afterwards the lines of one case are read at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from ragproof.adapters.adapter import CallFailed, Question, RecordedFailure
from ragproof.adapters.recorded import json_lines, outputs, spans
from ragproof.adapters.recorded.json_lines import Place, Row
from ragproof.adapters.recorded.traces import Trace
from ragproof.errors import ConfigurationError, Fault
from ragproof.outputs import CaseFailure, FailureKind, Outcome, PipelineOutput

MOST_FAULTS_TOLD = 50


class Recording:
    """An opened file."""

    def __init__(self, path: Path) -> None:
        """Read a file.

        Raises:
            ConfigurationError: everything that is wrong with its lines, each with its number.
        """
        self._path = path
        self._outputs: dict[str, Place] = {}
        self._traces: dict[str, list[Place]] = {}
        faults = list(self._faults())
        if not faults and not self._outputs and not self._traces:
            faults = [
                Fault(
                    "nothing is recorded here; expected outputs or spans, one object on each line", path.name
                )
            ]
        if len(faults) > MOST_FAULTS_TOLD:
            untold = Fault(f"and {len(faults) - MOST_FAULTS_TOLD:,} more faults", path.name)
            faults = [*faults[:MOST_FAULTS_TOLD], untold]
        if faults:
            raise ConfigurationError(faults)

    def answer(self, question: Question) -> PipelineOutput:
        """Return what was answered to a question: the output of its case, else the trace of its id.

        A trace belongs to a case whose id it has, or whose `metadata.trace_id`, or whose question if no other
        trace has it.

        Raises:
            CallFailed: the pipeline failed then, too; or nothing is recorded, with the cure.
        """
        place = self._outputs.get(question.case_id)
        if place is not None:
            outcome = self._output(question.case_id, place)
            if isinstance(outcome, CaseFailure):
                raise RecordedFailure(outcome.kind, outcome.message, outcome.latency_ms)
            return outcome
        return self._trace(self._trace_id(question)).output(question.case_id)

    def _output(self, case_id: str, place: Place) -> Outcome:
        with self._unchanged():
            (row,) = json_lines.read_again(self._path, [place])
            outcome = outputs.read(row)
            if outcome.case_id != case_id:
                raise ValueError("it holds another case")
        return outcome

    def _trace_id(self, question: Question) -> str:
        for given in (question.trace_id, question.case_id):
            if given is not None and spans.trace_key(given) in self._traces:
                return spans.trace_key(given)
        if question.trace_id is not None:
            raise _missing(f"trace '{question.trace_id}' of metadata.trace_id is not in '{self._path.name}'")
        same = self._by_question.get(question.text.strip(), ()) if self._traces else ()
        if len(same) == 1:
            return same[0]
        where = f"for case '{question.case_id}' in '{self._path.name}'"
        if same:
            cure = "set metadata.trace_id of the case to the one that is meant"
            raise _missing(f"{len(same)} traces ask the same question {where}; {cure}")
        cure = "set metadata.trace_id of the case, or ask" if self._traces else "ask"
        raise _missing(f"nothing is recorded {where}; {cure} the pipeline again with `ragproof record`")

    @cached_property
    def _by_question(self) -> dict[str, tuple[str, ...]]:
        """Return the ids of the traces that ask each question; needed only where ids do not match."""
        found: dict[str, tuple[str, ...]] = {}
        for trace_id in self._traces:
            try:
                asked = self._trace(trace_id).questions()
            except CallFailed:  # told when a case asks for it
                continue
            for text in dict.fromkeys(text.strip() for text in asked):
                found[text] = (*found.get(text, ()), trace_id)
        return found

    def _trace(self, trace_id: str) -> Trace:
        with self._unchanged():
            rows = json_lines.read_again(self._path, self._traces[trace_id])
            found = [span for row in rows for span in spans.spans(row) if span.trace_id == trace_id]
            if not found:
                raise ValueError("it holds another trace")
        return Trace(found)

    @contextmanager
    def _unchanged(self) -> Iterator[None]:
        """Read lines again; that they cannot be read any more fails the case."""
        try:
            yield
        except (OSError, ValueError) as error:
            message = f"'{self._path.name}' has changed since it was opened: {error}"
            raise CallFailed(FailureKind.EXCEPTION, message) from error

    def _faults(self) -> Iterator[Fault]:
        """Read every line, and yield what is wrong with it."""
        for place, row in json_lines.read(self._path):
            if isinstance(row, Fault):
                yield row
                continue
            try:
                self._take(place, row)
            except (outputs.NotAnOutput, spans.NotASpan) as wrong:
                yield Fault(str(wrong), f"{self._path.name}:{place.number}")

    def _take(self, place: Place, row: Row) -> None:
        is_about_spans = "case_id" not in row and spans.is_about_spans(row)
        if is_about_spans:
            for trace_id in dict.fromkeys(span.trace_id for span in spans.spans(row)):
                self._traces.setdefault(trace_id, []).append(place)
            return
        case_id = outputs.case_id(row)
        if case_id is None:
            keys = ", ".join(f"'{key}'" for key in list(row)[:8]) or "none"
            message = f"neither an output, with a case_id, nor a span, with a trace_id; its keys are {keys}"
            raise outputs.NotAnOutput(message)
        first = self._outputs.setdefault(case_id, place)
        if first is not place:
            raise outputs.NotAnOutput(f"case '{case_id}' is already on line {first.number}; expected it once")
        outputs.read(row)


def _missing(message: str) -> CallFailed:
    return CallFailed(FailureKind.BAD_OUTPUT, message)
