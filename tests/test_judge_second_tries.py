"""Second tries at a judge: each kind has a budget of its own, and what was learnt is learnt once."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from ragproof.judge.calls import JudgeFailure, JudgeFailureKind, JudgeRefused, Verdict
from ragproof.judge.client import JudgeClient
from ragproof.judge.config import JudgeConfig
from ragproof.judge.ladder import Ladder, Structure
from ragproof.judge.metering import Stage, Tokens
from ragproof.judge.prompting import load
from tests.fakes.http_server import Reply
from tests.fakes.judge_questions import (
    BROKEN,
    CUT,
    FITS,
    NO_JSON_MODE,
    NO_LIMIT,
    NO_SCHEMA,
    NO_TEMPERATURE,
    OVERLOADED,
    PROSE,
    asked,
    refused,
    relevance,
)
from tests.fakes.judge_server import (
    Asked,
    Clock,
    JudgeServer,
    Line,
    RecordingMeter,
    Said,
    Script,
    ask_all,
    judging,
)

DATA = Path(__file__).parent / "data"
BOTH = pytest.mark.parametrize("provider", ["openai", "anthropic"])


HTTP_ROWS = [
    json.loads(line)
    for line in (DATA / "judge_replies.jsonl").read_text(encoding="utf-8").splitlines()
    if '"kind": "http"' in line
]


@pytest.mark.parametrize("row", HTTP_ROWS, ids=[row["id"] for row in HTTP_ROWS])
def test_a_refused_request_comes_out_as_the_file_says(row: dict[str, Any]) -> None:
    """Once, and then the judge replies."""
    first = Reply(row["reply"].encode(), row["http_status"], row.get("headers", {}))
    meter, clock = RecordingMeter(), Clock()
    with judging([first, FITS]) as server:
        try:
            (ended,) = ask_all(server, relevance(), meter=meter, clock=clock)
        except JudgeRefused:
            outcome = "end_run"
        else:
            stages = [attempt.stage for attempt in meter.attempts]
            outcome = {
                (Stage.FIRST, Stage.TRANSPORT): "transport_retry",
                (Stage.FIRST, Stage.DOWNGRADE): "downgrade_retry",
                (Stage.FIRST,): "judge_error",
            }[tuple(stages)]
            assert isinstance(ended, JudgeFailure) is (outcome == "judge_error")
    assert outcome == row["outcome"], row["why"]
    assert meter.spent[0].tokens == Tokens()
    if "retry-after" in row.get("headers", {}):
        assert sum(clock.slept) >= float(row["headers"]["retry-after"])


def stages(*names: str) -> list[Stage]:
    return [Stage(name) for name in ("first", *names)]


WAYS = [
    # why, what the judge does, how it was asked, kind of failure
    ("a reply at once", [FITS], stages(), None),
    ("a reply to repair", [PROSE, FITS], stages("repair"), None),
    ("one repair and no more", [PROSE], stages("repair"), "invalid reply"),
    ("nor after another try", [PROSE, NO_SCHEMA, PROSE], stages("repair", "downgrade"), "invalid reply"),
    ("a reply cut off", [CUT, FITS], stages("tokens"), None),
    ("one larger limit and no more", [CUT], stages("tokens"), "truncated"),
    ("a form refused", [NO_SCHEMA, FITS], stages("downgrade"), None),
    ("to the end of the ladder", [NO_SCHEMA, NO_JSON_MODE, FITS], stages("downgrade", "downgrade"), None),
    ("and no further", [NO_SCHEMA], stages("downgrade", "downgrade"), "request refused"),
    ("temperature refused", [NO_TEMPERATURE, FITS], stages("downgrade"), None),
    ("a parameter is left out once", [NO_TEMPERATURE], stages("downgrade"), "request refused"),
    ("the limit's name refused", [NO_LIMIT, FITS], stages("downgrade"), None),
    (
        "each has a budget of its own",
        [NO_SCHEMA, OVERLOADED, NO_TEMPERATURE, CUT, BROKEN, PROSE, NO_JSON_MODE, NO_LIMIT, FITS],
        stages("downgrade", "transport", "downgrade", "tokens", "transport", "repair", *["downgrade"] * 2),
        None,
    ),
    ("cut off while repairing", [PROSE, CUT, FITS], stages("repair", "tokens"), None),
    ("to repair after being cut off", [CUT, PROSE, FITS], stages("tokens", "repair"), None),
    ("overloaded for ever", [OVERLOADED], stages("transport", "transport"), "rate limit"),
    ("broken for ever", [BROKEN], stages("transport", "transport"), "transport"),
    ("broken once", [BROKEN, FITS], stages("transport"), None),
    ("a connection reset", [Reply(reset=True), FITS], stages("transport"), None),
    ("529 is overload too", [Reply({}, 529), FITS], stages("transport"), None),
    ("408 may fare better", [Reply({}, 408), FITS], stages("transport"), None),
    ("an overload inside a 200", [Reply({"error": {"code": 429}}), FITS], stages("transport"), None),
    ("no such model", [refused("no such model", 404)], stages(), "request refused"),
    ("a request that is wrong otherwise", [refused("messages: too many")], stages(), "request refused"),
    ("a prompt that is too long", [refused("'max_tokens' is unsupported: maximum context length")], stages(),
     "request refused"),
    ("no money left", [refused("pay first", 429, code="insufficient_quota")], stages(), "rate limit"),
    ("a redirect is not followed", [Reply({}, 307, {"location": "/"})], stages(), "request refused"),
    ("the prompt was filtered", [refused("no", code="content_filter")], stages(), "content filter"),
    ("filtered with a 403", [refused("", 403, code="content_policy_violation")], stages(), "content filter"),
    ("the reply was filtered", [Said("", "content_filter")], stages(), "content filter"),
    ("the model declined", [Said(None, "refusal")], stages(), "content filter"),
    ("an empty 200", [Reply(b"")], stages(), "empty response"),
    ("a 200 without choices", [Reply({"choices": []})], stages(), "empty response"),
    ("a 200 that is no JSON", [Reply(b"<html>")], stages(), "empty response"),
    ("a 200 that is half of JSON", [Reply(b'{"choices": [{"mess')], stages(), "empty response"),
    ("no text in an orderly reply", [Said(None), FITS], stages("repair"), None),
]  # fmt: skip


@pytest.mark.parametrize(("why", "script", "expected", "kind"), WAYS, ids=[row[0] for row in WAYS])
def test_each_second_try_has_a_budget_of_its_own(
    why: str, script: Script, expected: list[Stage], kind: str | None
) -> None:
    """And every attempt is reserved before it is sent, and settled after it."""
    ended, server, meter = asked(script, retries=2)
    assert [attempt.stage for attempt in meter.attempts] == expected
    assert server.calls == len(meter.attempts) == len(meter.spent) == ended.transcript.attempts
    assert [attempt.number for attempt in meter.attempts] == list(range(1, server.calls + 1))
    assert (ended.kind.value if isinstance(ended, JudgeFailure) else None) == kind


def test_transport_retries_are_counted_for_each_request() -> None:
    """Two of them: three attempts, and the failure says so."""
    ended, server, _ = asked([BROKEN], retries=2)
    assert server.calls == 3
    assert isinstance(ended, JudgeFailure)
    assert ended.reason == "transport: HTTP 500: oops (after 3 attempts)"


@BOTH
def test_the_repair_says_what_was_wrong(provider: str) -> None:
    """The same data and rules, and the fault between them; the rules come last."""
    ended, server, _ = asked([Said('{"rating": 3}'), FITS], provider=provider)
    first, second = server.asked
    assert first.system == second.system
    assert second.data == first.data
    assert "'rating' is 3; expected 0, 1 or 2" in second.user
    assert second.user.endswith(load("answer_relevance").rules)
    assert ended.transcript.replies == ('{"rating": 3}', '{"rating": 2}')
    assert ended.transcript.faults == ("'rating' is 3; expected 0, 1 or 2",)


@BOTH
def test_a_larger_limit_is_four_times_the_limit(provider: str) -> None:
    """However the API calls being cut off."""
    cut = Said('{"rat', finish_reason="max_tokens" if provider == "anthropic" else "length")
    _, server, meter = asked([cut, FITS], provider=provider, max_tokens=100)
    assert [arrived.body["max_tokens"] for arrived in server.asked] == [100, 400]
    assert [attempt.worst_case.output for attempt in meter.attempts] == [100, 400]


def test_what_a_server_takes_is_learnt_once_for_all_calls() -> None:
    """By base URL and model: the second call begins where the first one ended."""
    ladder = Ladder()
    refusals: list[Line] = [NO_SCHEMA, NO_TEMPERATURE, NO_LIMIT]
    with judging([*refusals, CUT, FITS]) as server:
        (first,) = ask_all(server, relevance(), ladder=ladder)
        (second,) = ask_all(server, relevance(), ladder=ladder)
        assert server.calls == 6
        last = server.asked[-1].body
        assert last["response_format"] == {"type": "json_object"}
        assert "temperature" not in last
        assert (last.get("max_tokens"), last["max_completion_tokens"]) == (None, 4 * 2048)
        ask_all(server, relevance(), ladder=ladder, model="judge-2")
        assert server.asked[-1].body["temperature"] == 0.0
    for ended in (first, second):
        assert ended.transcript.structure is Structure.JSON_OBJECT
        assert ended.transcript.temperature is None


def test_a_larger_limit_that_the_server_refuses_is_not_remembered() -> None:
    """Or no later call could be made at all."""
    ladder = Ladder()
    too_large = refused("max_tokens is too large: 8192. This model supports at most 4096 completion tokens")
    with judging([CUT, too_large, FITS]) as server:
        (first,) = ask_all(server, relevance(), ladder=ladder)
        (second,) = ask_all(server, relevance(), ladder=ladder)
    assert isinstance(first, JudgeFailure)
    assert first.kind is JudgeFailureKind.BAD_REQUEST
    assert isinstance(second, Verdict)


def test_a_larger_limit_that_does_not_suffice_is_not_remembered() -> None:
    """One endless reply must not make every later call dearer."""
    ladder = Ladder()
    with judging([CUT]) as server:
        ask_all(server, relevance(), ladder=ladder, max_tokens=100)
        ask_all(server, relevance(), ladder=ladder, max_tokens=100)
    assert [arrived.body["max_tokens"] for arrived in server.asked] == [100, 400, 100, 400]


def test_calls_that_are_refused_together_learn_together() -> None:
    """What one has learnt meanwhile is not forgotten for what another learns."""

    def picky(arrived: Asked) -> Line:
        if "temperature" in arrived.body:
            return NO_TEMPERATURE
        return NO_SCHEMA if arrived.schema else FITS

    ladder = Ladder()
    with judging(picky) as server:
        ended = ask_all(server, *(relevance(f"a{n}") for n in range(20)), ladder=ladder, concurrency=20)
    assert all(isinstance(one, Verdict) for one in ended)
    terms = ladder.terms(server.base_url, "judge-1")
    assert (terms.structure, terms.temperature) == (Structure.JSON_OBJECT, False)


WAITS = [
    # why, headers, seconds waited, kind of failure
    ("as many seconds as asked for", {"retry-after": "75"}, 75, None),
    ("a wait of nothing is still a pause", {"retry-after": "0"}, 0.5, None),
    ("up to the cap", {"retry-after": "120"}, 120, None),
    ("beyond it not at all", {"retry-after": "121"}, 0, JudgeFailureKind.RATE_LIMIT),
]  # fmt: skip


@pytest.mark.parametrize(("why", "headers", "seconds", "kind"), WAITS, ids=[row[0] for row in WAITS])
def test_a_wait_is_kept_up_to_a_cap(
    why: str, headers: dict[str, str], seconds: float, kind: JudgeFailureKind | None
) -> None:
    """Never less than was asked for, and then a failure that names the cap."""
    clock = Clock()
    ended, _, _ = asked([Reply({}, 429, headers), FITS], clock=clock)
    assert seconds <= sum(clock.slept) <= seconds + 0.25
    if kind is not None:
        assert isinstance(ended, JudgeFailure)
        assert "more than judge.retry_after_cap_seconds allows (120)" in ended.message


def test_a_wait_is_kept_after_any_failure() -> None:
    """Also after one that is no overload, and closes the door to nobody else."""
    clock = Clock()
    asked([Reply({}, 500, {"retry-after": "75"}), FITS], clock=clock)
    assert clock.slept == [75]


def test_a_wait_may_be_asked_for_as_a_date() -> None:
    """Held against the server's own clock."""
    clock = Clock()
    until = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)
    asked([Reply({}, 429, {"retry-after": until}), FITS], clock=clock)
    assert 80 < sum(clock.slept) <= 90


def test_overload_halves_what_was_under_way() -> None:
    """One call was: one slot is left of eight, and its success brings a second."""

    async def story(server: JudgeServer) -> tuple[Verdict | JudgeFailure, int]:
        client = JudgeClient(
            JudgeConfig(model="judge-1", base_url=server.base_url, concurrency=8),
            key=None,
            meter=RecordingMeter(),
            ladder=Ladder(),
            timing=Clock().timing,
        )
        ended = await client.ask(relevance())
        await client.close()
        return ended, client.concurrency

    with judging([OVERLOADED, FITS]) as server:
        ended, concurrency = asyncio.run(story(server))
    assert isinstance(ended, Verdict)
    assert concurrency == 2
    assert "authorization" not in server.asked[0].received.headers
