"""Questions to a judge, and the refusals of servers, as the judge's tests use them."""

from __future__ import annotations

from typing import Any

from ragproof.judge.calls import JudgeCall, JudgeFailure, Verdict
from ragproof.judge.prompting import load
from tests.fakes.http_server import Reply
from tests.fakes.judge_server import JudgeServer, Line, RecordingMeter, Said, Script, ask_all, judging

FITS: Line = {"rating": 2}
PROSE = Said("it is relevant")
CUT = Said('{"rat', finish_reason="length")
OVERLOADED = Reply({"error": {"message": "slow down"}}, 429)
BROKEN = Reply({"error": {"message": "oops"}}, 500)


def refused(message: str, status: int = 400, **fields: str) -> Reply:
    """Return the response of a server that does not take the request."""
    return Reply({"error": {"message": message, **fields}}, status)


NO_TEMPERATURE = refused("Unsupported value: 'temperature' does not support 0", param="temperature")
NO_SCHEMA = refused("This model does not support response_format json_schema")
NO_JSON_MODE = refused("'response_format' of type 'json_object' is not supported with this model")
NO_LIMIT = refused(
    "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."
)


def relevance(answer: str = "so", case_id: str = "q1", **fields: Any) -> JudgeCall:
    """Return the question whether an answer addresses its question: a rating."""
    prompt = load("answer_relevance").render({"question": "why?", "answer": answer})
    return JudgeCall(case_id=case_id, prompt=prompt, **fields)


def grounding(answer: str = "so", context: str = "It is red.") -> JudgeCall:
    """Return the question whether an answer is grounded in one context: claims with verdicts."""
    data = {"question": "what?", "answer": answer, "contexts": [{"id": "k1", "text": context}]}
    return JudgeCall(case_id="q1", prompt=load("groundedness").render(data))


def asked(script: Script, **settings: Any) -> tuple[Verdict | JudgeFailure, JudgeServer, RecordingMeter]:
    """Ask one question of a scripted judge; return how it ended, the judge, and what was metered."""
    meter = RecordingMeter()
    with judging(script) as server:
        (ended,) = ask_all(server, relevance(), meter=meter, **settings)
    return ended, server, meter
