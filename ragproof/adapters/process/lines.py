"""The line a process is asked with, and the reading of what it answers."""

from __future__ import annotations

import json

from pydantic import JsonValue

from ragproof.adapters.adapter import CallFailed, Question
from ragproof.adapters.reading.results import Reading, read_result
from ragproof.outputs import FailureKind

_SHOWN_BYTES = 200
_CURE = "print one line of JSON for each question, and anything else to standard error"


def asked(question: Question) -> bytes:
    """Write a question as one line of JSON, in ASCII alone."""
    content: dict[str, JsonValue] = {
        "question": question.text,
        "k": question.k,
        "case_id": question.case_id,
        "history": [turn.model_dump(mode="json") for turn in question.history],
    }
    return json.dumps(content).encode("ascii") + b"\n"


def answered(answer: bytes, question: Question) -> JsonValue:
    """Return an answer as JSON.

    Raises:
        CallFailed: it is none, or says in `case_id` that it answers another question; whoever wrote it is out
            of step.
    """
    value = _json(answer)
    echoed = value.get("case_id") if isinstance(value, dict) else None
    if echoed is not None and str(echoed) != question.case_id:
        message = f"the command answers case '{echoed}', expected '{question.case_id}'; {_CURE}"
        raise CallFailed(FailureKind.BAD_OUTPUT, message)
    return value


def read(value: JsonValue) -> Reading:
    """Read what an answer says: its parts under any of their usual names.

    Args:
        value: as `answered` returns it; an object may have an `error` in place of them.

    Raises:
        CallFailed: it is an error, or a part is of the wrong type.
    """
    if isinstance(value, dict) and (error := value.get("error")) and value.get("answer") is None:
        message = error if isinstance(error, str) else json.dumps(error)
        raise CallFailed(FailureKind.EXCEPTION, f"the command says: {message}")
    return read_result(value, "the command's answer")


def _json(answer: bytes) -> JsonValue:
    begins = answer.strip()[:_SHOWN_BYTES].decode(errors="replace")
    try:
        value: JsonValue = json.loads(answer.decode("utf-8-sig"))
        return value
    except UnicodeDecodeError as error:
        what = f"not UTF-8 (byte 0x{error.object[error.start]:02x} at {error.start})"
        raise CallFailed(
            FailureKind.BAD_OUTPUT, f"the command's answer is {what}; it begins: {begins}"
        ) from None
    except (ValueError, RecursionError):
        message = f"the command's answer is not JSON; {_CURE}; it begins: {begins}"
        raise CallFailed(FailureKind.BAD_OUTPUT, message) from None
