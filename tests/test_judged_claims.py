"""Judged metrics of source B: which verdicts make which number, worked by hand, and which are no number."""

from __future__ import annotations

from typing import Any

import pytest

from ragproof.cases import CaseKind
from ragproof.catalogue import catalogue
from ragproof.evidence import Settings
from ragproof.outputs import Chunk
from ragproof.scores import JudgeFailed, Measured, NotApplicable, Scored, Skipped
from tests.fakes.claim_scripts import (
    Reply,
    answer_claims,
    claims,
    judge,
    supporting,
    useful,
)
from tests.fakes.evidence import case, chunks, output
from tests.fakes.scripted_judge import measured

JUDGED = Settings(judge_configured=True)
FAITHFUL, CORRECT, NOISE = "faithfulness", "factual_correctness", "noise_sensitivity"
RECALL, PRECISION, RELEVANCE = "context_recall", "context_precision", "context_relevance"
CITED_RECALL, CITED_PRECISION = "citation_recall", "citation_precision"
EVERY = (FAITHFUL, CORRECT, NOISE, RECALL, PRECISION, RELEVANCE, CITED_RECALL, CITED_PRECISION)
OF_THE_ANSWER = (FAITHFUL, CORRECT, NOISE, CITED_RECALL, CITED_PRECISION)

DECLINES = NotApplicable(reason="the answer declines")
NO_CLAIM = NotApplicable(reason="the answer makes no factual claim")
NO_REFERENCE_CLAIM = NotApplicable(reason="the reference makes no factual claim")
UNSHOWN = Skipped(reason="adapter does not expose retrieval")
REFUSES = {"answer": "I don't know."}
NO_CONTEXT: dict[str, Any] = {"retrieved": ()}
BLANK: dict[str, Any] = {"retrieved": (Chunk(id="c1", text=" \n"),)}
FIVE = {"retrieved": chunks("c1", "c2", "c3", "c4", "c5")}
TEN = {f"a{n}": "k1" for n in range(10)}


def value(number: float) -> Scored:
    """Return the outcome with a number."""
    return Scored(value=number)


TABLE: list[tuple[str, str, dict[str, Any], dict[str, Reply], Measured]] = [
    # why, metric, output, replies by prompt, outcome
    (
        "two of three claims",
        FAITHFUL,
        FIVE,
        {"groundedness": answer_claims(a="k1", b="", c="k2")},
        value(2 / 3),
    ),
    ("all of them are exactly 1", FAITHFUL, FIVE, {"groundedness": answer_claims(**TEN)}, value(1.0)),
    ("no claim is not 0", FAITHFUL, FIVE, {"groundedness": claims()}, NO_CLAIM),
    ("claims but no context", FAITHFUL, NO_CONTEXT, {"groundedness": "no call"}, value(0.0)),
    ("claims but blank context", FAITHFUL, BLANK, {"groundedness": "no call"}, value(0.0)),
    ("reads the context, not the ranking", FAITHFUL, {**FIVE, "context": ()}, {}, value(0.0)),
    ("useful first", PRECISION, {}, {"context_usefulness": useful(1, 0)}, value(1.0)),
    ("useful second", PRECISION, {}, {"context_usefulness": useful(0, 1)}, value(0.5)),
    (
        "the mean of precision at useful ranks",
        PRECISION,
        FIVE,
        {"context_usefulness": useful(1, 0, 1, 0, 1)},
        value((1 / 1 + 2 / 3 + 3 / 5) / 3),
    ),
    ("all useful is exactly 1", PRECISION, FIVE, {"context_usefulness": useful(1, 1, 1, 1, 1)}, value(1.0)),
    ("none useful", PRECISION, FIVE, {"context_usefulness": useful(0, 0, 0, 0, 0)}, value(0.0)),
    ("none retrieved", PRECISION, NO_CONTEXT, {"context_usefulness": "no call"}, value(0.0)),
    ("blank text is of no use", PRECISION, BLANK, {"context_usefulness": "no call"}, value(0.0)),
    (
        "a blank chunk keeps its rank",
        PRECISION,
        {"retrieved": (Chunk(id="b", text=" "), *chunks("c1"))},
        {"context_usefulness": useful(1)},
        value(0.5),
    ),
    (
        "the rank is the ranking's, not the order of reading",
        PRECISION,
        {"retrieved": chunks("c1", "c2"), "context": chunks("c2", "c1")},
        {
            "context_usefulness": lambda data: useful(*("c1" in each["text"] for each in data["contexts"]))(
                data
            )
        },
        value(1.0),
    ),
    (
        "a chunk that comes twice counts once",
        PRECISION,
        {"retrieved": chunks("c1", "c1", "c2")},
        {"context_usefulness": useful(0, 1)},
        value(0.5),
    ),
    ("without retrieval", PRECISION, {"retrieved": None}, {}, UNSHOWN),
    (
        "one of two reference claims",
        RECALL,
        {},
        {"claims": claims("r1", "r2"), "claim_support": supporting("r1")},
        value(0.5),
    ),
    (
        "both are exactly 1",
        RECALL,
        {},
        {"claims": claims("r1", "r2"), "claim_support": supporting("r1", "r2")},
        value(1.0),
    ),
    ("no context", RECALL, NO_CONTEXT, {"claims": "no call"}, value(0.0)),
    ("blank context", RECALL, BLANK, {"claims": "no call"}, value(0.0)),
    ("without retrieval", RECALL, {"retrieved": None}, {}, UNSHOWN),
    ("a reference without claims", RECALL, {}, {"claims": claims()}, NO_REFERENCE_CLAIM),
    (
        "needs no answer",
        RECALL,
        {"answer": None},
        {"claims": claims("r"), "claim_support": supporting("r")},
        value(1.0),
    ),
    (
        "ten right claims do not outweigh half of the reference: 2 * 1 * 0.5 / 1.5",
        CORRECT,
        {},
        {
            "groundedness": answer_claims(**TEN),
            "claims": claims("r1", "r2"),
            "claim_support": supporting(*TEN, "r1"),
        },
        value(2 * 1 * 0.5 / (1 + 0.5)),
    ),
    (
        "everything on both sides is exactly 1",
        CORRECT,
        {},
        {
            "groundedness": answer_claims(a="", b=""),
            "claims": claims("r1"),
            "claim_support": supporting("a", "b", "r1"),
        },
        value(1.0),
    ),
    (
        "nothing on either side",
        CORRECT,
        {},
        {"groundedness": answer_claims(a="k1"), "claims": claims("r"), "claim_support": supporting()},
        value(0.0),
    ),
    (
        "an answer without claims where the reference has some",
        CORRECT,
        {},
        {"groundedness": claims(), "claims": claims("r1"), "claim_support": "no call"},
        value(0.0),
    ),
    ("a reference without claims", CORRECT, {}, {"claims": claims()}, NO_REFERENCE_CLAIM),
    (
        "needs no context",
        CORRECT,
        {"retrieved": None, "answer": "Paris."},
        {
            "claims": lambda data: claims("a" if data["text"] == "Paris." else "r"),
            "claim_support": supporting("a", "r"),
        },
        value(1.0),
    ),
    ("a refusal of an answerable question", CORRECT, REFUSES, {"claims": "no call"}, value(0.0)),
    (
        "wrong and supported, over all claims; right or unsupported ones are no noise",
        NOISE,
        {},
        {
            "groundedness": answer_claims(wrong="k2", right="k1", invented="", odd="k1 k2"),
            "context_usefulness": useful(1, 0),
            "claim_support": supporting("right"),
        },
        value(2 / 4),
    ),
    ("no claim", NOISE, {}, {"groundedness": claims()}, NO_CLAIM),
    ("no context has no noise", NOISE, NO_CONTEXT, {"groundedness": "no call"}, value(0.0)),
    (
        "all noise is exactly 1",
        NOISE,
        {},
        {"groundedness": answer_claims(a="k1"), "claim_support": supporting()},
        value(1.0),
    ),
    ("2 and 2", RELEVANCE, {}, {}, value(1.0)),
    ("2 and 1", RELEVANCE, {}, {"context_relevance": {"rating": 1}}, value((2 + 1) / 4)),
    (
        "0 and 0",
        RELEVANCE,
        {},
        {name: {"rating": 0} for name in ("context_relevance", "context_sufficiency")},
        value(0.0),
    ),
    ("no context", RELEVANCE, NO_CONTEXT, {"context_relevance": "no call"}, value(0.0)),
    ("without retrieval", RELEVANCE, {"retrieved": None}, {}, UNSHOWN),
    *(
        (f"{key} of a refusal", key, REFUSES, {}, DECLINES)
        for key in (FAITHFUL, NOISE, CITED_RECALL, CITED_PRECISION)
    ),
    *(
        (f"{key} of no answer", key, {"answer": None}, {}, Skipped(reason="adapter produced no answer"))
        for key in OF_THE_ANSWER
    ),
]


@pytest.mark.parametrize(
    ("why", "metric", "fields", "replies", "expected"), TABLE, ids=[f"{row[1]}: {row[0]}" for row in TABLE]
)
def test_verdicts_make_a_number_or_a_reason(
    why: str, metric: str, fields: dict[str, Any], replies: dict[str, Reply], expected: Measured
) -> None:
    """Counted by us, over what was asked."""
    score = measured(catalogue().by_key[metric], case(), output(**fields), JUDGED, judge(replies))
    assert score.result == expected, why


@pytest.mark.parametrize("metric", EVERY)
@pytest.mark.parametrize("kind", [CaseKind.UNANSWERABLE, CaseKind.INJECTION])
def test_other_kinds_than_answerable_ones_are_skipped(metric: str, kind: CaseKind) -> None:
    """As source B says; nothing is asked."""
    asked = judge({})
    score = measured(catalogue().by_key[metric], case(kind), output(), JUDGED, asked)
    assert score.result == Skipped(reason="applies to qa cases only")
    assert asked.calls == []


@pytest.mark.parametrize("metric", [CORRECT, NOISE, RECALL, PRECISION])
def test_a_case_without_a_reference_is_skipped(metric: str) -> None:
    """Source A's sentence; nothing is asked."""
    asked = judge({})
    score = measured(catalogue().by_key[metric], case(expected_answers=()), output(), JUDGED, asked)
    assert score.result == Skipped(reason="case has no expected_answer")
    assert asked.calls == []


@pytest.mark.parametrize("metric", EVERY)
def test_without_a_judge_there_is_no_number(metric: str) -> None:
    """Absent, and not 0."""
    score = measured(catalogue().by_key[metric], case(), output(), Settings())
    assert score.result == Skipped(reason="no judge is configured; set RAGPROOF_JUDGE_MODEL")


def test_the_mixed_number_of_ragas_is_a_detail_alone() -> None:
    """2 tp / (2 tp + fp + fn) = 20 / (20 + 0 + 1), where the two sides kept apart give 0.667."""
    replies: dict[str, Reply] = {
        "groundedness": answer_claims(**TEN),
        "claims": claims("r1", "r2"),
        "claim_support": supporting(*TEN, "r1"),
    }
    score = measured(catalogue().by_key[CORRECT], case(), output(), JUDGED, judge(replies))
    assert (score.details["precision"], score.details["recall"]) == (1.0, 0.5)
    assert score.details["ragas_f1"] == 20 / 21


def test_noise_is_parted_by_the_contexts_that_are_useful() -> None:
    """A context useful for the reference that misleads, and one that has no business there."""
    replies: dict[str, Reply] = {
        "groundedness": answer_claims(a="k1", b="k2", c="k1 k2", d=""),
        "context_usefulness": useful(1, 0),
        "claim_support": supporting(),
    }
    score = measured(catalogue().by_key[NOISE], case(), output(), JUDGED, judge(replies))
    assert score.value == 3 / 4
    assert (score.details["relevant"], score.details["irrelevant"]) == (2 / 4, 1 / 4)


def test_support_that_the_judge_attributes_to_no_context_is_counted() -> None:
    """The claim is supported all the same, by no context known to be relevant."""
    reply = {"claims": [{"text": "a", "quote": "", "contexts": [], "verdict": "supported"}]}
    replies: dict[str, Reply] = {"groundedness": reply, "claim_support": supporting()}
    score = measured(catalogue().by_key[NOISE], case(), output(), JUDGED, judge(replies))
    assert (score.value, score.details["irrelevant"], score.details["unattributed"]) == (1.0, 1.0, 1)


def test_one_of_two_gradings_alone_is_no_score() -> None:
    """RAGAS goes on with the other."""
    for prompt in ("context_relevance", "context_sufficiency"):
        score = measured(catalogue().by_key[RELEVANCE], case(), output(), JUDGED, judge({prompt: "maybe"}))
        assert isinstance(score.result, JudgeFailed)


def test_faithfulness_and_groundedness_are_one_computation() -> None:
    """Two keys of the same measure, asked once."""
    by_key = catalogue().by_key
    assert by_key[FAITHFUL].judged is by_key["generation.groundedness"].judged
