"""The http adapter under an overloaded server: waited for within the cap, spared, and given up beyond it."""

from __future__ import annotations

import asyncio
import re
import threading
import time as clock
from collections.abc import Callable, Sequence

import httpx
import pytest

from ragproof.adapters import registry
from ragproof.adapters.adapter import Question
from ragproof.adapters.wire.attempts import exchange
from ragproof.adapters.wire.concurrency import AdaptiveLimit
from ragproof.adapters.wire.patience import Policy
from ragproof.adapters.wire.timing import REAL_TIME, Timing
from ragproof.asking import ask
from ragproof.outputs import CaseFailure, FailureKind, Outcome, PipelineOutput
from tests.fakes.http_server import Received, Reply, Server, serving

OK = Reply({"answer": "yes"})
LONG = 60.0
CROWD = 10


class Time:
    """Time that passes a hundred times as fast, from 0."""

    def __init__(self) -> None:
        self._started = clock.perf_counter()

    @property
    def seconds(self) -> float:
        return (clock.perf_counter() - self._started) * 100

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / 100)

    @property
    def timing(self) -> Timing:
        return Timing(sleep=self.sleep, now=lambda: self.seconds)


def asked(server: Server, cases: int, timing: Timing = REAL_TIME, **settings) -> list[Outcome]:
    adapter = registry.parse({"type": "http", "url": server.url, **settings}).open(environ={}, timing=timing)

    async def all_at_once() -> list[Outcome]:
        questions = [
            Question(case_id=f"q{number}", text=f"why {number}?", k=1, retrieve_k=1)
            for number in range(cases)
        ]
        try:
            return await asyncio.gather(*(ask(adapter, question, LONG) for question in questions))
        finally:
            await adapter.close()

    return asyncio.run(all_at_once())


def kinds(outcomes: Sequence[Outcome]) -> set[FailureKind | None]:
    return {outcome.kind if isinstance(outcome, CaseFailure) else None for outcome in outcomes}


def refusal(status: int = 429, **headers: str) -> Reply:
    return Reply({"detail": "slow down"}, status, {name.replace("_", "-"): v for name, v in headers.items()})


def until(seconds: float, time: Time, refused: Reply) -> Callable[[Received], Reply]:
    return lambda received: OK if time.seconds >= seconds else refused


STORMS = [
    ("the server says for how long, again and again", 100, refusal(retry_after="7")),
    ("it does not say", 100, refusal()),
    ("it says to come back at once", 100, refusal(retry_after="0")),
    ("it says so with a 503", 100, refusal(503, retry_after="30")),
    ("the longest it may", 100, refusal(retry_after="120")),
    ("a wait that begins within the cap may end beyond it", 119, refusal(retry_after="100")),
]


@pytest.mark.parametrize(("why", "seconds", "refused"), STORMS, ids=[row[0] for row in STORMS])
def test_no_case_is_lost_to_a_storm_within_the_cap(why, seconds, refused):
    """A crowd at once, all refused for up to two minutes, with no retries left for other trouble."""
    time = Time()
    with serving(until(seconds, time, refused)) as server:
        outcomes = asked(server, CROWD, time.timing, retries=0)
    assert kinds(outcomes) == {None}


LOST = [
    ("the server refuses for ever", refusal(retry_after="10")),
    ("it does not say for how long", refusal()),
]


@pytest.mark.parametrize(("why", "refused"), LOST, ids=[row[0] for row in LOST])
def test_a_storm_beyond_the_cap_fails_every_case_and_hangs_none(why, refused):
    """Two minutes without a single answer are enough for all: nobody waits for two minutes of their own."""
    time = Time()
    with serving(until(10_000, time, refused)) as server:
        outcomes = asked(server, CROWD, time.timing)
    assert kinds(outcomes) == {FailureKind.RATE_LIMIT}
    assert time.seconds < 10_000


def test_cases_after_a_storm_without_end_are_not_even_sent_while_the_server_asks_to_wait():
    """Hammering it would make it worse; once the wait is over, one call may try."""
    time = Time()
    with serving(until(10_000, time, refusal(retry_after="50"))) as server:
        adapter = registry.parse({"type": "http", "url": server.url}).open(environ={}, timing=time.timing)

        async def one_by_one() -> list[tuple[int, str]]:
            calls = []
            for pause in (0, 0, 50):
                await time.sleep(pause)
                outcome = await ask(adapter, Question(case_id="q", text="why?", k=1, retrieve_k=1), LONG)
                calls.append((server.calls, outcome.message if isinstance(outcome, CaseFailure) else ""))
            await adapter.close()
            return calls

        first, second, third = asyncio.run(one_by_one())
    assert first == (4, 'HTTP 429 after 4 attempts: {"detail": "slow down"}')
    assert second[0] == 4
    assert re.fullmatch(
        r"the server has refused every call for 1\d\d s and asks to wait \d+ s more; "
        r"retry_after_cap_seconds \(120\) allows no more",
        second[1],
    )
    assert third == (5, 'HTTP 429: {"detail": "slow down"}')


def test_one_case_that_is_always_refused_is_given_up_while_others_come_through():
    """A question too large for the quota is answered with 429 for ever."""
    time = Time()

    def script(received: Received) -> Reply:
        return refusal(retry_after="3") if "why 0?" in received.body.decode() else OK

    with serving(script) as server:
        adapter = registry.parse({"type": "http", "url": server.url}).open(environ={}, timing=time.timing)

        async def both() -> tuple[Outcome, int]:
            lost = asyncio.create_task(
                ask(adapter, Question(case_id="q0", text="why 0?", k=1, retrieve_k=1), LONG)
            )
            others = 0
            while not lost.done():
                outcome = await ask(adapter, Question(case_id="q", text="why not?", k=1, retrieve_k=1), LONG)
                others += isinstance(outcome, PipelineOutput)
            await adapter.close()
            return lost.result(), others

        lost, others = asyncio.run(both())
    assert kinds([lost]) == {FailureKind.RATE_LIMIT}
    assert others > 0


class Bucket:
    """A server that lets so many calls through a second, and refuses the others."""

    def __init__(self, a_second: float, **headers: str) -> None:
        self._every = 1 / a_second
        self._next = 0.0
        self._lock = threading.Lock()
        self._headers = headers

    def __call__(self, received: Received) -> Reply:
        with self._lock:
            now = clock.monotonic()
            if now < self._next:
                return refusal(**self._headers)
            self._next = max(now, self._next) + self._every
            return OK


@pytest.mark.parametrize("headers", [{"retry_after": "0.05"}, {}], ids=["it says", "it does not say"])
def test_a_crowd_gets_through_a_narrow_quota(headers):
    """16 calls at once where 40 a second may pass: every one of them is answered in the end."""
    with serving(Bucket(40, **headers)) as server:
        outcomes = asked(server, 16)
    assert kinds(outcomes) == {None}


def test_an_overloaded_server_is_asked_by_fewer_at_once():
    """It copes with four calls at a time; after the first crowd it is hardly ever given more."""
    under_way = 0
    refused = 0
    lock = threading.Lock()

    def script(received: Received) -> Reply:
        nonlocal under_way, refused
        with lock:
            under_way += 1
            over = under_way > 4
            refused += over
        clock.sleep(0.01)
        with lock:
            under_way -= 1
        return refusal(503, retry_after="0.02") if over else OK

    with serving(script) as server:
        outcomes = asked(server, 64)
    assert kinds(outcomes) == {None}
    assert refused < 2 * 64


@pytest.mark.parametrize(
    ("status", "allowed"), [(429, 1 + 1), (503, 1 + 1), (502, 8)], ids=["429", "503", "502 is no overload"]
)
def test_overload_leaves_half_of_what_was_under_way_and_the_success_after_it_adds_one(status, allowed):
    """One call alone was under way, so one stays allowed."""
    replies = iter([httpx.Response(status), httpx.Response(200)])
    limit = AdaptiveLimit(8)

    async def once() -> None:
        policy = Policy(timeout_seconds=None, retries=1, retry_after_cap_seconds=120, max_response_bytes=1000)
        async with httpx.AsyncClient(transport=httpx.MockTransport(lambda request: next(replies))) as client:
            await exchange(client, client.build_request("POST", "http://h/"), policy, limit, Time().timing)

    asyncio.run(once())
    assert limit.allowed == allowed


def test_waiting_for_others_to_be_served_is_not_the_pipelines_time():
    """The second call has nothing to do with the wait that the first was told to keep, and keeps it too."""
    replies = iter([refusal(retry_after="1.5")])

    with serving(lambda received: next(replies, OK)) as server:
        adapter = registry.parse({"type": "http", "url": server.url}).open(environ={})

        async def both() -> list[Outcome]:
            question = Question(case_id="q", text="why?", k=1, retrieve_k=1)
            first = asyncio.create_task(ask(adapter, question, 1.0))
            while not server.calls:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.05)
            second = await ask(adapter, question, 1.0)
            found = [await first, second]
            await adapter.close()
            return found

        outcomes = asyncio.run(both())
    assert kinds(outcomes) == {None}


TROUBLE = [
    ("the pipeline's own mistakes are no storm", [Reply({"why": "bad"}, 400)], 8, 8),
    ("nor is a gateway that finds no pipeline", [Reply({}, 502)], 8, 8 * 2),
    ("503 without a wait is tried as often as any other trouble", [Reply({}, 503)], 8, 8 * 2),
]


@pytest.mark.parametrize(("why", "script", "cases", "calls"), TROUBLE, ids=[row[0] for row in TROUBLE])
def test_other_trouble_has_its_own_budget(why, script, cases, calls):
    """`retries: 1` is two attempts a case, whatever happens to the others."""
    with serving(script) as server:
        outcomes = asked(server, cases, Time().timing, retries=1)
    assert kinds(outcomes) == {FailureKind.HTTP_STATUS}
    assert server.calls == calls
