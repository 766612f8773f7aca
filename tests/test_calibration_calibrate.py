"""Calibrating: scored by the code that scores runs, and honest about a judge that cannot be asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.cases import Case
from ragproof.errors import ConfigurationError, RagproofError
from ragproof.evidence import ClaimSplit, PerContext
from ragproof.judge.ask import Judge
from ragproof.judge.calibration.calibrating import calibrate
from ragproof.judge.calibration.calibration import Calibration, asked_judge
from ragproof.judge.calibration.choosing import choose
from ragproof.judge.calibration.fixtures import fixtures
from ragproof.judge.calibration.labelled import Label, Labelled
from ragproof.judge.calibration.metrics import judged_metrics
from ragproof.judge.calibration.source import FIXTURES, source_of
from ragproof.judge.calibration.thresholds import Thresholds, thresholds
from ragproof.judge.calls import (
    JudgeCall,
    JudgeFailure,
    JudgeFailureKind,
    JudgeRefused,
    JudgingEnds,
    Verdict,
)
from ragproof.judge.prompting import load
from ragproof.outputs import Chunk, PipelineOutput
from tests.fakes.calibration_judges import CONFIG, Oracle

METRICS = judged_metrics()
AT = datetime(2026, 1, 31, 12, tzinfo=UTC)
GROUNDED, RELEVANT, COMPLETE = (
    "generation.groundedness",
    "generation.answer_relevance",
    "generation.completeness",
)


def calibrated(judge: Judge, asked: Sequence[Labelled], **settings: Any) -> Calibration:
    """Calibrate a judge."""
    source = source_of(FIXTURES, asked, asked)
    return asyncio.run(calibrate(judge, asked, METRICS, config=CONFIG, source=source, at=AT, **settings))


def of(prompt: str) -> tuple[Labelled, ...]:
    """Return the fixtures of a prompt."""
    return fixtures(METRICS, [prompt])


def test_a_calibration_says_who_was_asked_what_and_when() -> None:
    """The judge as asked and as served, the text of every prompt, the labels and the bar."""
    asked = of("groundedness")
    found = calibrated(Oracle(asked), asked)
    assert (found.at, found.judge, found.models_served) == (AT, asked_judge(CONFIG), ("oracle-1-as-served",))
    asked_about = ("claim_support", "claims", "groundedness", "refusal")
    assert found.prompts == {name: load(name).prompt_hash for name in asked_about}
    assert (found.source.name, found.source.labels, found.source.of) == ("fixtures", len(asked), len(asked))
    assert found.source.scored_by == ("authors",)
    assert (found.thresholds.min_exact, found.thresholds.min_band) == (0.7, 0.9)
    assert Calibration.model_validate_json(found.model_dump_json()) == found


def test_two_judges_are_one_only_when_nothing_could_change_a_verdict() -> None:
    """Prices and patience are no part of it."""
    identity = asked_judge(CONFIG).identity
    for name, value, same in (
        ("timeout_seconds", 1.0, True),
        ("input_cost_per_mtok", 9.0, True),
        ("model", "other", False),
        ("base_url", "http://127.0.0.1:8/v1", False),
        ("temperature", 1.0, False),
        ("max_tokens", 999, False),
        ("require_quotes", True, False),
        ("claims", ClaimSplit.TWO_STEP, False),
        ("per_context", PerContext.EXACT, False),
        ("cap_citations", False, False),
    ):
        other = asked_judge(CONFIG.model_copy(update={name: value})).identity
        assert (other == identity) is same, name


def test_a_judge_is_below_the_bar_only_when_it_misses_it() -> None:
    """Reaching it is enough; each metric and each bar is told by itself."""
    asked = of("completeness")
    four = {each.case.id for each in asked if each.labels[COMPLETE].consensus == 0.5}
    four.remove("partial-steps")
    judge = Oracle(asked, instead=lambda id, score: 0.0 if id in four else score)
    assert calibrated(judge, asked).below() == ()
    exact = calibrated(judge, asked, thresholds=Thresholds(min_exact=12 / 16, min_band=1))
    assert exact.below() == ()
    short = calibrated(judge, asked, thresholds=Thresholds(min_exact=0.76, min_band=1))
    assert short.below() == (f"{COMPLETE}: exact agreement 12 of 16, expected at least 0.76",)
    opposite = Oracle(asked, instead=lambda _, score: 1 - score)
    agreeing = 5 + 1  # those in the middle, and the answer that declines, which is not rated
    assert calibrated(opposite, asked).below() == (
        f"{COMPLETE}: exact agreement {agreeing} of 16, expected at least 0.7",
        f"{COMPLETE}: agreement within a band {agreeing} of 16, expected at least 0.9",
    )


@pytest.mark.parametrize("failing", [5, 16])
def test_judge_errors_count_against_the_judge(failing: int) -> None:
    """A judge whose replies cannot be read is a poor one, also when none of them can."""
    asked = of("citation_support")
    silent = {each.case.id for each in asked[:failing]}

    def fail(call: JudgeCall) -> JudgeFailureKind | None:
        return JudgeFailureKind.INVALID_REPLY if call.case_id in silent else None

    (found,) = calibrated(Oracle(asked, failing=fail), asked).agreements
    assert (found.judge_errors, found.exact.count, found.exact.of) == (failing, 16 - failing, 16)
    assert {each.reason for each in found.disagreements} == {"invalid reply: told to"}


def test_an_answer_taken_for_a_refusal_has_no_number() -> None:
    """The metric is not applicable then; that is a miss of the judge's, and no judge error."""
    asked = of("groundedness")
    (found,) = calibrated(Oracle(asked, declining=frozenset({"grounded-returns"})), asked).agreements
    assert (found.without_number, found.judge_errors, found.exact.count) == (1, 0, 15)
    assert found.disagreements[0].reason == "the answer declines"


def test_a_judge_that_has_to_quote_is_calibrated_so() -> None:
    """As in a run that requires quotes: support without one counts for nothing."""
    asked = of("groundedness")
    config = CONFIG.model_copy(update={"require_quotes": True})
    source = source_of(FIXTURES, asked, asked)
    ended = calibrate(Oracle(asked), asked, METRICS, config=config, source=source, at=AT)
    (found,) = asyncio.run(ended).agreements
    assert found.confusion == ((5, 0, 0), (5, 0, 0), (6, 0, 0))


def unreachable(kind: JudgeFailureKind) -> Callable[[JudgeCall], JudgeFailureKind]:
    """Return what fails every question."""
    return lambda _: kind


@pytest.mark.parametrize(
    "kind", [JudgeFailureKind.TRANSPORT, JudgeFailureKind.RATE_LIMIT, JudgeFailureKind.BAD_REQUEST]
)
def test_a_judge_that_never_replied_is_not_called_poor(kind: JudgeFailureKind) -> None:
    """Nothing was learnt about it: an error of execution, with the first reason."""
    asked = of("refusal")
    with pytest.raises(RagproofError, match=f"the judge 'oracle-1' never replied: {kind.value}: told to"):
        calibrated(Oracle(asked, failing=unreachable(kind)), asked)


class Closed:
    """A judge that lets nobody in after so many questions."""

    def __init__(self, judge: Judge, after: int, error: JudgingEnds) -> None:
        self._judge, self._after, self._error = judge, after, error
        self.asked = 0

    async def ask(self, call: JudgeCall) -> Verdict | JudgeFailure:
        """Reply, or end."""
        self.asked += 1
        if self.asked > self._after:
            raise self._error
        return await self._judge.ask(call)


@pytest.mark.parametrize("after", [0, 7])
def test_a_judge_that_ends_ends_the_calibration(after: int) -> None:
    """No agreement over half of the fixtures is passed off as one, and nothing more is asked."""
    asked = of("answer_relevance")
    judge = Closed(Oracle(asked), after, JudgeRefused("HTTP 401: no such key"))
    with pytest.raises(JudgeRefused, match="HTTP 401"):
        calibrated(judge, asked)
    assert judge.asked == after + 1


def test_an_answer_with_several_labels_is_asked_about_once() -> None:
    """Whether it declines is one question, whoever wants to know; agreement is in reading order."""
    case = Case(id="a", question="How long?", expected_answers=("Two weeks.",))
    output = PipelineOutput(case_id="a", answer="Two weeks.", context=(Chunk(id="d", text="Two weeks."),))
    label = Label(scores=(1.0,))
    labels = {COMPLETE: label, RELEVANT: label, GROUNDED: label}
    asked = [Labelled(case=case, output=output, labels=labels)]
    judge = Oracle(asked)
    found = calibrated(judge, asked)
    assert sorted(call.prompt.prompt for call in judge.calls) == [
        "answer_relevance",
        "completeness",
        "groundedness",
        "refusal",
    ]
    assert [each.metric for each in found.agreements] == [key for key in METRICS if key in labels]


def test_progress_is_told_by_answer() -> None:
    """From nothing to all of them."""
    told: list[tuple[int, int]] = []
    asked = of("refusal")
    calibrated(Oracle(asked), asked, tell=lambda done, total: told.append((done, total)))
    assert told == [(done, len(asked)) for done in range(len(asked) + 1)]


def test_answers_are_judged_side_by_side() -> None:
    """As many as the judge allows, which is its own business."""
    asked = of("refusal")

    class Waiting:
        """A judge that replies once every question is there."""

        def __init__(self) -> None:
            self._all = asyncio.Barrier(len(asked))
            self._judge = Oracle(asked)

        async def ask(self, call: JudgeCall) -> Verdict | JudgeFailure:
            await self._all.wait()
            return await self._judge.ask(call)

    async def run() -> Calibration:
        source = source_of(FIXTURES, asked, asked)
        waiting = calibrate(Waiting(), asked, METRICS, config=CONFIG, source=source, at=AT)
        return await asyncio.wait_for(waiting, timeout=30)

    assert asyncio.run(run()).below() == ()


CHOICES: list[tuple[str, Mapping[str, Any], dict[str, int]]] = [
    # why, what is chosen, labels left by metric
    ("all", {}, {"generation.groundedness": 16, "robustness.abstention": 18}),
    ("one prompt", {"prompts": ["refusal"]}, {"robustness.abstention": 18}),
    (
        "the first few of each metric",
        {"limit": 2},
        {"generation.groundedness": 2, "robustness.abstention": 2},
    ),
    ("more than there are", {"limit": 17}, {"generation.groundedness": 16, "robustness.abstention": 17}),
    ("the first few of one", {"prompts": ["refusal"], "limit": 1}, {"robustness.abstention": 1}),
]


@pytest.mark.parametrize(("why", "chosen", "left"), CHOICES, ids=[row[0] for row in CHOICES])
def test_choosing_labels(why: str, chosen: Mapping[str, Any], left: dict[str, int]) -> None:
    """By prompt, and the first few of each metric."""
    there = (*of("groundedness"), *of("refusal"))
    asked = choose(there, METRICS, **chosen)
    counts: dict[str, int] = {}
    for each in asked:
        for key in each.labels:
            counts[key] = counts.get(key, 0) + 1
    assert counts == left
    on_prompts = choose(there, METRICS, chosen.get("prompts", ()))
    assert source_of("f", asked, on_prompts).is_sample is (sum(left.values()) < len(on_prompts))


def test_an_answer_keeps_the_labels_that_are_asked_about() -> None:
    """One label of two may be left out, and the answer stays."""
    label = Label(scores=(1.0,))
    each = Labelled(
        case=Case(id="a", question="q"),
        output=PipelineOutput(case_id="a", answer="a"),
        labels={GROUNDED: label, RELEVANT: label},
    )
    (left,) = choose([each], METRICS, ["answer_relevance"])
    assert set(left.labels) == {RELEVANT}


def test_a_prompt_that_no_label_is_about_is_refused() -> None:
    """With the nearest name, or the names there are."""
    with pytest.raises(ConfigurationError, match="prompt 'refusl'; did you mean 'refusal'"):
        choose(of("refusal"), METRICS, ["refusl"])
    with pytest.raises(ConfigurationError, match="prompt 'groundedness'; expected one of refusal"):
        choose(of("refusal"), METRICS, ["groundedness"])
    with pytest.raises(ConfigurationError, match="--limit '0' leaves nothing to ask; expected 1 or more"):
        choose(of("refusal"), METRICS, limit=0)


@given(st.floats(0, 1), st.floats(0, 1))
def test_thresholds_are_shares(exact: float, band: float) -> None:
    """Both ends included."""
    assert thresholds(exact, band) == Thresholds(min_exact=exact, min_band=band)


def test_thresholds_that_are_none_are_told_at_once() -> None:
    """Percent are recognised as such."""
    with pytest.raises(ConfigurationError) as caught:
        thresholds(70, float("nan"))
    assert [str(fault) for fault in caught.value.faults] == [
        "--min-exact: '70' is no share; expected a number from 0 to 1; write 0.7 for 70 %",
        "--min-band: 'nan' is no share; expected a number from 0 to 1",
    ]
    with pytest.raises(ConfigurationError, match=r"'-0\.1' is no share"):
        thresholds(-0.1, 1)
