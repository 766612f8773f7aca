"""What a response means: a reply, or a setback; and what the attempt is charged.

Charged: what the provider reports; an estimate when it reports nothing; nothing for a 4xx or a request that
never left; the worst case for a timeout, a reset, a 5xx and a 2xx that cannot be read.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from pydantic import JsonValue

from ragproof.adapters.wire.retry_after import wait_seconds
from ragproof.asking import one_line
from ragproof.judge.apis.api import Api, NoReply, entry
from ragproof.judge.calls import JudgeFailureKind
from ragproof.judge.complaints import Complaint, complaint
from ragproof.judge.metering import Answer, Attempt, Basis, Spent, Tokens
from ragproof.judge.sending import Lost, Received

_OVERLOADED = frozenset({429, 503, 529})
_REFUSED = frozenset({401, 403})
CHARACTERS_A_TOKEN = 4


@dataclass(frozen=True)
class Setback:
    """An attempt brought no reply."""

    kind: JudgeFailureKind
    message: str
    again: bool = False
    """Whether the same request may fare better."""
    wait_seconds: float | None = None
    """How long the server asks to wait; None when it does not."""
    overloaded: bool = False
    refused: bool = False
    """The server does not let us in at all."""
    complaint: Complaint | None = None
    """What the server has against the request."""


@dataclass(frozen=True)
class Understood:
    """An attempt, ended."""

    result: Answer | Setback
    spent: Spent

    @property
    def answer(self) -> Answer | None:
        """The reply when there is one."""
        return self.result if isinstance(self.result, Answer) else None


def understand(
    outcome: Received | Lost, attempt: Attempt, api: Api, redact: Callable[[str], str], request: bytes
) -> Understood:
    """Say what came of an attempt.

    Args:
        outcome: a response or its lack.
        attempt: its worst case is what may be charged.
        api: knows where the reply stands.
        redact: applied to all text of the server that is kept or shown.
        request: the body that was sent, to estimate from.
    """
    worst = Spent(tokens=attempt.worst_case, basis=Basis.WORST_CASE)
    if isinstance(outcome, Lost):
        message = one_line(redact(outcome.message))
        setback = Setback(JudgeFailureKind.TRANSPORT, message, again=not outcome.hopeless)
        return Understood(setback, worst if outcome.sent else _FREE)
    body = _json(outcome.content)
    status = _status(outcome.status, body)
    if 200 <= status < 300:
        try:
            answer = _redacted(api.answer(body), redact)
        except NoReply as lack:
            message = one_line(redact(f"HTTP {status} without a reply: {lack}"))
            return Understood(Setback(JudgeFailureKind.EMPTY, message), worst)
        return Understood(answer, _charged(answer, attempt, request))
    spent = worst if status >= 500 else _FREE
    return Understood(_setback(status, outcome, body, redact), spent)


_FREE = Spent(tokens=Tokens(), basis=Basis.NOT_BILLED)


def _charged(answer: Answer, attempt: Attempt, request: bytes) -> Spent:
    if answer.usage is not None:
        return Spent(tokens=answer.usage, basis=Basis.REPORTED)
    said = len(answer.text or "") + len(answer.refusal or "")
    return Spent(
        tokens=Tokens(
            input=-(-len(request.decode()) // CHARACTERS_A_TOKEN),
            output=min(-(-said // CHARACTERS_A_TOKEN), attempt.worst_case.output),
        ),
        basis=Basis.ESTIMATED,
    )


def _setback(status: int, response: Received, body: JsonValue, redact: Callable[[str], str]) -> Setback:
    told = complaint(body, response.content[:200].decode(errors="replace").strip() or "no body")
    message = one_line(redact(f"HTTP {status}: {told.message}"))
    if told.filtered:
        return Setback(JudgeFailureKind.CONTENT_FILTER, message)
    if status in _REFUSED:
        return Setback(JudgeFailureKind.BAD_REQUEST, message, refused=True)
    if told.out_of_credit:
        return Setback(JudgeFailureKind.RATE_LIMIT, message)
    if status == 408 or status == 429 or status >= 500:
        return Setback(
            JudgeFailureKind.RATE_LIMIT if status == 429 else JudgeFailureKind.TRANSPORT,
            message,
            again=True,
            wait_seconds=wait_seconds(response.headers),
            overloaded=status in _OVERLOADED,
        )
    if 300 <= status < 400:
        where = one_line(redact(response.headers.get("location", "")))
        message = (
            f"HTTP {status} leads to '{where}', which is not followed; set judge.base_url to where it ends"
        )
    return Setback(JudgeFailureKind.BAD_REQUEST, message, complaint=told)


def _status(status: int, body: JsonValue) -> int:
    """Return the status; that of the error, where a gateway wraps one in a 200."""
    code = entry(entry(body, "error"), "code")
    wrapped = status == 200 and isinstance(code, int) and 400 <= code < 600
    return code if wrapped and isinstance(code, int) else status


def _json(content: bytes) -> JsonValue:
    """Return a body as JSON, or as text when it is none."""
    try:
        read: JsonValue = json.loads(content)
    except (ValueError, RecursionError):
        return content.decode(errors="replace").strip()
    return read


def _redacted(answer: Answer, redact: Callable[[str], str]) -> Answer:
    """Return a reply that can be stored anywhere, without secrets."""
    return answer.model_copy(
        update={
            name: _storable(redact(told))
            for name in ("text", "refusal", "model")
            if (told := getattr(answer, name))
        }
    )


def _storable(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\0", "\ufffd")
