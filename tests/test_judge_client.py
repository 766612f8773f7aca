"""Asking a judge over HTTP: every kind of second try has its own budget, and a case that fails is a value."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.judge.calls import JudgeCall, JudgeFailure, JudgeRefused, Verdict
from ragproof.judge.ladder import Structure
from ragproof.judge.metering import Basis
from ragproof.judge.prompting import load
from ragproof.redaction import Redactor
from tests.fakes.http_server import Reply
from tests.fakes.judge_questions import (
    FITS,
    asked,
    relevance,
)
from tests.fakes.judge_server import (
    KEY,
    USAGE,
    RecordingMeter,
    Said,
    ask_all,
    judging,
)

BOTH = pytest.mark.parametrize("provider", ["openai", "anthropic"])


def test_the_openai_api_is_asked_as_it_likes() -> None:
    """Temperature 0, a strict schema, and the key in its header alone."""
    _, server, _ = asked([FITS])
    (arrived,) = server.asked
    assert arrived.received.path == "/v1/chat/completions"
    assert arrived.received.headers["authorization"] == f"Bearer {KEY}"
    prompt = relevance().prompt
    assert arrived.body == {
        "model": "judge-1",
        "messages": [
            {"role": "system", "content": prompt.system},
            {"role": "user", "content": prompt.user_message()},
        ],
        "max_tokens": 2048,
        "temperature": 0.0,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "rating", "strict": True, "schema": prompt.reply_schema},
        },
    }


def test_the_messages_api_is_asked_as_it_likes() -> None:
    """The system message is a field of its own, and so is the format."""
    _, server, _ = asked([FITS], provider="anthropic")
    (arrived,) = server.asked
    assert arrived.received.path == "/v1/messages"
    assert arrived.received.headers["x-api-key"] == KEY
    assert arrived.received.headers["anthropic-version"] == "2023-06-01"
    prompt = relevance().prompt
    assert arrived.body == {
        "model": "judge-1",
        "system": prompt.system,
        "messages": [{"role": "user", "content": prompt.user_message()}],
        "max_tokens": 2048,
        "temperature": 0.0,
        "output_config": {"format": {"type": "json_schema", "schema": prompt.reply_schema}},
    }


@BOTH
def test_a_verdict_says_how_it_came_about(provider: str) -> None:
    """The value, and all that is needed to trust or distrust it."""
    ended, server, _ = asked([Said('{"rating": 2}', thinking='{"rating": 0}')], provider=provider)
    assert isinstance(ended, Verdict)
    assert (ended.case_id, ended.value) == ("q1", 2)
    told = ended.transcript
    assert (told.model, told.model_served, told.base_url) == ("judge-1", "judge-as-served", server.base_url)
    assert (told.prompt, told.prompt_hash) == ("answer_relevance", load("answer_relevance").prompt_hash)
    assert (told.structure, told.temperature) == (Structure.JSON_SCHEMA, 0.0)
    assert (told.replies, told.faults, told.attempts) == (('{"rating": 2}',), (), 1)
    assert (told.tokens, told.bases) == (USAGE, (Basis.REPORTED,))
    assert Verdict.model_validate_json(ended.model_dump_json()) == ended


@BOTH
@pytest.mark.parametrize("status", [401, 403])
def test_a_judge_that_lets_nobody_in_ends_the_run(provider: str, status: int) -> None:
    """It would say so to every call; the attempt is settled first."""
    meter = RecordingMeter()
    error = {"type": "error", "error": {"type": "authentication_error", "message": f"invalid key {KEY}"}}
    with judging([Reply(error, status)]) as server, pytest.raises(JudgeRefused) as raised:
        ask_all(server, relevance(), meter=meter, provider=provider)
    assert server.calls == len(meter.spent) == 1
    assert "check RAGPROOF_JUDGE_API_KEY" in str(raised.value)
    assert KEY not in str(raised.value)


def test_secrets_are_redacted_before_a_reply_is_kept_or_read() -> None:
    """The key, and those of the run; half characters and NUL become U+FFFD."""
    meter = RecordingMeter()
    reply = json.dumps({"claims": [f"{KEY} hunter2-hunter2 \ud83d"]}, ensure_ascii=False)
    with judging([Said(reply.replace("\ud83d", "\ud83d\x00"))]) as server:
        (ended,) = ask_all(server, relevance(), meter=meter, redactor=Redactor({"DB": "hunter2-hunter2"}))
    kept = meter.answers[meter.attempts[0].request]
    assert kept.text == '{"claims": ["[redacted:RAGPROOF_JUDGE_API_KEY] [redacted:DB] \ufffd\ufffd"]}'
    assert ended.transcript.replies[-1] == kept.text


def test_a_partial_call_takes_what_came_after_the_repair_alone() -> None:
    """A missing citation is asked for once more; only then it may be missing."""
    citations = [{"id": id, "cited_as": id, "text": "x"} for id in ("k1", "k2")]
    data = {"question": "q", "answer": "a", "citations": citations}
    call = JudgeCall(case_id="q1", prompt=load("citation_support").render(data), partial=True)
    with judging([{"verdicts": {"k1": 1}}]) as server:
        (ended,) = ask_all(server, call)
        (strict,) = ask_all(server, call.model_copy(update={"partial": False}))
    assert server.calls == 4
    assert isinstance(ended, Verdict)
    assert (ended.value, ended.missing) == ({"k1": True}, ("k2",))
    assert isinstance(strict, JudgeFailure)


@settings(max_examples=60, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "choices",
                        "message",
                        "content",
                        "error",
                        "usage",
                        "type",
                        "text",
                        "code",
                        "finish_reason",
                        "detail",
                    ]
                ),
                inner,
            )
        ),
        max_leaves=20,
    ),
    st.sampled_from([200, 201, 204, 400, 404, 422, 500]),
    st.sampled_from(["openai", "anthropic"]),
)
def test_no_response_of_a_server_is_an_exception(body: Any, status: int, provider: str) -> None:
    """Whatever JSON it is and whatever its status."""
    ended, _, _ = asked([Reply(body, status)], provider=provider, retries=0)
    assert isinstance(ended, Verdict | JudgeFailure)
