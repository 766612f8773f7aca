"""Asking one question: whatever a pipeline does, it ends in an output or a failure, in time."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import textwrap
import threading

import pytest

from ragproof.adapters.adapter import CallFailed, Question
from ragproof.adapters.calling.clock import paused
from ragproof.adapters.calling.roles import able
from ragproof.adapters.python import PythonAdapter
from ragproof.asking import ask
from ragproof.outputs import CaseFailure, FailureKind, PipelineOutput
from tests.fakes import pipelines

QUESTION = Question(case_id="q1", text="why?", k=2, retrieve_k=3)
LONG = 60.0


class Scripted:
    """An adapter whose one call does as it is told."""

    passes_history = False

    def __init__(self, behaviour) -> None:
        self._behaviour = behaviour

    async def ask(self, question: Question) -> PipelineOutput:
        return await self._behaviour()

    async def close(self) -> None:
        """Nothing is held."""


def asked(adapter, question=QUESTION, timeout_seconds=LONG):
    async def once():
        try:
            return await ask(adapter, question, timeout_seconds)
        finally:
            await adapter.close()

    return asyncio.run(once())


def python(function) -> PythonAdapter:
    return PythonAdapter(able(function, "tests:function"))


ENDS = [
    ("an exception, with the user's own line", pipelines.fails, "KeyError: 'passage' (pipelines.py:"),
    ("a script that ends the process", pipelines.exits, "SystemExit: 3 (pipelines.py:"),
    ("the same, asynchronously", pipelines.exits_async, "SystemExit: 4 (pipelines.py:"),
    ("what no future can carry", pipelines.stops, "StopIteration (pipelines.py:"),
    ("a pipeline that cancels itself", pipelines.cancels_itself, "CancelledError (pipelines.py:"),
    ("a pipeline's own timeout is its exception", pipelines.own_timeout, "TimeoutError: the index took too "),
]  # fmt: skip


@pytest.mark.parametrize(("why", "function", "message"), ENDS, ids=[row[0] for row in ENDS])
def test_whatever_a_pipeline_raises_fails_its_case_alone(why, function, message):
    """The message says what was raised and where in the user's own code."""
    failure = asked(python(function))
    assert (failure.case_id, failure.kind) == ("q1", FailureKind.EXCEPTION)
    assert failure.message.startswith(message)
    assert failure.message.endswith(")")


def test_an_exception_in_a_library_is_blamed_on_the_line_that_called_it():
    """The user can mend their own file, not the standard library's."""

    def parses(question):
        import json

        return json.loads("{")

    assert f"(test_asking.py:{parses.__code__.co_firstlineno + 3})" in asked(python(parses)).message


def test_an_exception_that_cannot_be_printed_is_still_a_failure():
    """A broken __str__ must not end the run."""

    class Unprintable(Exception):
        def __str__(self):
            raise ValueError("no")

    def fails(question):
        raise Unprintable

    assert asked(python(fails)).message.startswith("Unprintable (test_asking.py:")


def test_a_failure_of_the_adapter_is_kept_as_it_is():
    """Its kind and its words are the adapter's."""

    async def refuses():
        raise CallFailed(FailureKind.RATE_LIMIT, "HTTP 429 after 4 attempts")

    failure = asked(Scripted(refuses))
    assert (failure.kind, failure.message) == (FailureKind.RATE_LIMIT, "HTTP 429 after 4 attempts")


@pytest.mark.parametrize(
    ("raised", "message"),
    [
        (TimeoutError("theirs"), "TimeoutError: theirs (test_asking.py:"),
        (SystemExit(3), "SystemExit: 3 (test_asking.py:"),
        (asyncio.CancelledError(), "CancelledError (test_asking.py:"),
        (ExceptionGroup("one", [ValueError("inside")]), "ValueError: inside"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_adapter_of_someone_else_may_raise_anything(raised, message):
    """Only our own limit is a timeout, and only our own task's cancellation is one."""

    async def raises():
        raise raised

    failure = asked(Scripted(raises))
    assert failure.kind is FailureKind.EXCEPTION
    assert failure.message.startswith(message)


@pytest.mark.parametrize(
    ("why", "message", "told"),
    [
        ("line breaks become spaces", "one\n  two\r\nthree", "one two three"),
        ("no character moves a terminal's cursor", "red \x1b[31m", "red \ufffd[31m"),
        ("half a surrogate pair can be printed nowhere", "\ud800", "\ufffd"),
        ("500 characters are kept", "x" * 500, "x" * 500),
        (
            "of more, the beginning and the end are kept, in whole words",
            "the command failed: " + "log " * 200 + "no index",
            "the command failed: " + "log " * 35 + "... " + "log " * 81 + "no index",
        ),
        ("a word that a cut went through may be half a secret", "x" * 501, "..."),
        ("at either end", f"why: {'x' * 300} {'y' * 400} because", "why: ... because"),
        (
            "a secret in JSON has no space beside it",
            f"""{{"detail":"{"s" * 300}","{"t" * 400}":"no index"}}""",
            """{"detail":" ... ":"no index"}""",
        ),
        (
            "a script without spaces is cut anywhere",
            "\u7d22" * 300 + "\u5f15" * 300,
            "\u7d22" * 160 + " ... " + "\u7d22" * 35 + "\u5f15" * 300,
        ),
    ],
)
def test_a_message_is_one_line_of_at_most_500_characters(why, message, told):
    """It goes into tables, logs and terminals."""

    async def refuses():
        raise CallFailed(FailureKind.EXCEPTION, message)

    assert asked(Scripted(refuses)).message == told


def test_a_hung_synchronous_pipeline_is_abandoned_and_the_next_call_is_answered():
    """The thread stays behind, in nobody's way."""
    adapter = python(pipelines.hangs)

    async def both():
        hung = await ask(adapter, QUESTION, 0.05)
        return hung, await ask(adapter, QUESTION.model_copy(update={"text": "quick"}), LONG)

    hung, quick = asyncio.run(both())
    assert (hung.kind, hung.message) == (FailureKind.TIMEOUT, "no answer within 0.05 s")
    assert quick.answer == "quick"
    assert any(thread.name == "ragproof-case-q1" and thread.daemon for thread in threading.enumerate())


def test_a_hung_pipeline_does_not_hold_up_the_end_of_the_process():
    """Exiting waits for no abandoned call."""
    script = """
        import asyncio
        from tests.fakes import pipelines
        from tests.test_asking import QUESTION, python
        from ragproof.asking import ask
        print(asyncio.run(ask(python(pipelines.hangs), QUESTION, 0.05)).kind.value)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert (done.stdout, done.stderr) == ("timeout\n", "")


def test_an_asynchronous_pipeline_that_blocks_is_abandoned_too():
    """It blocks the loop of pipelines, not the one that watches the time."""
    pipeline = pipelines.Blocks()
    failure = asked(python(pipeline), timeout_seconds=0.05)
    finished = pipeline.finished
    pipeline.let_go.set()
    assert (failure.kind, failure.message, finished) == (
        FailureKind.TIMEOUT,
        "no answer within 0.05 s",
        False,
    )


def test_concurrent_synchronous_calls_all_run_at_once():
    """No call waits in a queue with its clock running: each of 32 sees the 31 others."""
    together = threading.Barrier(32)

    def answer(question):
        return str(together.wait(LONG))

    adapter = python(answer)

    async def all_of_them():
        return await asyncio.gather(*(ask(adapter, QUESTION, LONG) for _ in range(32)))

    outputs = asyncio.run(all_of_them())
    assert {output.answer for output in outputs} == {str(place) for place in range(32)}


def test_concurrent_synchronous_calls_are_not_falsely_timed_out():
    """32 calls of 0.1 s, half a second each: the last would be late in a pool of six, which is usual here."""
    adapter = python(pipelines.slow)

    async def all_of_them():
        return await asyncio.gather(*(ask(adapter, QUESTION, 0.5) for _ in range(32)))

    assert [output.answer for output in asyncio.run(all_of_them())] == ["why?"] * 32


def test_a_finished_call_leaves_its_thread_to_the_next():
    """A thousand cases do not make a thousand threads."""
    seen = set()

    def answer(question):
        seen.add(threading.get_ident())
        return ""

    adapter = python(answer)

    async def one_by_one():
        for _ in range(20):
            await ask(adapter, QUESTION, LONG)

    asyncio.run(one_by_one())
    assert len(seen) == 1


def test_the_clock_stands_still_during_a_wait_that_is_not_the_pipelines():
    """A wait that a server asked for is longer than the whole time limit, and the answer still comes."""

    async def waits():
        async with paused():
            await asyncio.sleep(0.2)
        return PipelineOutput(case_id="q1", answer="late", latency_ms=0)

    assert asked(Scripted(waits), timeout_seconds=0.1).answer == "late"


def test_the_clock_goes_on_after_the_wait():
    """What was left of the limit before the wait is left after it, and no more."""

    async def waits_and_hangs():
        async with paused():
            await asyncio.sleep(0.01)
        await asyncio.Event().wait()

    failure = asked(Scripted(waits_and_hangs), timeout_seconds=0.05)
    assert failure.kind is FailureKind.TIMEOUT


def test_whoever_cancels_the_run_cancels_the_call():
    """A cancelled run must stop, not count a failed case."""

    async def cancelled():
        task = asyncio.create_task(ask(python(pipelines.hangs), QUESTION, LONG))
        await asyncio.sleep(0.01)
        task.cancel()
        return await asyncio.gather(task, return_exceptions=True)

    assert isinstance(asyncio.run(cancelled())[0], asyncio.CancelledError)


def test_an_interrupt_is_not_a_failed_case():
    """Ctrl-C ends the run."""

    async def interrupted():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        asked(Scripted(interrupted))


def test_a_failure_knows_how_long_the_pipeline_worked():
    """At least the limit, when that ran out."""
    failure = asked(python(pipelines.hangs), timeout_seconds=0.05)
    assert isinstance(failure, CaseFailure)
    assert failure.latency_ms >= 50
