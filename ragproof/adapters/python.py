"""The `python` adapter: a pipeline in this process, named `module:attribute`.

Not only our own protocol (`answer(question)`, `retrieve(question, k)`): plain functions, LangChain runnables
and LlamaIndex engines are asked as they are. `calling/target.py` has the rule for what an attribute is.
"""

from __future__ import annotations

import asyncio
import dataclasses
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Literal

from pydantic import JsonValue, field_validator

from ragproof.adapters.adapter import SECTION, AdapterConfig, CallFailed, Question
from ragproof.adapters.calling.blame import describe
from ragproof.adapters.calling.loops import PipelineLoop
from ragproof.adapters.calling.roles import Answerer, Retriever, Role, able
from ragproof.adapters.calling.target import load
from ragproof.adapters.calling.threads import Threads
from ragproof.adapters.reading.results import Reading, read_ranking, read_result
from ragproof.errors import ConfigurationError, Fault
from ragproof.outputs import FailureKind, PipelineOutput
from ragproof.redaction import Redactor

_TARGET = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*")

Read = Callable[[object, str], Reading]
Now = Callable[[], float]


class PythonConfig(AdapterConfig):
    """A pipeline that is a Python object or function."""

    type: Literal["python"] = "python"
    target: str
    """`module:attribute`; the module is looked for beside the configuration first."""
    options: dict[str, JsonValue] = {}
    """Arguments of the class or factory."""
    input_key: str | None = None
    """The question's key, for a runnable that takes a mapping: `input` asks `{"input": question}`."""

    @field_validator("target")
    @classmethod
    def _names_an_attribute(cls, target: str) -> str:
        if not _TARGET.fullmatch(target):
            raise ValueError(f"'{target}' is not a target; expected 'package.module:attribute'")
        return target

    def open(
        self,
        search_path: Sequence[Path] = (),
        environ: Mapping[str, str] | None = None,  # noqa: ARG002  # Python code reads the environment itself
    ) -> PythonAdapter:
        """Import the target, build it, and find out how it wants to be asked."""
        try:
            subject = load(self.target, self.options, search_path)
            return PythonAdapter(able(subject, self.target, self.input_key))
        except ConfigurationError as error:
            place = f"{SECTION}.target"
            told = Redactor({}).text  # a constructor's error may quote a key, and so may its traceback
            raise ConfigurationError([Fault(told(fault.message), place) for fault in error.faults]) from None


CONFIG: type[AdapterConfig] = PythonConfig


class PythonAdapter:
    """An open pipeline of this process."""

    def __init__(self, pipeline: Answerer | Retriever, now: Now = perf_counter) -> None:
        """Take what can be asked, and the clock that measures latency, in seconds."""
        self._pipeline = pipeline
        self._now = now
        self._threads = Threads()
        self._loop = PipelineLoop()

    @property
    def passes_history(self) -> bool:
        """Whether the function that is asked takes `history`."""
        return self._pipeline.first.wants.history_by is not None

    async def ask(self, question: Question) -> PipelineOutput:
        """Ask for an answer; for the ranking too, when it did not come with the answer and can be had."""
        pipeline = self._pipeline
        if isinstance(pipeline, Retriever):
            ranking, latency_ms = await self._ranked(pipeline.retrieve, question)
            return ranking.output(question.case_id, latency_ms)
        reading, latency_ms = await self._call(pipeline.answer, question, question.k, read_result)
        if reading.retrieved is None and pipeline.retrieve is not None:
            ranking, _ = await self._ranked(pipeline.retrieve, question)
            notes = (*reading.notes, *(note for note in ranking.notes if note not in reading.notes))
            reading = dataclasses.replace(reading, retrieved=ranking.retrieved, notes=notes)
        return reading.output(question.case_id, latency_ms)

    async def close(self) -> None:
        """End the threads that are not in a call."""
        self._threads.close()
        self._loop.close()

    async def _ranked(self, retrieve: Role, question: Question) -> tuple[Reading, float]:
        return await self._call(retrieve, question, question.retrieve_k, read_ranking)

    async def _call(self, role: Role, question: Question, k: int, read: Read) -> tuple[Reading, float]:
        """Call and read, where neither can hold up the loop of whoever waits; time the call alone."""
        positional, named = role.arguments(question, k)
        source = f"the result of {role.name}"

        def call() -> object:
            return role.function(*positional, **named)

        timed = _Timed(call, source, read, self._now)
        if role.is_async:
            return await self._loop.run(timed.awaited(call))
        made = await self._threads.run(f"ragproof-case-{question.case_id}", timed.called)
        if isinstance(made, _Pending):
            return await self._loop.run(timed.awaited(lambda: made.result, made.so_far_ms))
        return made


@dataclasses.dataclass(frozen=True)
class _Pending:
    """What a synchronous function returned when that has still to be awaited."""

    result: object
    so_far_ms: float


@dataclasses.dataclass(frozen=True)
class _Timed:
    """A call whose time is measured, and the reading of its result, whose time is not."""

    call: Callable[[], object]
    source: str
    read: Read
    now: Now

    def called(self) -> tuple[Reading, float] | _Pending:
        """Call a synchronous function, in its thread."""
        started = self.now()
        try:
            result = self.call()
            elapsed_ms = (self.now() - started) * 1000
            if inspect.isawaitable(result):
                return _Pending(result, elapsed_ms)
            return self.read(result, self.source), elapsed_ms
        except CallFailed:
            raise
        except BaseException as error:  # SystemExit too: a pipeline may end its own case, not the run
            raise CallFailed(FailureKind.EXCEPTION, describe(error)) from error

    async def awaited(self, call: Callable[[], object], so_far_ms: float = 0.0) -> tuple[Reading, float]:
        """Call a function and await what it returns, in the loop of pipelines."""
        started = self.now()
        try:
            result = call()
            if inspect.isawaitable(result):
                result = await result
            elapsed_ms = so_far_ms + (self.now() - started) * 1000
            return self.read(result, self.source), elapsed_ms
        except (CallFailed, GeneratorExit):  # GeneratorExit: the loop is closing
            raise
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            raise CallFailed(FailureKind.EXCEPTION, describe(error)) from error
        except BaseException as error:  # left alone, a SystemExit would end the loop of all calls
            raise CallFailed(FailureKind.EXCEPTION, describe(error)) from error
