"""Asking a pipeline one question within a time limit; however that ends, it ends in a value.

The clock starts when the call does: whoever limits concurrency waits before calling this.
"""

from __future__ import annotations

import asyncio
import re

from ragproof.adapters.adapter import Adapter, CallFailed, Question, RecordedFailure
from ragproof.adapters.calling.blame import describe
from ragproof.adapters.calling.clock import Clock
from ragproof.outputs import CaseFailure, FailureKind, Outcome

LONGEST_MESSAGE = 500
_BEGINNING = 160
_CUT = " ... "
_WORD = r"""[^\s"{}\[\],;\u0080-\U0010ffff]*"""
"""Up to white space, what parts values in JSON, or a script that needs no spaces and that no secret is in."""
_HALF_A_WORD_AT_START, _HALF_A_WORD_AT_END = re.compile(rf"\A{_WORD}"), re.compile(rf"{_WORD}\Z")


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
    recorded: RecordedFailure | None = None
    try:
        async with clock.limit:
            with clock.running():
                return await adapter.ask(question)
    except CallFailed as failed:
        kind, message = failed.kind, failed.message
        recorded = failed if isinstance(failed, RecordedFailure) else None
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
        latency_ms=recorded.latency_ms if recorded else clock.worked_ms(),
    )


def one_line(message: str) -> str:
    """Return a message without line breaks and control characters, in at most 500 characters.

    Of a longer one the middle goes: its beginning says what failed, and its end (of a log, a traceback, a
    chain of causes) why. A word that a cut went through goes as a whole, for it may be half a secret.
    """
    line = "".join(
        character if character.isprintable() else "\ufffd" for character in " ".join(message.split())
    )
    if len(line) <= LONGEST_MESSAGE:
        return line
    beginning = _HALF_A_WORD_AT_END.sub("", line[:_BEGINNING])
    end = _HALF_A_WORD_AT_START.sub("", line[len(_CUT) + _BEGINNING - LONGEST_MESSAGE :])
    return f"{beginning.rstrip()}{_CUT}{end.lstrip()}".strip()
