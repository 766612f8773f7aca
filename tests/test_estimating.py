"""Estimating the judge's calls: the same questions that a run asks, counted and sized without asking any."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from ragproof.cases import Case, CaseKind
from ragproof.catalogue import catalogue, choose
from ragproof.estimating import LARGE, SMALL, Estimate, assumed, estimate
from ragproof.evidence import Evidence, Settings
from ragproof.judge.ask import Ask
from ragproof.judge.calls import JudgeCall, Transcript, Verdict
from ragproof.judge.config import JudgeConfig
from ragproof.judge.dry_judge import CLAIMS, DryJudge
from ragproof.judge.kinds import ReplyKind
from ragproof.judge.metering import Tokens
from ragproof.judge.prompting import load
from ragproof.judge.requests import written
from ragproof.judging import judge_case
from ragproof.metric import Cost, Measured, Metric, Need
from ragproof.outputs import Outcome
from tests.fakes.evidence import case, output
from tests.fakes.scripted_judge import ScriptedJudge
from tests.fakes.stores import failure

JUDGED = Settings(k=3, judge_configured=True)
JUDGE = JudgeConfig(model="m", max_tokens=500)
PRICED = JUDGE.model_copy(update={"input_cost_per_mtok": 1.0, "output_cost_per_mtok": 4.0})
METRICS = choose(None)
TRANSCRIPT = Transcript(prompt="refusal", prompt_hash="", model="m", base_url="")
DECLINED = Verdict(case_id="another", value={"declined": True}, quotes=("",), transcript=TRANSCRIPT)


def estimated(
    cases: Sequence[Case] = (case(),),
    known: Mapping[str, Outcome] = {"case-1": output()},
    *,
    judge: JudgeConfig = JUDGE,
    metrics: Sequence[Metric] = METRICS,
    **settings: Any,
) -> Estimate:
    """Estimate; nothing was judged before unless `find` says otherwise."""
    arguments = {"find": lambda _: None, **settings}
    return asyncio.run(estimate(metrics, cases, known, JUDGED, judge, **arguments))


def several(count: int, **fields: Any) -> list[Case]:
    """Return cases that ask different questions."""
    return [case(id=f"c{n}", question=f"What is {n}?", **fields) for n in range(count)]


COUNTS: list[tuple[str, Case, Outcome, int]] = [
    # why, case, its output in an earlier run, questions
    ("5 of source A, 3 of the retrieval, claims both ways, cited sentences", case(), output(), 11),
    ("nothing cited", case(), output(citations=()), 9),
    ("nothing retrieved, so the answer is split alone and no citation is", case(), output(retrieved=()), 7),
    ("no expected answer", case(expected_answers=()), output(), 5),
    ("an empty answer declines without a question", case(), output(answer=""), 3),
    ("no answer, but a retrieval", case(), output(answer=None), 3),
    ("neither", case(), output(answer=None, retrieved=None), 0),
    ("abstention asks the same as the others", case(CaseKind.UNANSWERABLE), output(), 5),
]


@pytest.mark.parametrize(("why", "the_case", "known", "calls"), COUNTS, ids=[row[0] for row in COUNTS])
def test_the_questions_about_a_known_output_are_counted(
    why: str, the_case: Case, known: Outcome, calls: int
) -> None:
    """What two metrics ask alike is one question."""
    found = estimated([the_case], {"case-1": known})
    assert (found.calls_low, found.calls_high, found.known) == (calls, calls, 1), why


def dry_claims(call: JudgeCall, data: dict[str, Any]) -> Any:
    """Reply with the claims of a dry run where claims are asked for."""
    texts = [f"claim {n} of a dry run" for n in range(CLAIMS)]
    match call.prompt.kind:
        case ReplyKind.CLAIMS:
            return {"claims": texts}
        case ReplyKind.CLAIMS_WITH_VERDICTS:
            return {"claims": [{"text": text, "contexts": [], "verdict": "unsupported"} for text in texts]}
        case _:
            return None


@pytest.mark.parametrize("kind", CaseKind)
def test_the_plan_is_the_run_s_own(kind: CaseKind) -> None:
    """A judge by whom no answer declines, who finds as many claims, is asked exactly what the dry one is."""
    metrics = [metric for metric in METRICS if metric.asks_judge(True)]
    scripted, dry = ScriptedJudge(dry_claims), DryJudge(JUDGE)
    for judge in (scripted, dry):
        asyncio.run(judge_case(metrics, case(kind), output(), JUDGED, judge))
    assert set(dry.calls) == {call.identity(JUDGE) for call in scripted.calls}
    assert dry.calls


def test_metrics_that_ask_no_judge_cost_nothing() -> None:
    """A run without judged metrics has no price but 0, for nothing is asked."""
    found = estimated(metrics=[catalogue().by_key["echo.exact_match"]], judge=PRICED)
    assert (found.calls_high, found.high, found.usd_high, found.kept_share) == (0, Tokens(), 0.0, None)


def test_the_size_of_one_question() -> None:
    """Low: four characters a token and the shortest reply; high: a token a byte, and the whole limit."""
    the_case, the_output = case(question="¿Qué?"), output(answer="Sí.")
    prompt = load("refusal").render({"question": "¿Qué?", "answer": "Sí."})
    shortest = json.dumps({"verdicts": [{"id": "declined", "quote": "", "verdict": "false"}]})
    found = estimated(
        [the_case],
        {"case-1": the_output},
        metrics=[catalogue().by_key["robustness.overrefusal"]],
        judge=PRICED,
    )
    characters = len(prompt.system) + len(prompt.user_message())
    assert found.low == Tokens(input=-(-characters // 4), output=-(-len(shortest) // 4))
    assert found.high == Tokens(input=len(written(PRICED, prompt)), output=500)
    assert found.usd_high == pytest.approx((found.high.input * 1 + 500 * 4) / 1e6)


def test_a_judge_without_a_price_has_no_price_of_0() -> None:
    """It is not known; one that costs nothing costs 0."""
    assert (estimated().usd_low, estimated().usd_high) == (None, None)
    free = JUDGE.model_copy(update={"input_cost_per_mtok": 0.0, "output_cost_per_mtok": 0.0})
    assert (estimated(judge=free).usd_low, estimated(judge=free).usd_high) == (0.0, 0.0)


def test_what_is_not_known_is_taken_to_be_small_and_large() -> None:
    """Citing nothing or everything; a failure of an earlier run says nothing about the next answer."""
    found = estimated(several(2), {"c0": failure("c0")})
    assert (found.known, found.calls_low, found.calls_high) == (0, 2 * 9, 2 * 11)
    assert found.low.input < found.high.input
    for size in (SMALL, LARGE):
        made = assumed(case(), size, 3)
        chunks = made.retrieved or ()
        assert len(made.answer or "") == size.answer_characters
        assert [len(chunk.text) for chunk in chunks] == [size.context_characters] * 3
        assert bool(made.citations) is size.cites
        assert made.answer != assumed(case(id="another"), size, 3).answer


def test_what_was_judged_before_costs_nothing() -> None:
    """Its verdict is taken as it was: an answer that declined has no further questions."""
    refusal, relevance = identity_of("refusal"), identity_of("answer_relevance")
    dry = DryJudge(JUDGE)
    asyncio.run(judge_case([m for m in METRICS if m.judged], case(), output(), JUDGED, dry))
    relevant = Verdict(case_id="another", value=2, transcript=TRANSCRIPT)
    found = estimated(find={relevance: relevant}.get)
    assert (found.calls_high, found.kept, found.kept_share) == (11, 1, 1 / 11)
    assert found.high + dry.calls[relevance].high == estimated().high
    declining = estimated(find={refusal: DECLINED}.get)
    assert (declining.calls_high, declining.kept) == (1 + 3, 1)
    of_answer = [metric for metric in METRICS if Need.ANSWER in metric.needs]
    declining = estimated(find={refusal: DECLINED}.get, metrics=of_answer)
    assert (declining.calls_high, declining.kept, declining.high) == (1, 1, Tokens())


def identity_of(prompt: str) -> str:
    """Return the identity of a question about the whole evidence."""
    rendered = load(prompt).render({"question": case().question, "answer": output().answer})
    return JudgeCall(case_id="x", prompt=rendered).identity(JUDGE)


def test_nobody_looked_is_not_nothing_found() -> None:
    """None and 0 are told apart."""
    assert estimated(find=None).kept is None
    assert estimated().kept == 0


def test_a_question_that_two_cases_ask_is_counted_once() -> None:
    """As the run asks it once."""
    twins = [case(id="c1"), case(id="c2")]
    known = {each.id: output(case_id=each.id) for each in twins}
    assert estimated(twins, known).calls_high == 11


def test_a_sample_is_scaled_to_all_cases() -> None:
    """Evenly spaced, so that the kinds at the end of a dataset are in it too."""
    cases = [*several(50), *(each.model_copy(update={"id": f"u{each.id}"}) for each in several(50))]
    cases = [each.model_copy(update={"question": f"{each.id}?"}) for each in cases]
    sampled, whole = estimated(cases, {}, most_cases=10), estimated(cases, {})
    assert (sampled.cases, sampled.looked_at, whole.looked_at) == (100, 10, 100)
    assert (sampled.calls_low, sampled.calls_high) == (whole.calls_low, whole.calls_high) == (900, 1100)
    assert sampled.high.input == pytest.approx(whole.high.input, rel=0.01)


def test_no_cases_cost_nothing() -> None:
    """An empty list is a value."""
    found = estimated([], {}, judge=PRICED, most_cases=10)
    assert (found.cases, found.calls_high, found.usd_high) == (0, 0, 0.0)


def test_a_metric_of_ones_own_that_cannot_read_a_dry_verdict_stops_nothing() -> None:
    """What it asked before it broke is counted."""

    async def asks_and_breaks(evidence: Evidence, ask: Ask) -> Measured:
        verdict = await ask(
            load("answer_relevance").render({"question": "?", "answer": evidence.output.answer})
        )
        raise KeyError(verdict.transcript.model)

    mine = replace(
        catalogue().by_key["generation.answer_relevance"], key="mine", cost=Cost.JUDGE, judged=asks_and_breaks
    )
    assert estimated(metrics=[mine]).calls_high == 1


def test_claims_of_a_dry_run_are_a_few() -> None:
    """Enough for a reply of some length, and none of them is supported."""
    dry = DryJudge(JUDGE)
    data: dict[str, Any] = {"question": "?", "answer": "a", "contexts": [{"id": "k1", "text": "t"}]}
    verdict = asyncio.run(dry.ask(JudgeCall(case_id="c", prompt=load("groundedness").render(data))))
    assert isinstance(verdict.value, list)
    assert len(verdict.value) == 3
