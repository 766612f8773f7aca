"""Asking a pipeline every case and writing down what it answered, to be scored later without it.

No store and no flow take part. Answers are written as they come, into a file beside the one that was asked
for, which takes its place once it is whole and in the order of the cases: an interrupted recording loses no
answer, and a file is never half a recording.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from ragproof import datasets
from ragproof.adapters.adapter import Adapter, Question
from ragproof.adapters.recorded.outputs import written
from ragproof.asking import ask
from ragproof.cases import Case
from ragproof.config import EvalConfig
from ragproof.errors import ConfigurationError, Fault, RagproofError
from ragproof.opening_runs import refuse_lost_history
from ragproof.outputs import CaseFailure, Outcome
from ragproof.redaction import Redactor

_PLACE = "--out"


@dataclass(frozen=True)
class Progress:
    """How far a recording has come."""

    total: int
    answered: int
    failed: int
    first_failure: CaseFailure | None

    @property
    def done(self) -> int:
        """How many cases were asked, whatever came of it."""
        return self.answered + self.failed


Tell = Callable[[Progress], None]


def record(config: EvalConfig, out: Path, tell: Tell = lambda _: None) -> Progress:
    """Ask the pipeline of a configuration every case, and write what it answered.

    Args:
        config: a loaded configuration.
        out: the file to write, a line for each case; one that is there is replaced, once all cases are asked.
        tell: called after each case.

    Returns:
        How many cases were answered; the failures of the others are in the file too.

    Raises:
        ConfigurationError: the dataset, the adapter or the file cannot be used.
        RagproofError: it was cancelled, or the file cannot be written; what was answered is kept beside it.
    """
    cases = datasets.read(config.dataset.resolved(), config.dataset.format)[: config.dataset.limit]
    part = _Part(out.with_name(f"{out.name}.part"), len(cases))
    _refuse(out, part.path, config)
    adapter = config.adapter().open(config.search_path)
    try:
        asyncio.run(_ask_all(config, cases, adapter, part, tell))
        part.become(out)
    except KeyboardInterrupt:
        raise RagproofError(f"cancelled; {part.kept()}") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        message = f"'{error.filename or part.path}' cannot be written: {reason}; {part.kept()}"
        raise RagproofError(message) from error
    return part.progress()


async def _ask_all(
    config: EvalConfig, cases: Sequence[Case], adapter: Adapter, part: _Part, tell: Tell
) -> None:
    markers = [case.adversarial_payload for case in cases if case.adversarial_payload]
    redactor = Redactor(config.adapter().secrets(), exempt=markers)
    waiting = iter(enumerate(cases))
    k, retrieve_k = config.run.k, config.retrieve_k()

    async def ask_one_after_the_other() -> None:
        for position, case in waiting:
            question = Question.of(case, k=k, retrieve_k=retrieve_k)
            outcome = await ask(adapter, question, config.run.case_timeout_seconds)
            part.add(position, _clean(outcome, redactor))
            tell(part.progress())

    try:
        refuse_lost_history(cases, adapter.passes_history)
        with part.opened():
            async with asyncio.TaskGroup() as group:
                for _ in range(min(config.run.concurrency, len(cases))):
                    group.create_task(ask_one_after_the_other())
    except ExceptionGroup as failed:  # the file's; a case's own failure is a value
        raise failed.exceptions[0] from None
    finally:
        await adapter.close()


def _clean(outcome: Outcome, redactor: Redactor) -> Outcome:
    return redactor.failure(outcome) if isinstance(outcome, CaseFailure) else redactor.output(outcome)


def _refuse(out: Path, part: Path, config: EvalConfig) -> None:
    """Refuse a file that cannot be written, or that would be lost.

    Raises:
        ConfigurationError: with the cure.
    """
    read = (config.path, config.dataset.location)
    if out.is_dir() or any(out.resolve() == file.resolve() for file in read):
        message = f"'{out}' is a folder, the configuration or the dataset; name a new JSONL file"
    elif not out.parent.is_dir():
        message = f"there is no folder '{out.parent}'; make it, or name a file elsewhere"
    elif part.exists():
        message = f"'{part}' holds the answers of a recording that was interrupted; rename or delete it"
    else:
        return
    raise ConfigurationError([Fault(message, _PLACE)])


class _Part:
    """The answers as they come, and where each stands in their file."""

    def __init__(self, path: Path, total: int) -> None:
        self.path = path
        self._total = total
        self._file: BinaryIO | None = None
        self._places: dict[int, tuple[int, int]] = {}
        self._size = 0
        self._failed = 0
        self._first_failure: CaseFailure | None = None

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Have the file open for writing within the block."""
        with self.path.open("wb") as self._file:
            yield

    def add(self, position: int, outcome: Outcome) -> None:
        """Write the answer to the case at a position in the dataset."""
        assert self._file is not None
        line = written(outcome)
        self._file.write(line)
        self._file.flush()
        self._places[position] = (self._size, len(line))
        self._size += len(line)
        if isinstance(outcome, CaseFailure):
            self._failed += 1
            self._first_failure = self._first_failure or outcome

    def progress(self) -> Progress:
        """Return how far it has come."""
        answered = len(self._places) - self._failed
        return Progress(self._total, answered, self._failed, self._first_failure)

    def kept(self) -> str:
        """Say what is kept although the recording is not whole."""
        return f"{len(self._places)} of {self._total} answers are kept in '{self.path}'"

    def become(self, out: Path) -> None:
        """Take the place of a file, with the answers in the order of their cases."""
        ordered = self.path.with_name(f"{self.path.name}.ordered")
        with ordered.open("wb") as file:
            file.writelines(self._in_order())
        os.replace(ordered, out)
        self.path.unlink()

    def _in_order(self) -> Iterator[bytes]:
        with self.path.open("rb") as file:
            for _, (offset, size) in sorted(self._places.items()):
                file.seek(offset)
                yield file.read(size)
