"""What each attempt at the judge may cost and did cost, as the ledger and the budget are told."""

from __future__ import annotations

from typing import Literal

import pytest

from ragproof.judge.calls import JudgeFailure, Verdict
from ragproof.judge.config import JudgeConfig
from ragproof.judge.ladder import Ladder
from ragproof.judge.metering import Basis, Stage, Tokens
from ragproof.judge.requests import worst_case, written
from tests.fakes.http_server import Reply
from tests.fakes.judge_questions import BROKEN, FITS, NO_SCHEMA, OVERLOADED, PROSE, asked, relevance
from tests.fakes.judge_server import USAGE, Line, RecordingMeter, Said, ask_all, judging

CHARGES = [
    # why, what the judge does, basis of the first attempt
    ("what the provider reports", FITS, Basis.REPORTED),
    ("nothing reported", Said('{"rating": 2}', usage=None), Basis.ESTIMATED),
    ("a usage that is none", Reply({"choices": [{"message": {"content": "{}"}}]}), Basis.ESTIMATED),
    ("at most the limit", Said(f'{{"rating": 2, "reason": "{"x" * 999}"}}', usage=None), Basis.ESTIMATED),
    ("too many requests", OVERLOADED, Basis.NOT_BILLED),
    ("a refused form", NO_SCHEMA, Basis.NOT_BILLED),
    ("a broken server", BROKEN, Basis.WORST_CASE),
    ("a reset", Reply(reset=True), Basis.WORST_CASE),
    ("a reply that cannot be read", Reply(b"{"), Basis.WORST_CASE),
]  # fmt: skip


@pytest.mark.parametrize(("why", "line", "basis"), CHARGES, ids=[row[0] for row in CHARGES])
def test_an_attempt_is_charged_by_what_came_back(why: str, line: Line, basis: Basis) -> None:
    """The worst case is a token for every byte of the request, and its whole token limit."""
    _, server, meter = asked([line, FITS], max_tokens=100)
    sent = server.asked[0].received.body
    worst = Tokens(input=len(sent), output=100)
    assert meter.attempts[0].worst_case == worst
    said = {"nothing reported": len('{"rating": 2}'), "a usage that is none": len("{}")}.get(why, 4 * 100)
    assert meter.spent[0].basis is basis
    assert (
        meter.spent[0].tokens
        == {
            Basis.REPORTED: USAGE,
            Basis.ESTIMATED: Tokens(input=-(-len(sent.decode()) // 4), output=-(-said // 4)),
            Basis.NOT_BILLED: Tokens(),
            Basis.WORST_CASE: worst,
        }[basis]
    )


def test_a_timeout_is_charged_at_its_worst_case_and_tried_again() -> None:
    """The judge may have worked for us all the same."""
    ended, _, meter = asked([Reply(hang=True), FITS], timeout_seconds=0.2)
    assert isinstance(ended, Verdict)
    assert [spent.basis for spent in meter.spent] == [Basis.WORST_CASE, Basis.REPORTED]


def test_a_judge_that_is_not_there_costs_nothing() -> None:
    """And the failure says what to look at."""
    with judging([FITS]) as server:
        pass
    meter = RecordingMeter()
    (ended,) = ask_all(server, relevance(), meter=meter, retries=1)
    assert isinstance(ended, JudgeFailure)
    assert ended.message == (
        f"cannot connect to {server.base_url}/chat/completions: connection refused; is the judge running? "
        "(after 2 attempts)"
    )
    assert [spent.basis for spent in meter.spent] == [Basis.NOT_BILLED] * 2


def test_the_worst_case_covers_every_script() -> None:
    """Bytes, not characters: a Japanese character may be three tokens."""
    meter = RecordingMeter()
    with judging([FITS]) as server:
        ask_all(server, relevance("東京" * 100), meter=meter)
    assert meter.attempts[0].worst_case.input == len(server.asked[0].received.body) > 600


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_the_worst_case_is_known_before_anything_is_sent(provider: Literal["openai", "anthropic"]) -> None:
    """An estimate needs no judge: the request is written the same."""
    _, server, meter = asked([FITS], provider=provider)
    config = JudgeConfig(provider=provider, model="judge-1", base_url=server.base_url)
    request = written(config, relevance().prompt)
    assert server.asked[0].received.body == request
    assert worst_case(config, relevance().prompt, request) == meter.attempts[0].worst_case


def test_a_reply_kept_before_a_crash_is_not_asked_for_again() -> None:
    """The first reply needed a repair: a resumed run sends the repair alone."""
    meter = RecordingMeter(give_back=True)
    with judging([PROSE, BROKEN]) as server:
        ask_all(server, relevance(), meter=meter, retries=0)
        assert server.calls == 2
    with judging([FITS]) as again:
        config = {"base_url": server.base_url}
        meter.answers = {
            key: answer for key, answer in meter.answers.items() if key == meter.attempts[0].request
        }
        (ended,) = ask_all(again, relevance(), meter=meter, ladder=Ladder(), retries=0, **config)
    assert [attempt.stage for attempt in meter.attempts] == [Stage.FIRST, Stage.REPAIR, Stage.REPAIR]
    assert ended.transcript.replies[0] == "it is relevant"


class Broke(Exception):
    """The budget's own."""


class EmptyPurse(RecordingMeter):
    """Refuses every reservation."""

    async def reserve(self, attempt: object) -> str:
        raise Broke


def test_a_meter_that_refuses_ends_the_run_before_anything_is_sent() -> None:
    """What it raises is passed on as it is."""
    with judging([FITS]) as server, pytest.raises(Broke):
        ask_all(server, relevance(), meter=EmptyPurse())
    assert server.calls == 0
