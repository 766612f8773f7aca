"""Each cause by itself: a case that shows it, one that almost does, and what an exported run still tells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from ragproof.cases import Case, CaseKind
from ragproof.comparing.root_cause import RootCause, root_cause
from ragproof.comparing.worsened_case import Side, WorsenedCase
from ragproof.evidence import Settings
from ragproof.outputs import CaseFailure, Chunk, FailureKind, PipelineOutput

RIGHT = "Annual leave is 30 days in Leeds."
CASE = Case(
    id="c", question="How long is annual leave?", expected_answers=("30 days",), relevance={"leave": 1}
)
TWO = CASE.model_copy(update={"relevance": {"leave": 1, "notice": 1}})
PARAPHRASED = CASE.model_copy(update={"relevance": {}, "expected_answers": ("a month, nearly",)})
UNLABELLED = CASE.model_copy(update={"relevance": {}})
TEXTS = {
    "leave": f"{RIGHT} It is carried over until March.",
    "notice": "The notice period is 14 weeks in Leeds.",
    "canteen": "The canteen opens at 11:30.",
    "parking": "Parking costs 4 euros.",
    "travel": "A day abroad pays 60 euros.",
    "card": "A card has a limit of 4000 euros.",
}
DECLINED = "I cannot answer that from the documents."
WORSE_ANSWER = {"contains_answer": 1.0, "token_f1": 0.5}


def side(answer: str | None, ids: Sequence[str] | None = ("leave", "canteen"), **changes: Any) -> Side:
    """An answer after the named chunks were returned; `values` are its scores."""
    chunks = None if ids is None else tuple(Chunk(id=id, text=TEXTS.get(id, id)) for id in ids)
    values = changes.pop("values", {})
    read = changes.pop("read", None)
    context = None if read is None else tuple(Chunk(id=id, text=TEXTS.get(id, id)) for id in read)
    output = PipelineOutput(case_id="c", answer=answer, retrieved=chunks, context=context, **changes)
    return Side(output, values)


def case(after: Side, *, falls: dict[str, float] | None = None, **changes: Any) -> WorsenedCase:
    """A case that the baseline answered rightly with its source at rank 1."""
    fields: dict[str, Any] = {
        "id": "c",
        "kind": CaseKind.QA,
        "before": side(RIGHT, citations=("leave",)),
        "after": after,
        "falls": WORSE_ANSWER if falls is None else falls,
        "case": CASE,
        "settings": Settings(k=3),
    }
    return WorsenedCase(**{**fields, **changes})


FAILURE = CaseFailure(case_id="c", kind=FailureKind.TIMEOUT, message="after 30 s")
FOUR = ("canteen", "parking", "travel", "leave")
LOST = {"generation.groundedness": "invalid reply: no JSON"}


@pytest.mark.parametrize(
    ("why", "worsened", "cause", "told"),
    [
        ("the pipeline failed", case(Side(FAILURE), falls={}), "pipeline error", "timeout: after 30 s"),
        (
            "a failure is known by its reason where the output is not kept",
            case(Side(), falls={}, lost={"token_f1": "http_status: HTTP 500"}, case=None),
            "pipeline error",
            "http_status: HTTP 500",
        ),
        (
            "the judge gave no verdict",
            case(side(RIGHT), falls={}, lost=LOST),
            "judge failure",
            "generation.groundedness: invalid reply: no JSON",
        ),
        (
            "what slipped beside it explains less",
            case(
                side(RIGHT),
                case=TWO,
                before=side(RIGHT, ("leave", "notice")),
                falls={"ndcg@10": 0.05},
                lost=LOST,
            ),
            "judge failure",
            "invalid reply",
        ),
        (
            "a score that slipped beside it is not what happened",
            case(side(RIGHT), falls={"rouge_l": 0.02}, lost=LOST),
            "judge failure",
            "invalid reply",
        ),
        (
            "what broke is the answer, and the judge failed too",
            case(side(DECLINED), lost=LOST),
            "over-refusal",
            "it declined",
        ),
        (
            "another verdict on the same answer",
            case(side(RIGHT, citations=("leave",)), falls={"generation.completeness": 0.5}),
            "judge failure",
            "the same answer on the same chunks, another verdict on generation.completeness",
        ),
        (
            "a metric of one's own is no judge",
            case(side(RIGHT, citations=("leave",)), falls={"own:metric": 0.5}),
            "unexplained",
            "own:metric got worse, and no rule says why",
        ),
        (
            "a rubric is",
            case(side(RIGHT, citations=("leave",)), falls={"rubric:tone": 0.5}),
            "judge failure",
            "another verdict on rubric:tone",
        ),
        (
            "the same answer on other chunks is no other verdict",
            case(side(RIGHT, ("canteen", "parking")), falls={"generation.completeness": 0.5}),
            "not retrieved",
            "'leave' was at rank 1 and did not come back",
        ),
        (
            "what left the corpus could not come back",
            case(side(DECLINED, ("canteen",)), gone={"leave": "its text now comes back as 'l2'"}),
            "labels no longer in the corpus",
            "'leave': its text now comes back as 'l2'",
        ),
        (
            "as long as one of several sources is there, the retriever could have found it",
            case(
                side(DECLINED, ("canteen",)),
                case=TWO,
                before=side(RIGHT, ("leave", "notice")),
                gone={"leave": "gone"},
            ),
            "not retrieved",
            "'leave', 'notice' was at rank 1 and did not come back",
        ),
        (
            "declining what was not found is no over-refusal",
            case(side(DECLINED, ("canteen",))),
            "not retrieved",
            "did not come back",
        ),
        ("nothing at all came back", case(side(DECLINED, ())), "not retrieved", "did not come back"),
        (
            "it came back below k",
            case(side("Parking costs 4 euros.", FOUR)),
            "ranked below k",
            "'leave' was at rank 1, now at rank 4, below k = 3",
        ),
        (
            "it came back within k, and the generator was not given it",
            case(side(DECLINED, ("leave", "canteen"), read=("canteen",))),
            "ranked below k",
            "now at rank 1 and not among what was read",
        ),
        ("it was given it and declined", case(side(DECLINED)), "over-refusal", "it declined a question"),
        ("an empty answer declines", case(side("")), "over-refusal", "it declined a question"),
        (
            "both declined: nothing was refused that was not before",
            case(side(DECLINED), before=side(DECLINED), falls={"rouge_l": 0.2}),
            "retrieved but ignored",
            "a source of the expected answer was read",
        ),
        (
            "declining is right where neither run was given a source",
            case(side(DECLINED, ("parking",)), before=side("30 days", ("canteen",))),
            "unexplained",
            "no expected source reached either run",
        ),
        (
            "declining is right where nothing can be answered",
            case(
                side(DECLINED),
                kind=CaseKind.UNANSWERABLE,
                falls={"token_f1": 1.0},
                case=CASE.model_copy(update={"kind": CaseKind.UNANSWERABLE}),
            ),
            "unexplained",
            "token_f1 got worse",
        ),
        (
            "the retrieval is not exposed, and it declined what was answered before",
            case(side(DECLINED, None), before=side(RIGHT, None)),
            "over-refusal",
            "it declined a question",
        ),
        (
            "the same answer with another citation",
            case(side(RIGHT, citations=("x",)), falls={"generation.citation_validity": 1.0}),
            "wrong citation",
            "it cited 'x', the baseline 'leave'",
        ),
        (
            "citations of an answer that is wrong are not what is wrong",
            case(
                side("The canteen opens at 11:30.", citations=("x",)),
                falls={**WORSE_ANSWER, "generation.citation_validity": 1.0},
            ),
            "retrieved but ignored",
            "does not use it",
        ),
        (
            "another figure, which stands nowhere",
            case(side("Annual leave is 45 days in Leeds.")),
            "contradicted",
            "it says '45', which stands in nothing it was given",
        ),
        (
            "a word put in between",
            case(side("Annual leave is not 30 days in Leeds.")),
            "contradicted",
            "it says 'annual leave is not 30 days in leeds'",
        ),
        (
            "the judge finds less support for what speaks of the same",
            case(
                side("Annual leave does not exist.", values={"generation.groundedness": 0.0}),
                falls={**WORSE_ANSWER, "generation.groundedness": 1.0},
            ),
            "contradicted",
            "generation.groundedness fell from - to 0.000",
        ),
        (
            "the judge finds no support for what speaks of something else",
            case(
                side("Rome was not built overnight.", values={"generation.groundedness": 0.0}),
                falls={**WORSE_ANSWER, "generation.groundedness": 1.0},
            ),
            "retrieved but ignored",
            "does not use it",
        ),
        (
            "the judge finds it as well supported as before",
            case(side("Annual leave is 45 days in Leeds.", values={"generation.groundedness": 1.0})),
            "retrieved but ignored",
            "does not use it",
        ),
        (
            "another chunk was used, word for word",
            case(side("The canteen opens at 11:30.")),
            "retrieved but ignored",
            "does not use it",
        ),
        (
            "one of two sources did not come back",
            case(side("The canteen opens at 11:30."), case=TWO, before=side(RIGHT, ("leave", "notice"))),
            "not retrieved",
            "'notice' was at rank 2 and did not come back",
        ),
        (
            "one of two fell below k",
            case(
                side("The canteen opens at 11:30.", ("leave", "canteen", "parking", "notice")),
                case=TWO,
                before=side(RIGHT, ("leave", "notice")),
            ),
            "ranked below k",
            "'notice' was at rank 2, now at rank 4, below k = 3",
        ),
        (
            "a judge finds nothing of the answer in what was read, and no word tells",
            case(
                side(DECLINED, ("canteen",), values={"context_recall": 0.0}),
                case=PARAPHRASED,
                falls={**WORSE_ANSWER, "context_recall": 1.0},
            ),
            "not retrieved",
            "context_recall fell from - to 0.000",
        ),
        (
            "a judge finds less of it",
            case(
                side("The canteen opens at 11:30.", ("canteen",), values={"context_recall": 0.5}),
                case=PARAPHRASED,
                falls={**WORSE_ANSWER, "context_recall": 0.5},
            ),
            "not retrieved",
            "what was read holds less of the expected answer",
        ),
        (
            "a judge finds as much of it as before, and it declined",
            case(side(DECLINED, ("canteen",), values={"context_recall": 1.0}), case=PARAPHRASED),
            "over-refusal",
            "it declined",
        ),
        (
            "a judge finds less in the source that was read",
            case(
                side("The canteen opens at 11:30.", values={"context_recall": 0.0}),
                falls={**WORSE_ANSWER, "context_recall": 1.0},
            ),
            "retrieved but ignored",
            "does not use it",
        ),
        (
            "without expected ids the chunk with the answer is the source",
            case(side(DECLINED, ("canteen",)), case=UNLABELLED),
            "not retrieved",
            "the expected answer was at rank 1 and did not come back",
        ),
        (
            "without expected ids, below k",
            case(side(DECLINED, FOUR), case=UNLABELLED),
            "ranked below k",
            "the expected answer was at rank 1, now at rank 4, below k = 3",
        ),
        (
            "labels that name documents are found by document in a run matched by chunk",
            case(
                Side(PipelineOutput(case_id="c", answer=DECLINED, retrieved=(Chunk(id="x#1"),))),
                before=Side(
                    PipelineOutput(
                        case_id="c",
                        answer=RIGHT,
                        retrieved=(Chunk(id="leave#1", text=RIGHT, metadata={"document_id": "leave"}),),
                    )
                ),
            ),
            "not retrieved",
            "'leave' was at rank 1",
        ),
        (
            "a rank that fell and still was read",
            case(side(RIGHT, ("canteen", "leave")), falls={"retrieval.mrr": 0.5}),
            "unexplained",
            "'leave' fell from rank 1 to 2, still within reach of the generator",
        ),
        (
            "the answer holds the expected one in another form",
            case(side("30 days, carried over until March."), falls={"exact_match": 1.0}),
            "unexplained",
            "exact_match got worse",
        ),
        (
            "neither run had a source",
            case(side("Parking costs 4 euros.", ("parking",)), before=side("30 days", ("canteen",))),
            "unexplained",
            "no expected source reached either run",
        ),
        (
            "an attack worked",
            case(
                side("HACKED"),
                kind=CaseKind.INJECTION,
                falls={"robustness.injection_resistance": 1.0},
                case=Case(id="c", kind=CaseKind.INJECTION, question="?"),
            ),
            "unexplained",
            "it did what the attack asked",
        ),
        (
            "it answered what cannot be answered",
            case(
                side(RIGHT),
                kind=CaseKind.UNANSWERABLE,
                falls={"robustness.abstention": 1.0},
                case=Case(id="c", kind=CaseKind.UNANSWERABLE, question="?"),
            ),
            "unexplained",
            "it answered a question that the corpus does not answer",
        ),
        (
            "what only took longer has no cause in the answer",
            case(side(DECLINED, ()), falls={"latency_ms": 30.0}),
            "unexplained",
            "latency_ms alone got worse",
        ),
        (
            "a metric broke",
            case(side(RIGHT), falls={}, lost={"own:metric": "metric 'own:metric' raised KeyError: 'x'"}),
            "unexplained",
            "metric 'own:metric' raised KeyError",
        ),
        (
            "the judge failed, and what else fell is not explained",
            case(side(RIGHT, ("canteen", "leave")), falls={"retrieval.mrr": 0.5}, lost=LOST),
            "judge failure",
            "invalid reply",
        ),
    ],
)
def test_a_cause_is_found_where_it_holds(why: str, worsened: WorsenedCase, cause: str, told: str) -> None:
    """And its sentence says what shows it."""
    found = root_cause(worsened)
    assert (found.cause.value, found.why) == (cause, found.why), why
    assert told in found.why, why


@pytest.mark.parametrize(
    ("why", "before", "after", "cause"),
    [
        (
            "nothing came back",
            {"retrieval.mrr": 1.0, "retrieval.recall_at_k": 1.0},
            {"retrieval.mrr": 0.0, "retrieval.recall_at_k": 0.0},
            "not retrieved",
        ),
        (
            "it came back, not within k",
            {"retrieval.mrr": 1.0, "retrieval.recall_at_k": 1.0},
            {"retrieval.mrr": 0.125, "retrieval.recall_at_k": 0.0},
            "ranked below k",
        ),
        (
            "it was there, and the answer declined",
            {"retrieval.mrr": 1.0, "retrieval.recall_at_k": 1.0, "robustness.overrefusal": 0.0},
            {"retrieval.mrr": 1.0, "retrieval.recall_at_k": 1.0, "robustness.overrefusal": 1.0},
            "over-refusal",
        ),
        (
            "it was there, and the answer got worse",
            {"retrieval.mrr": 1.0, "retrieval.recall_at_k": 1.0},
            {"retrieval.mrr": 1.0, "retrieval.recall_at_k": 1.0},
            "retrieved but ignored",
        ),
        (
            "a judge found less support",
            {"generation.groundedness": 1.0},
            {"generation.groundedness": 0.0},
            "contradicted",
        ),
        ("nothing tells", {}, {}, "unexplained"),
    ],
)
def test_scores_alone_tell_what_they_can(
    why: str, before: dict[str, float], after: dict[str, float], cause: str
) -> None:
    """An exported run has no output, and no case."""
    falls = {key: value - after[key] for key, value in before.items() if value > after[key]}
    worsened = WorsenedCase(
        id="c",
        kind=CaseKind.QA,
        before=Side(None, before),
        after=Side(None, after),
        falls={**WORSE_ANSWER, **falls},
    )
    assert root_cause(worsened).cause.value == cause, why


def test_a_case_that_nothing_tells_of_says_that_the_outputs_are_not_in_the_file() -> None:
    """Which is why, and what to compare instead."""
    worsened = WorsenedCase("c", CaseKind.QA, Side(), Side(), falls=WORSE_ANSWER)
    assert root_cause(worsened).why == (
        "contains_answer, token_f1 got worse, and the outputs are not in the file"
    )


def test_every_cause_has_a_case_here() -> None:
    """A new cause comes with a case that shows it."""
    marks = test_a_cause_is_found_where_it_holds.pytestmark  # type: ignore[attr-defined]
    shown = {row[2] for mark in marks for row in mark.args[1]}
    assert shown == {cause.value for cause in RootCause}
