"""The http adapter against servers that break off, drip, flood, or speak something else than JSON or HTTP."""

from __future__ import annotations

import asyncio
import ssl

import httpx
import pytest

from ragproof.adapters import registry
from ragproof.adapters.adapter import CallFailed, Question
from ragproof.adapters.wire.attempts import exchange
from ragproof.adapters.wire.concurrency import AdaptiveLimit
from ragproof.adapters.wire.patience import Policy
from ragproof.adapters.wire.timing import REAL_TIME
from ragproof.asking import ask
from ragproof.outputs import CaseFailure, FailureKind, Outcome, PipelineOutput
from tests.fakes.http_server import Reply, serving

QUESTION = Question(case_id="q1", text="why?", k=2, retrieve_k=3)
OK = Reply({"answer": "yes"})
LONG = 60.0
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
CONNECTION, BAD_OUTPUT, TIMEOUT = FailureKind.CONNECTION, FailureKind.BAD_OUTPUT, FailureKind.TIMEOUT


def asked(url: str, case_seconds: float = LONG, **settings) -> Outcome:
    adapter = registry.parse({"type": "http", "url": url, **settings}).open(environ={})

    async def once() -> Outcome:
        try:
            return await ask(adapter, QUESTION, case_seconds)
        finally:
            await adapter.close()

    return asyncio.run(once())


BROKEN = [
    ("a reset", Reply(reset=True)),
    ("an orderly end without a word", Reply(raw=b"")),
    ("an end within the headers", Reply(raw=HEAD)),
    ("an end within the body", Reply(raw=HEAD + b'content-length: 100\r\n\r\n{"answer": "y')),
    ("an end within a chunk", Reply(raw=HEAD + b'transfer-encoding: chunked\r\n\r\n64\r\n{"answer": "y')),
    ("an end between chunks",
     Reply(raw=HEAD + b'transfer-encoding: chunked\r\n\r\n5\r\n{"ans\r\n')),
    ("a server that says goodbye and stays", Reply(half_close=True)),
]  # fmt: skip


@pytest.mark.parametrize(("why", "reply"), BROKEN, ids=[row[0] for row in BROKEN])
def test_a_connection_that_breaks_is_tried_again(why, reply):
    """The answer may be there the next time; what has arrived by then is never taken for it."""
    with serving([reply, OK]) as server:
        outcome = asked(server.url)
    assert isinstance(outcome, PipelineOutput), outcome
    assert (outcome.answer, server.calls) == ("yes", 2)
    with serving([reply]) as server:
        outcome = asked(server.url, retries=1)
    assert isinstance(outcome, CaseFailure)
    assert (outcome.kind, server.calls) == (CONNECTION, 2)
    assert outcome.message.startswith(f"the connection broke to {server.url} after 2 attempts: ")


HOPELESS = [
    ("something else than HTTP", Reply(raw=b"220 mail.example.com ESMTP\r\n\r\n"), BAD_OUTPUT,
     "the response is not HTTP: "),
    ("a header without end", Reply(raw=HEAD + b"x: " + b"x" * 200_000), BAD_OUTPUT,
     "the response is not HTTP: "),
    ("invalid JSON", Reply(b'{"answer": "yes"'), BAD_OUTPUT,
     "the response is not JSON (its content type is 'application/json'); it begins: {\"answer\": \"yes\""),
    ("bytes that are no text", Reply(b'{"answer": "\xff\xfe"}'), BAD_OUTPUT,
     "the response is not JSON (its content type is 'application/json'); it begins: {\"answer\": \"\ufffd"),
    ("a page", Reply(b"<html>Sign in</html>", headers={"content-type": "text/html"}), BAD_OUTPUT,
     "the response is not JSON (its content type is 'text/html'); it begins: <html>Sign in</html>"),
    ("a stream of events", Reply(b"data: {}\n\n", headers={"content-type": "text/event-stream"}), BAD_OUTPUT,
     "the response is not JSON (its content type is 'text/event-stream'); it begins: data: {}"),
    ("an encoding that it is not in", Reply(b"plain", headers={"content-encoding": "gzip"}), BAD_OUTPUT,
     "the response cannot be decompressed: "),
    ("a number without end", Reply(b'{"answer": 1' + b"0" * 10_000 + b"}"), BAD_OUTPUT,
     "the response is not JSON"),
]  # fmt: skip


@pytest.mark.parametrize(("why", "reply", "kind", "message"), HOPELESS, ids=[row[0] for row in HOPELESS])
def test_a_response_that_would_be_the_same_again_is_asked_for_once(why, reply, kind, message):
    """Each attempt may cost its owner money."""
    with serving([reply, OK]) as server:
        outcome = asked(server.url)
    assert isinstance(outcome, CaseFailure)
    assert (outcome.kind, server.calls) == (kind, 1)
    assert outcome.message.startswith(message)


def test_json_is_read_whatever_it_is_called():
    """The content type is told in a failure, and is no failure."""
    with serving([Reply({"answer": "yes"}, headers={"content-type": "text/plain"})]) as server:
        outcome = asked(server.url)
    assert isinstance(outcome, PipelineOutput)
    assert outcome.answer == "yes"


DRIPS = [
    ("the case's limit", {"case_seconds": 0.2}, "no answer within 0.2 s"),
    ("the attempt's", {"timeout_seconds": 0.2}, "no complete response within 0.2 s"),
]


@pytest.mark.parametrize(("why", "settings", "message"), DRIPS, ids=[row[0] for row in DRIPS])
def test_a_body_that_drips_does_not_outlast_the_limit(why, settings, message):
    """Something always arrives, and never the end: a limit between two bytes would never fall."""
    with serving([Reply({"answer": "x" * 10_000}, drip_seconds=0.05)]) as server:
        outcome = asked(server.url, **settings)
    assert isinstance(outcome, CaseFailure)
    assert (outcome.kind, outcome.message, server.calls) == (TIMEOUT, message, 1)


def test_the_body_of_a_refusal_that_drips_is_not_waited_for():
    """That it is a 503 is known, and the rest is only for the message."""
    with serving([Reply({"why": "x" * 1000}, 503, drip_seconds=0.5), OK]) as server:
        outcome = asked(server.url)
    assert isinstance(outcome, PipelineOutput), outcome
    assert server.calls == 2


@pytest.mark.parametrize("declared", [True, False], ids=["of a declared size", "without end"])
def test_a_huge_body_is_left_at_the_limit(declared):
    """It is neither read to its end nor asked for again."""
    size = b"content-length: 900000000\r\n\r\n" if declared else b"\r\n"
    with serving([Reply(raw=HEAD + size + b'{"answer": "' + b"x" * 3_000_000), OK]) as server:
        outcome = asked(server.url, max_response_mb=1)
    assert isinstance(outcome, CaseFailure)
    assert (outcome.kind, server.calls) == (BAD_OUTPUT, 1)
    assert outcome.message == "the response is larger than 1 MB; raise max_response_mb"


def test_an_answer_of_five_megabytes_is_an_answer():
    """The default limit is for runaways alone."""
    with serving([Reply({"answer": "x" * 5_000_000})]) as server:
        outcome = asked(server.url)
    assert isinstance(outcome, PipelineOutput)
    assert len(outcome.answer or "") == 5_000_000


def test_a_server_without_tls_is_told_apart_from_one_that_is_down():
    """`https://` where `http://` is served is a common mistake."""
    with serving([OK]) as server:
        outcome = asked(server.url.replace("http://", "https://"), retries=0)
    assert isinstance(outcome, CaseFailure)
    assert outcome.kind is CONNECTION
    assert "no agreement on TLS" in outcome.message
    assert outcome.message.endswith("does the pipeline speak https?")


def test_a_certificate_that_is_not_trusted_is_not_tried_again():
    """It will not be trusted the next time either; the cure is told at once."""
    attempts = 0

    def distrust(request: httpx.Request) -> httpx.Response:
        nonlocal attempts
        attempts += 1
        cause = ssl.SSLCertVerificationError(1, "certificate verify failed")
        cause.verify_message = "self-signed certificate"
        raise httpx.ConnectError("") from cause

    async def once() -> None:
        policy = Policy(timeout_seconds=None, retries=3, retry_after_cap_seconds=120, max_response_bytes=1000)
        async with httpx.AsyncClient(transport=httpx.MockTransport(distrust)) as client:
            request = client.build_request("POST", "https://pipeline.example/ask?q=secret")
            await exchange(client, request, policy, AdaptiveLimit(), REAL_TIME)

    with pytest.raises(CallFailed) as failed:
        asyncio.run(once())
    assert (failed.value.kind, attempts) == (CONNECTION, 1)
    assert failed.value.message == (
        "cannot connect to https://pipeline.example/ask: self-signed certificate;"
        " set verify to the file of its certificate authority"
    )
