"""Asking a pipeline one question within a time limit; however that ends, it ends in a value.

The clock starts when the call does: whoever limits concurrency waits before calling this.
"""

from __future__ import annotations

import asyncio

from ragproof.adapters.adapter import Adapter, CallFailed, Question
from ragproof.adapters.calling.blame import describe
from ragproof.adapters.calling.clock import Clock
from ragproof.outputs import CaseFailure, FailureKind, Outcome

LONGEST_MESSAGE = 500


async def ask(adapter: Adapter, question: Question, timeout_seconds: float) -> Outcome:
    """Ask one question.

    Args:
        adapter: the open pipeline.
        question: what to send.
        timeout_seconds: how long the pipeline may work on it. Waits before a retry do not count.

    Returns:
        The output; or a failure whose message is one line of at most 500 characters, not yet redacted. Only
        the cancellation of the task that asks, and an interrupt, come out as exceptions.
    """
    clock = Clock(asyncio.timeout(timeout_seconds))
    try:
        async with clock.limit:
            with clock.running():
                return await adapter.ask(question)
    except CallFailed as failed:
        kind, message = failed.kind, failed.message
    except TimeoutError as error:
        kind, message = FailureKind.EXCEPTION, describe(error)  # the pipeline's own, unless ours has run out
        if clock.limit.expired():
            kind, message = FailureKind.TIMEOUT, f"no answer within {timeout_seconds:g} s"
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        kind, message = FailureKind.EXCEPTION, describe(error)  # the pipeline cancelled itself
    except (Exception, SystemExit) as error:
        kind, message = FailureKind.EXCEPTION, describe(error)
    return CaseFailure(
        case_id=question.case_id,
        kind=kind,
        message=one_line(message),
        latency_ms=clock.worked_ms(),
    )


def one_line(message: str) -> str:
    """Return a message without line breaks and control characters, cut to 500 characters."""
    line = "".join(
        character if character.isprintable() else "\ufffd" for character in " ".join(message.split())
    )
    return line if len(line) <= LONGEST_MESSAGE else line[: LONGEST_MESSAGE - 3] + "..."
