"""The `command` adapter: a pipeline that is a program, asked with one line of JSON on its standard input.

It is given `{"question", "k", "case_id", "history"}` and answers with one line on its standard output: what a
Python pipeline would return, as JSON, or `{"error": "why"}`. By default a process is kept open and asked line
by line, one process for each call under way, and ends when its input is closed; one that fails, is late, or
writes what nobody asked for is ended with all it has started, and the next call gets a fresh one. The time a
fresh process takes to start belongs to its first answer. No shell is involved anywhere.
"""

from __future__ import annotations

import asyncio
import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Annotated, Literal

from pydantic import BeforeValidator, field_validator

from ragproof.adapters.adapter import SECTION, AdapterConfig, Question
from ragproof.adapters.calling.threads import Threads
from ragproof.adapters.process import lines
from ragproof.adapters.process.launching import Launch, launch
from ragproof.adapters.process.pool import Pool
from ragproof.adapters.process.process import Process, SaidNothing
from ragproof.adapters.reading.results import Reading
from ragproof.adapters.wire.environment import is_our_own, named, references
from ragproof.errors import ConfigurationError, Fault
from ragproof.outputs import PipelineOutput

Mode = Literal["open", "per_call"]
Now = Callable[[], float]


def _no_line_for_a_shell(value: object) -> object:
    if isinstance(value, str):
        try:
            split = shlex.split(value)
        except ValueError:
            split = value.split()
        raise ValueError(f"'{value}' is for a shell, and none is used; write {split}")
    return value


class CommandConfig(AdapterConfig):
    """A pipeline that is a program of its own."""

    type: Literal["command"] = "command"
    command: Annotated[
        tuple[str, ...], BeforeValidator(_no_line_for_a_shell, json_schema_input_type=tuple[str, ...])
    ]
    """Program and arguments, such as `[python, rag.py]`; the question comes on standard input."""
    mode: Mode = "open"
    """`open` keeps a process and asks it line by line, `per_call` starts one for every question."""
    env: tuple[str, ...] = ()
    """Names of variables it is given, besides PATH, HOME and their like; their values are never kept."""
    cwd: str | None = None
    """The folder it is started in, by default that of the configuration."""

    @field_validator("command")
    @classmethod
    def _can_be_run(cls, command: tuple[str, ...]) -> tuple[str, ...]:
        if not command or not command[0]:
            raise ValueError("no program is named; expected a list such as ['python', 'rag.py']")
        faults = [f"'{part}' holds a NUL character" for part in command if "\0" in part]
        faults += [
            f"'{part}' is a secret that every user of the machine could see; name it under env instead"
            for part in command
            if references(part)
        ]
        faults += [
            f"'{part}' is not filled in: the question comes as a line of JSON on standard input"
            for part in command
            if "{question}" in part
        ]
        if faults:
            raise ValueError("; ".join(faults))
        return command

    @field_validator("env")
    @classmethod
    def _may_be_given(cls, env: tuple[str, ...]) -> tuple[str, ...]:
        faults = [f"'{name}' is not the name of a variable" for name in env if not name.isidentifier()]
        faults += [
            f"'{name}' is ragproof's own and is never given to a pipeline" for name in env if is_our_own(name)
        ]
        if faults:
            raise ValueError("; ".join(faults))
        return env

    def secrets(self, environ: Mapping[str, str] | None = None) -> Mapping[str, str]:
        """Return the values of the variables it is given by name."""
        return named(self.env, environ, f"{SECTION}.env")

    def open(
        self, search_path: Sequence[Path] = (), environ: Mapping[str, str] | None = None
    ) -> CommandAdapter:
        """Look for folder and program; nothing is started yet.

        Args:
            search_path: the first is the folder of the configuration, from which `cwd` is looked for.
            environ: the environment; None is this process's own.
        """
        folder = (search_path[0] if search_path else Path.cwd()) / (self.cwd or "")
        given = os.environ if environ is None else environ
        described = launch(self.command, folder, given, self.secrets(environ))
        faults = [Fault(fault, f"{SECTION}.command") for fault in described.faults()]
        if faults:
            raise ConfigurationError(faults)
        return CommandAdapter(described, self.mode)


CONFIG: type[AdapterConfig] = CommandConfig


class CommandAdapter:
    """A program that can be asked."""

    passes_history = True

    def __init__(self, described: Launch, mode: Mode, now: Now = perf_counter) -> None:
        """Take how it is started and kept, and the clock that measures latency, in seconds."""
        self._pool = Pool(described)
        self._mode = mode
        self._now = now
        self._threads = Threads()

    async def ask(self, question: Question) -> PipelineOutput:
        """Ask in a thread of its own; when nobody waits any more, the process is killed."""
        call = _Call(self._pool, question, self._now)
        make = call.of_a_kept_process if self._mode == "open" else call.of_a_process_of_its_own
        try:
            reading, latency_ms = await self._threads.run(f"ragproof-case-{question.case_id}", make)
        except asyncio.CancelledError:
            call.abandon()
            raise
        return reading.output(question.case_id, latency_ms)

    async def close(self) -> None:
        """End the processes that are kept."""
        await self._threads.run("ragproof-closing", self._pool.close)
        self._threads.close()


class _Call:
    """One question to one process, or to a second one when the first had gone without a word."""

    def __init__(self, pool: Pool, question: Question, now: Now) -> None:
        self._pool = pool
        self._question = question
        self._now = now
        self._process: Process | None = None
        self._is_abandoned = False

    def of_a_kept_process(self) -> tuple[Reading, float]:
        """Ask a process that waits for a question, or a fresh one."""
        waiting = self._pool.idle()
        if waiting is not None:
            try:
                return self._asked(waiting)
            except SaidNothing:  # a program that answers once ends by itself, and may not have been read this
                pass
        return self._asked(self._pool.fresh())

    def of_a_process_of_its_own(self) -> tuple[Reading, float]:
        """Ask a process that is started for this question, and ends with it."""
        return self._asked(self._pool.fresh(), last=True)

    def abandon(self) -> None:
        """Kill the process, which is late."""
        self._is_abandoned = True
        if self._process is not None:
            self._process.kill()

    def _asked(self, process: Process, *, last: bool = False) -> tuple[Reading, float]:
        self._process = process
        if self._is_abandoned:
            process.kill()
        is_kept = False
        try:
            started = self._now()
            answer = process.ask(lines.asked(self._question), last=last)
            latency_ms = (self._now() - started) * 1000
            value = lines.answered(answer, self._question)
            is_kept = not last
            return lines.read(value), latency_ms
        finally:
            if is_kept:
                self._pool.give_back(process)
            else:
                process.discard()
