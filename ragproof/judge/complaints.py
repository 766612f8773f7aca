"""What a server's error says, across the ways in which servers say it.

Only the fields a server writes itself are read for a decision (code, type, parameter, message), never what
it echoes of the request: an answer under judgment that mentions "temperature" changes nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from pydantic import JsonValue

from ragproof.asking import one_line


class Subject(StrEnum):
    """What about the form of a request was refused."""

    STRUCTURE = "structure"
    TEMPERATURE = "temperature"
    TOKEN_LIMIT_NAME = "token limit name"


_MESSAGE_CHARACTERS = 600
_FILTERED = re.compile(
    r"content_?filter|content_?policy|responsibleaipolicy|moderation|flagged|data_?inspection|safety|sensitive"
)
_OUT_OF_CREDIT = re.compile(
    r"insufficient_?(quota|balance|credit)|billing_?(hard_limit|not_active)|credit balance"
)
_TOO_LONG = re.compile(
    r"context.?(length|window|size)|too (long|large|many tokens)|exceeds? the (max|limit|available)"
    r"|at most \d"
)
_STRUCTURE = re.compile(
    r"response_?format|json_?(schema|object|mode)|\bschema\b|structured.?output|output_?(config|format)|grammar|guided"
)
_UNKNOWN = re.compile(
    r"unsupported|not support|unrecogni[sz]ed|unknown|unexpected|not (permitted|allowed)|deprecated"
    r"|\buse '?max_completion"
)
_LIMIT = re.compile(r"\bmax_tokens\b")


@dataclass(frozen=True)
class Complaint:
    """A server's error."""

    message: str
    """One line, for people."""
    subject: Subject | None = None
    """What to leave out in the next request; None when that would not help."""
    filtered: bool = False
    """A content filter stopped the request."""
    out_of_credit: bool = False
    """The account cannot pay; waiting does not help."""


def complaint(body: JsonValue, fallback: str) -> Complaint:
    """Read an error.

    Args:
        body: as JSON, or its text where it is none.
        fallback: the message of a body that says nothing.
    """
    error = body.get("error", body) if isinstance(body, dict) else body
    message = _message(error) or fallback
    codes = " ".join(_codes(error)).lower()
    parameter = _field(error, "param").lower()
    return Complaint(
        message=one_line(message),
        subject=_subject(parameter, f"{codes} {message[:_MESSAGE_CHARACTERS].lower()}"),
        filtered=_FILTERED.search(codes) is not None,
        out_of_credit=_OUT_OF_CREDIT.search(codes) is not None,
    )


def _subject(parameter: str, told: str) -> Subject | None:
    if parameter.startswith("temperature"):
        return Subject.TEMPERATURE
    if _STRUCTURE.search(parameter):
        return Subject.STRUCTURE
    if _UNKNOWN.search(told):
        if _LIMIT.search(f"{parameter} {told}") and not _TOO_LONG.search(told):
            return Subject.TOKEN_LIMIT_NAME
        if "temperature" in told:
            return Subject.TEMPERATURE
    return Subject.STRUCTURE if _STRUCTURE.search(told) else None


def _message(error: JsonValue) -> str:
    """Return what is said to people: OpenAI's message, FastAPI's detail, or the whole text."""
    if isinstance(error, str):
        return error
    if isinstance(error, list):
        return "; ".join(filter(None, map(_message, error)))
    if not isinstance(error, dict):
        return ""
    for name in ("message", "detail", "error", "msg"):
        if told := _message(error.get(name)):
            where = error.get("loc")
            return f"{'.'.join(map(str, where))}: {told}" if isinstance(where, list) else told
    return ""


def _codes(error: JsonValue) -> list[str]:
    """Return every code an error names itself by, inner ones and the keys of its metadata too."""
    if not isinstance(error, dict):
        return []
    inner = error.get("innererror")
    metadata = error.get("metadata")
    return [
        *(_field(error, name) for name in ("code", "type", "status")),
        *(_codes(inner) if isinstance(inner, dict) else []),
        *(metadata if isinstance(metadata, dict) else ()),
    ]


def _field(error: JsonValue, name: str) -> str:
    value = error.get(name) if isinstance(error, dict) else None
    return value if isinstance(value, str) else ""
