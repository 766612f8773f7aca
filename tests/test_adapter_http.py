"""The http adapter's responses: what is tried again, what is read, and what a failure says."""

from __future__ import annotations

import asyncio
import gzip
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from ragproof.adapters import registry
from ragproof.adapters.adapter import Question
from ragproof.adapters.wire.retry_after import wait_seconds
from ragproof.adapters.wire.timing import Timing
from ragproof.asking import ask
from ragproof.outputs import CaseFailure, Chunk, FailureKind, Outcome, PipelineOutput
from ragproof.redaction import Redactor
from tests.fakes.http_server import Received, Reply, Server, serving

QUESTION = Question(case_id="q1", text="why?", k=2, retrieve_k=3)
OK = Reply({"answer": "yes"})
LONG = 60.0


class Time:
    """A clock that moves when someone sleeps, and when told to."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.seconds += seconds

    @property
    def timing(self) -> Timing:
        return Timing(sleep=self.sleep, now=lambda: self.seconds)


def asked(server: Server, time: Time | None = None, case_seconds: float = LONG, **settings) -> Outcome:
    section = {"type": "http", "url": server.url, **settings}
    adapter = registry.parse(section).open(environ={"KEY": "s3cret-token"}, timing=(time or Time()).timing)

    async def once() -> Outcome:
        try:
            return await ask(adapter, QUESTION, case_seconds)
        finally:
            await adapter.close()

    return asyncio.run(once())


def failed(*script: Reply, **settings) -> CaseFailure:
    with serving(script) as server:
        outcome = asked(server, **settings)
    assert isinstance(outcome, CaseFailure)
    return outcome


def answered(*script: Reply, **settings) -> PipelineOutput:
    with serving(script) as server:
        outcome = asked(server, **settings)
    assert isinstance(outcome, PipelineOutput), outcome
    return outcome


def status(code: int, **headers: str) -> Reply:
    return Reply({"detail": "no"}, code, {name.replace("_", "-"): value for name, value in headers.items()})


TRIES = [
    ("an answer at once", [OK], 3, 1, None),
    ("503 twice, then an answer", [status(503), status(503), OK], 3, 3, None),
    ("502 and 504 too", [status(502), status(504), OK], 3, 3, None),
    ("a broken connection", [Reply(reset=True), OK], 3, 2, None),
    ("503 for ever", [status(503)], 2, 3, FailureKind.HTTP_STATUS),
    ("a connection that always breaks", [Reply(reset=True)], 1, 2, FailureKind.CONNECTION),
    ("no retries", [status(503), OK], 0, 1, FailureKind.HTTP_STATUS),
    ("401 would be 401 again", [status(401), OK], 3, 1, FailureKind.HTTP_STATUS),
    ("400 would be 400 again", [status(400), OK], 3, 1, FailureKind.HTTP_STATUS),
    ("500 is the pipeline's own failure", [status(500), OK], 3, 1, FailureKind.HTTP_STATUS),
    ("a redirect is not followed", [status(307, location="/other"), OK], 3, 1, FailureKind.HTTP_STATUS),
]


@pytest.mark.parametrize(("why", "script", "retries", "calls", "kind"), TRIES, ids=[row[0] for row in TRIES])
def test_only_what_another_attempt_may_mend_is_tried_again(why, script, retries, calls, kind):
    """Every attempt counts, for each may cost its owner money."""
    with serving(script) as server:
        outcome = asked(server, retries=retries)
    assert server.calls == calls
    assert (outcome.kind if isinstance(outcome, CaseFailure) else None) is kind


def test_latency_is_that_of_the_attempt_that_succeeded():
    """Neither the attempts before it nor the waits between belong to the pipeline."""
    time = Time()
    replies = iter([(5.0, status(503)), (7.0, status(429, retry_after="30")), (2.0, OK)])

    def script(received: Received) -> Reply:
        seconds, reply = next(replies)
        time.seconds += seconds
        return reply

    with serving(script) as server:
        output = asked(server, time)
    assert output.latency_ms == 2000


def test_waits_grow_and_are_what_the_server_asks_for():
    """0.2 s, doubled each time, with up to 0.1 s of chance; Retry-After wins."""
    time = Time()
    with serving([status(503), status(503), status(503, retry_after="7"), status(503), OK]) as server:
        asked(server, time, retries=4)
    first, second, third, fourth = time.slept
    assert 0.2 <= first <= 0.3
    assert 0.4 <= second <= 0.5
    assert third == 7
    assert 1.6 <= fourth <= 1.7


def test_a_wait_beyond_the_cap_is_refused_at_once():
    """Waiting an hour in silence looks like a hang."""
    time = Time()
    with serving([status(429, retry_after="121"), OK]) as server:
        failure = asked(server, time, retry_after_cap_seconds=120)
    assert (server.calls, time.slept, failure.kind) == (1, [], FailureKind.RATE_LIMIT)
    assert failure.message == "HTTP 429 asks to wait 121 s, more than retry_after_cap_seconds allows (120)"


def test_a_wait_that_the_server_asks_for_is_not_the_pipelines_time():
    """The case's limit is shorter than the wait, and the answer still comes."""
    with serving([status(429, retry_after="0.3"), OK]) as server:
        adapter = registry.parse({"type": "http", "url": server.url}).open(environ={})

        async def once():
            outcome = await ask(adapter, QUESTION, 0.25)
            await adapter.close()
            return outcome

        assert asyncio.run(once()).answer == "yes"


NOW = datetime(2024, 5, 1, 12, tzinfo=UTC)
LATER = format_datetime(NOW + timedelta(seconds=90), usegmt=True)
RETRY_AFTER = [
    ("not asked", {}, None),
    ("seconds", {"retry-after": " 5 "}, 5.0),
    ("a fraction, which some servers send", {"retry-after": "0.5"}, 0.5),
    ("a date", {"retry-after": LATER}, 90.0),
    ("a date, by the server's own clock", {"retry-after": LATER, "date": LATER}, 0.0),
    ("a date that has passed", {"retry-after": "Wed, 01 May 2024 11:00:00 GMT"}, 0.0),
    ("a date without a zone is in GMT", {"retry-after": "Wed, 01 May 2024 12:00:10"}, 10.0),
    ("neither", {"retry-after": "soon"}, None),
    ("a negative number is neither", {"retry-after": "-5"}, None),
    ("nor is infinity", {"retry-after": "inf"}, None),
]  # fmt: skip


@pytest.mark.parametrize(("why", "headers", "seconds"), RETRY_AFTER, ids=[row[0] for row in RETRY_AFTER])
def test_retry_after_is_seconds_or_a_date(why, headers, seconds):
    """RFC 9110, section 10.2.3."""
    assert wait_seconds(headers, NOW) == seconds


FAILURES = [
    ("the body of an error is shown", [Reply({"why": "no key"}, 401)], {}, 'HTTP 401: {"why": "no key"}'),
    ("attempts are counted", [status(503)], {"retries": 1}, 'HTTP 503 after 2 attempts: {"detail": "no"}'),
    ("a redirect says where to", [Reply(b"", 302, {"location": "http://else.where/"})], {},
     "HTTP 302 leads to 'http://else.where/', which is not followed; set url to where it ends"),
    ("an empty error has its name", [Reply(b"", 403)], {}, "HTTP 403: Forbidden"),
    ("not JSON", [Reply(b"<html>", headers={"content-type": "text/html"})], {},
     "the response is not JSON (its content type is 'text/html'); it begins: <html>"),
    ("empty", [Reply(b" ")], {}, "the response is empty, expected JSON"),
    ("JSON too deep to read", [Reply(b"[" * 100_000)], {},
     f"the response is not JSON (its content type is 'application/json'); it begins: {'[' * 200}"),
    ("too large", [Reply({"answer": "x" * 2000})], {"max_response_mb": 0.001},
     "the response is larger than 0.001 MB; raise max_response_mb"),
    ("too large once unpacked",
     [Reply(gzip.compress(b"x" * 10**6), headers={"content-encoding": "gzip"})],
     {"max_response_mb": 0.5}, "the response is larger than 0.5 MB; raise max_response_mb"),
    ("other names", [Reply({"text_answer": "x"})], {},
     "the response is a dict, expected text, None, a list of chunks, or something with an answer or "
     "retrieved chunks; its fields are 'text_answer'"),
    ("one attempt may take only so long", [Reply(hang=True)], {"timeout_seconds": 0.05},
     "no complete response within 0.05 s"),
    ("nor may the case", [Reply(hang=True)], {"case_seconds": 0.05}, "no answer within 0.05 s"),
]  # fmt: skip


@pytest.mark.parametrize(("why", "script", "settings", "message"), FAILURES, ids=[row[0] for row in FAILURES])
def test_a_failure_is_one_clear_line(why, script, settings, message):
    """It names what was found, what was expected, and the cure."""
    assert failed(*script, **settings).message == message


def test_a_pipeline_that_is_not_running_is_told_so():
    """The first thing that goes wrong, in everyone's first run."""
    with serving([OK]) as server:
        gone = server.url
    failure = failed(OK, url=gone, retries=1)
    assert failure.kind is FailureKind.CONNECTION
    refused = "connection refused; is the pipeline running?"
    assert failure.message == f"cannot connect to {gone} after 2 attempts: {refused}"


def test_a_host_that_does_not_exist_is_told_so():
    """`.invalid` never resolves (RFC 2606)."""
    message = failed(OK, url="http://pipeline.invalid/ask?q={question}", retries=0).message
    assert message == "cannot connect to http://pipeline.invalid/ask: there is no host 'pipeline.invalid'"


def test_a_response_without_mapping_is_read_by_the_usual_names():
    """The same names as for Python pipelines."""
    output = answered(Reply({"result": "x", "documents": [{"id": "c", "text": "t"}]}))
    assert (output.answer, output.retrieved) == ("x", (Chunk(id="c", text="t"),))


def test_a_nan_of_a_lenient_server_is_no_score():
    """Python's own JSON writer produces it."""
    output = answered(Reply(b'{"answer": "x", "documents": [{"id": "c", "score": NaN}]}'))
    assert output.retrieved == (Chunk(id="c"),)
    assert output.notes == ("a score that is not finite was read as None",)


def test_no_cookie_goes_from_one_case_to_the_next():
    """A session would let one case change the answer of another."""
    with serving([Reply({"answer": "a"}, headers={"set-cookie": "session=1; Path=/"})]) as server:
        adapter = registry.parse({"type": "http", "url": server.url}).open(environ={})

        async def twice():
            for _ in range(2):
                await adapter.ask(QUESTION)
            await adapter.close()

        asyncio.run(twice())
    assert [request.headers.get("cookie") for request in server.received] == [None, None]


def test_one_adapter_serves_several_loops():
    """Connections belong to the loop that made them; another loop makes its own."""
    with serving([OK]) as server:
        adapter = registry.parse({"type": "http", "url": server.url}).open(environ={})

        async def once():
            output = await adapter.ask(QUESTION)
            await adapter.close()
            return output.answer

        assert [asyncio.run(once()), asyncio.run(once())] == ["yes", "yes"]


def test_an_adapter_that_was_closed_opens_its_connections_again():
    """Two runs of one process may share a configuration, and one of them ends first."""
    with serving([OK]) as server:
        adapter = registry.parse({"type": "http", "url": server.url}).open(environ={})

        async def again():
            for _ in range(2):
                await adapter.ask(QUESTION)
                await adapter.close()
            await adapter.close()

        asyncio.run(again())
    assert server.calls == 2


def test_a_secret_that_a_server_echoes_is_not_kept():
    """Neither in an answer, nor in a failure that was cut in the middle of it."""
    headers = {"Authorization": "Bearer env:KEY"}
    redactor = Redactor({"KEY": "s3cret-token"})

    def echo(received: Received) -> Reply:
        return Reply({"answer": received.headers["authorization"]})

    with serving(echo) as server:
        output = asked(server, headers=headers)
    assert isinstance(output, PipelineOutput)
    assert redactor.output(output).answer == "Bearer [redacted:KEY]"
    for padding in range(470, 500):
        failure = failed(Reply(b"x" * padding + b" s3cret-token", 401), headers=headers)
        assert "s3cret" not in redactor.failure(failure).message
