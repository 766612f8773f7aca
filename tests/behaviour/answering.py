"""Situations about answers: refusals, languages and citations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ragproof.cases import Case, CaseKind
from ragproof.catalogue import choose
from ragproof.evidence import Settings
from ragproof.judge.calls import JudgeCall
from ragproof.metric import Cost
from ragproof.outputs import Chunk, PipelineOutput
from ragproof.scores import DECLINES, NotApplicable, Skipped
from ragproof.summarising import summarise
from tests.fakes.scripted_judge import ScriptedJudge, measured

JUDGED = Settings(judge_configured=True)


def _declines(call: JudgeCall, _data: dict[str, Any]) -> Any:
    assert call.prompt.prompt == "refusal", "a refusal makes no claims to ask about"
    return {"verdicts": [{"id": "declined", "quote": "", "verdict": "true"}]}


def a_right_refusal_is_judged_by_no_claim(given: Any, _folder: Path) -> None:
    """Abstention 1, groundedness not applicable and out of its mean; with a judge and without one."""
    kind = CaseKind.QA if given["answerable"] else CaseKind.UNANSWERABLE
    case = Case(id="q1", kind=kind, question=given["question"])
    chunks = tuple(Chunk(id=str(n), text=text) for n, text in enumerate(given["contexts"]))
    output = PipelineOutput(case_id="q1", answer=given["answer"], retrieved=chunks)
    abstention, rate, grounded = choose(
        ["robustness.abstention", "abstention_rate", "generation.groundedness"]
    )
    for metric in (abstention, rate):
        assert measured(metric, case, output, Settings()).value == 1.0
    assert isinstance(measured(grounded, case, output, Settings()).result, Skipped)
    judge = ScriptedJudge(_declines)
    assert measured(abstention, case, output, JUDGED, judge).value == 1.0
    found = measured(grounded, case, output, JUDGED, judge)
    assert found.result == NotApplicable(reason=DECLINES)
    (summary,) = summarise([grounded], [found], [case], JUDGED)
    assert (summary.mean, summary.scored, summary.not_applicable, summary.errored) == (None, 0, 1, 0)


def a_german_answer_scores_like_its_twin(given: Any, _folder: Path) -> None:
    """Nothing without a judge depends on the language of a right answer."""
    twins = {"de": (given["question"], given["answer"]), "en": ("How many seats has the car?", "Nine seats.")}
    scores = {}
    for language, (question, answer) in twins.items():
        case = Case(
            id="q1", question=question, expected_answers=(answer.rstrip("."),), tags={"language": language}
        )
        output = PipelineOutput(case_id="q1", answer=answer)
        metrics = [metric for metric in choose(None) if metric.cost is not Cost.JUDGE]
        scores[language] = [measured(metric, case, output, Settings()) for metric in metrics]
    assert [score.value for score in scores["de"]] == [score.value for score in scores["en"]]
    by_key = {score.metric: score.value for score in scores["de"]}
    assert (by_key["exact_match"], by_key["token_f1"], by_key["robustness.overrefusal"]) == (1.0, 1.0, 0.0)


def a_wrong_citation_of_a_right_answer(given: Any, _folder: Path) -> None:
    """Grounded 1, citation support 0; a mark that points at nothing is told apart."""
    texts = [text.partition(" ")[2] for text in given["contexts"]]
    chunks = tuple(Chunk(id=str(n), text=text) for n, text in enumerate(texts, 1))
    case = Case(id="q1", question="When did they open?")
    output = PipelineOutput(case_id="q1", answer=given["answer"], retrieved=chunks, citations=("2",))
    grounded, support, validity = choose(
        ["generation.groundedness", "generation.citation_support", "generation.citation_validity"]
    )
    assert measured(grounded, case, output, JUDGED).value == 1.0
    assert measured(support, case, output, JUDGED).value == 0.0
    assert measured(validity, case, output, JUDGED).value == 1.0
    dangling = output.model_copy(update={"citations": ("1", "7")})
    found = measured(validity, case, dangling, JUDGED)
    assert (found.value, found.details["invalid"]) == (1 / 2, ["7"])
    found = measured(support, case, dangling, JUDGED)
    assert (found.value, found.details["unknown"]) == (1 / 2, ["7"])


def marks_that_stand_side_by_side(given: Any, _folder: Path) -> None:
    """Each cited source is asked about once, with the whole answer; a mark is no text of its own."""
    chunks = tuple(Chunk(id=str(n), text="Both routes are open.") for n in (1, 2, 3))
    output = PipelineOutput(case_id="q1", answer=given["answer"], retrieved=chunks, citations=("1", "2", "3"))
    (support,) = choose(["generation.citation_support"])
    judge = ScriptedJudge()
    found = measured(support, Case(id="q1", question="Which?"), output, JUDGED, judge)
    (asked,) = judge.asked("citation_support")
    assert [each["cited_as"] for each in asked["citations"]] == ["[1]", "[2]", "[3]"]
    assert asked["answer"] == given["answer"]
    assert found.details["cited"] == 3
