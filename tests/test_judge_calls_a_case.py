"""How many questions a case costs: counted over numbers of contexts and ways of citing, and bounded."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest

from ragproof.cases import CaseKind
from ragproof.catalogue import catalogue, choose
from ragproof.evidence import Settings
from ragproof.judge.calls import JudgeCall, Verdict
from ragproof.judge.config import JudgeConfig
from ragproof.judging import judge_case
from ragproof.metric import Metric
from ragproof.outputs import PipelineOutput
from tests.fakes.claim_scripts import answer_claims, claims, judge
from tests.fakes.evidence import case, chunks, output
from tests.fakes.scripted_judge import ScriptedJudge

JUDGED = Settings(judge_configured=True)
CONFIG = JudgeConfig(model="m")
EVERY = tuple(metric for metric in catalogue().metrics if metric.asks_judge(True))
"""All of both sources, those that are opt in included."""
TEN = {f"a{n}": "k1" for n in range(10)}
REPLIES: dict[str, Any] = {
    "groundedness": answer_claims(**TEN),
    "claims": claims(*(f"r{n}" for n in range(10))),
}
"""Ten claims a side, the most that one question is about."""


class Ledger:
    """A judge that answers a question once, by its content, as the ledger of a run does."""

    def __init__(self, inner: ScriptedJudge) -> None:
        self._inner = inner
        self._kept: dict[str, Any] = {}
        self.asked: list[JudgeCall] = []

    async def ask(self, call: JudgeCall) -> Verdict:
        """Answer, and count what was not asked before."""
        identity = call.identity(CONFIG)
        if identity not in self._kept:
            self.asked.append(call)
            self._kept[identity] = await self._inner.ask(call)
        kept: Verdict = self._kept[identity]
        return kept


def asked_of(outcome: PipelineOutput, ledger: Ledger, metrics: tuple[Metric, ...] = EVERY) -> Counter[str]:
    """Return how often each prompt is newly asked."""
    before = len(ledger.asked)
    asyncio.run(judge_case(metrics, case(), outcome, JUDGED, ledger))
    return Counter(call.prompt.prompt for call in ledger.asked[before:])


ONE_EACH = "One [1]. Two [2]. Three [3]. Four [4]. Five [5]."
THREE_EACH = "One [1-3]. Two [2-4]. Three [3-5]. Four [1][4][5]. Five [1][2][5]."
FIVE_CITED = {"citations": ("c1", "c2", "c3", "c4", "c5")}
RETRIEVAL = Counter(
    claims=1, claim_support=1, context_usefulness=1, context_relevance=1, context_sufficiency=1
)
OF_ANSWER = Counter(
    refusal=1, groundedness=1, answer_relevance=1, completeness=1, claim_support=2, citation_check=1
)

TABLE: list[tuple[str, int, dict[str, Any], Counter[str]]] = [
    # why, contexts, answer, questions by prompt
    ("five sentences with a citation each", 5, {"answer": ONE_EACH, **FIVE_CITED}, RETRIEVAL + OF_ANSWER),
    ("with three citations each", 5, {"answer": THREE_EACH, **FIVE_CITED}, RETRIEVAL + OF_ANSWER),
    ("marks alone", 5, {"answer": ONE_EACH, "citations": None}, RETRIEVAL + OF_ANSWER),
    ("ten contexts", 10, {"answer": ONE_EACH, **FIVE_CITED}, RETRIEVAL + OF_ANSWER),
    ("one context", 1, {"answer": "One [1].", "citations": ("c1",)}, RETRIEVAL + OF_ANSWER),
    (
        "nothing cited",
        5,
        {"answer": "One. Two.", "citations": ()},
        RETRIEVAL + OF_ANSWER - Counter(citation_check=1),
    ),
    (
        "cited by the adapter alone: chunk by chunk too",
        5,
        {"answer": "One. Two.", **FIVE_CITED},
        RETRIEVAL + OF_ANSWER + Counter(citation_support=1),
    ),
    (
        "eleven contexts are two questions of usefulness",
        11,
        {"answer": "One.", "citations": ()},
        RETRIEVAL + OF_ANSWER - Counter(citation_check=1) + Counter(context_usefulness=1),
    ),
    (
        "nothing retrieved",
        0,
        {"answer": "One [1].", "citations": None},
        OF_ANSWER + Counter(claims=2) - Counter(groundedness=1, citation_check=1),
    ),
    (
        "a full refusal: its verdict and the retrieval's",
        5,
        {"answer": "I don't know. [1]"},
        RETRIEVAL + Counter(refusal=1),
    ),
    ("an empty answer: the retrieval's alone", 5, {"answer": ""}, RETRIEVAL),
]


@pytest.mark.parametrize(("why", "contexts", "fields", "questions"), TABLE, ids=[row[0] for row in TABLE])
def test_the_questions_about_a_case(
    why: str, contexts: int, fields: dict[str, Any], questions: Counter[str]
) -> None:
    """With every judged metric of both sources, up to ten claims a side."""
    retrieved = chunks(*(f"c{n}" for n in range(1, contexts + 1)))
    ledger = Ledger(judge(REPLIES))
    assert asked_of(output(retrieved=retrieved, **fields), ledger) == questions, why


@pytest.mark.parametrize("answer", [ONE_EACH, THREE_EACH], ids=["a citation each", "three citations each"])
def test_a_case_costs_at_most_12_calls_and_a_further_variant_on_its_retrieval_7(answer: str) -> None:
    """Separate metrics cost about 47; the other variant's answer has other words and other claims."""
    retrieved = chunks("c1", "c2", "c3", "c4", "c5")
    ledger = Ledger(judge(REPLIES))
    first = asked_of(output(answer=answer, retrieved=retrieved, **FIVE_CITED), ledger)
    other = answer.replace("One", "Uno").replace("Five", "Cinque")
    second = asked_of(output(answer=other, retrieved=retrieved, **FIVE_CITED), ledger)
    assert first.total() <= 12
    assert second.total() <= 7


def test_the_default_set_costs_what_the_opt_in_gradings_do_not() -> None:
    """Two gradings less; noise sensitivity asks nothing that is not asked anyway."""
    retrieved = chunks("c1", "c2", "c3", "c4", "c5")
    fields = {"answer": ONE_EACH, "retrieved": retrieved, **FIVE_CITED}
    default = tuple(metric for metric in choose(None) if metric.asks_judge(True))
    assert asked_of(output(**fields), Ledger(judge(REPLIES)), default).total() == 10


def test_eleven_claims_are_two_questions() -> None:
    """At most ten claims a question, and the room of a reply follows how many are asked for."""
    ledger = Ledger(judge({**REPLIES, "claims": claims(*(f"r{n}" for n in range(11)))}))
    asked_of(output(), ledger, tuple(choose(["context_recall"])))
    sizes = [len(call.prompt.ids) for call in ledger.asked if call.prompt.prompt == "claim_support"]
    assert sizes == [10, 1]
    rooms = [call.prompt.room(2_048) for call in ledger.asked if call.prompt.prompt == "claim_support"]
    assert rooms == [256 + 128 * 10, 256 + 128]
    assert all(call.prompt.room(100) == 100 for call in ledger.asked)


def test_checks_by_the_same_contexts_begin_alike() -> None:
    """Rules, schema and contexts are the same to the letter; the claims come last, so prefix caches hit."""
    many = claims(*(f"r{n}" for n in range(13)))
    ledger = Ledger(judge({"claims": many}))
    asked_of(output(), ledger, tuple(choose(["context_recall"])))
    first, second = (call.prompt for call in ledger.asked if call.prompt.prompt == "claim_support")
    assert first.system_message(with_schema=True) == second.system_message(with_schema=True)
    assert first.reply_schema == second.reply_schema
    common = first.data.partition('"claims"')[0]
    assert '"contexts"' in common
    assert second.data.startswith(common)


def test_unanswerable_cases_ask_nothing_of_source_b() -> None:
    """Its judged metrics score answerable cases alone."""
    ledger = Ledger(judge(REPLIES))
    asyncio.run(judge_case(EVERY, case(CaseKind.UNANSWERABLE), output(), JUDGED, ledger))
    prompts = {call.prompt.prompt for call in ledger.asked}
    assert prompts == {"refusal", "groundedness", "citation_support", "answer_relevance", "completeness"}
