"""Calibrating over HTTP, through the judge's own client: replies are read and repaired as in a run."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from ragproof.judge.calibration.calibrating import calibrate
from ragproof.judge.calibration.calibration import Calibration
from ragproof.judge.calibration.fixtures import fixtures
from ragproof.judge.calibration.metrics import judged_metrics
from ragproof.judge.calibration.source import FIXTURES, source_of
from ragproof.judge.calls import JudgeRefused
from ragproof.judge.client import JudgeClient
from ragproof.judge.config import JudgeConfig
from ragproof.judge.ladder import Ladder
from tests.fakes.http_server import Reply
from tests.fakes.judge_server import Asked, Clock, Line, RecordingMeter, Script, judging, obedient
from tests.fakes.obliging_judge import ObligingJudge, refusal_reply, reply_to

METRICS = judged_metrics()


def calibrated(script: Script, *prompts: str) -> Calibration:
    """Calibrate a judge on loopback."""
    asked = fixtures(METRICS, prompts or None)
    with judging(script) as server:
        config = JudgeConfig(model="judge-1", base_url=server.base_url)

        async def run() -> Calibration:
            meter, timing = RecordingMeter(), Clock().timing
            client = JudgeClient(config, key=None, meter=meter, ladder=Ladder(), timing=timing)
            source = source_of(FIXTURES, asked, asked)
            try:
                return await calibrate(
                    client, asked, METRICS, config=config, source=source, at=datetime.now(UTC)
                )
            finally:
                await client.close()

        return asyncio.run(run())


def test_every_fixture_reaches_the_judge_and_comes_back_as_a_number() -> None:
    """A judge that goes by words alone: no reply of it is lost, and it is told to be poor."""
    found = calibrated(ObligingJudge())
    assert {each.metric: each.scored for each in found.agreements} == {
        "generation.answer_relevance": 16,
        "generation.citation_support": 16,
        "generation.completeness": 16,
        "generation.groundedness": 16,
        "robustness.abstention": 18,
        "citation_recall": 12,
        "context_precision": 12,
        "context_recall": 12,
        "context_relevance": 12 + 12,
        "factual_correctness": 12,
    }
    assert found.models_served == ("judge-as-served",)
    assert len(found.below()) > 3


def test_a_judge_that_writes_prose_is_a_poor_one() -> None:
    """Every answer is a judge error, after its repair, and nothing agrees."""
    (found,) = calibrated(lambda _: "I would say that it declines.", "refusal").agreements
    assert (found.judge_errors, found.exact.count, found.exact.of) == (18, 0, 18)
    assert (found.kappa, found.sensitivity.value) == (None, None)


def test_a_judge_that_obeys_the_answer_is_not_given_away_by_it() -> None:
    """What an answer orders arrives escaped inside of the data, so the last order is still ours."""

    def honest(asked: Asked) -> Line:
        declines = "declines to answer the question" in asked.system
        return refusal_reply(asked.data) if declines else reply_to(asked.data)

    plain, obeying = (calibrated(script, "refusal") for script in (honest, obedient(honest)))
    assert obeying.agreements == plain.agreements


def test_a_server_that_lets_nobody_in_ends_it() -> None:
    """At once, and not as disagreement."""
    with pytest.raises(JudgeRefused, match="401"):
        calibrated(lambda _: Reply({"error": {"message": "no such key"}}, 401), "refusal")
