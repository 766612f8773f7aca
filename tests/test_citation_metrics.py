"""Citation recall and precision (ALCE), worked by hand: which verdicts on sources make which number."""

from __future__ import annotations

from typing import Any

import pytest

from ragproof.catalogue import catalogue
from ragproof.evidence import Settings, SourceMatch
from ragproof.outputs import Chunk
from ragproof.scores import JudgeFailed, Measured, Scored, Skipped
from tests.fakes.claim_scripts import Reply, claims, entailing, judge
from tests.fakes.evidence import case, chunks, output
from tests.fakes.obliging_judge import verdicts
from tests.fakes.scripted_judge import measured

JUDGED = Settings(judge_configured=True)
CITED_RECALL, CITED_PRECISION, SUPPORT = (
    "citation_recall",
    "citation_precision",
    "generation.citation_support",
)
UNSHOWN = Skipped(reason="adapter does not expose retrieval")
UNCITED = Skipped(reason="answer has no citations")
FIVE = {"retrieved": chunks("c1", "c2", "c3", "c4", "c5")}


def value(number: float) -> Scored:
    """Return the outcome with a number."""
    return Scored(value=number)


TABLE: list[tuple[str, str, dict[str, Any], dict[str, Reply], Measured]] = [
    # why, metric, output, replies by prompt, outcome
    (
        "two half-supporting sources entail the sentence together",
        CITED_RECALL,
        {**FIVE, "answer": "Red and old [1][2]."},
        {"citation_check": entailing("k1 k2")},
        value(1.0),
    ),
    (
        "and neither is needless",
        CITED_PRECISION,
        {**FIVE, "answer": "Red and old [1][2]."},
        {"citation_check": entailing("k1 k2")},
        value(1.0),
    ),
    (
        "one that supports nothing beside one that suffices",
        CITED_PRECISION,
        {**FIVE, "answer": "Red [1][2]."},
        {"citation_check": entailing("k1 k2", "k1")},
        value(0.5),
    ),
    (
        "of three the last is needless: the other two suffice",
        CITED_PRECISION,
        {**FIVE, "answer": "Red and old [1][2][3]."},
        {"citation_check": entailing("k1 k2 k3", "k1 k2")},
        value(2 / 3),
    ),
    (
        "a sentence that is not entailed needs none of its citations",
        CITED_PRECISION,
        {**FIVE, "answer": "Red [1]. Old [2]."},
        {"citation_check": entailing("k1")},
        value(0.5),
    ),
    (
        "an uncited sentence is not entailed",
        CITED_RECALL,
        {**FIVE, "answer": "Red [1]. Old."},
        {"citation_check": entailing("k1")},
        value(0.5),
    ),
    (
        "[0] and [9] of 5 stay in the denominator",
        CITED_PRECISION,
        {**FIVE, "answer": "Red [0][9][1]."},
        {"citation_check": entailing("k1")},
        value(1 / 3),
    ),
    (
        "and do not keep the sentence from being entailed",
        CITED_RECALL,
        {**FIVE, "answer": "Red [0][9][1]."},
        {"citation_check": entailing("k1")},
        value(1.0),
    ),
    (
        "places never wrap: all of them invalid costs no call",
        CITED_RECALL,
        {**FIVE, "answer": "Red [0]. Old [-1] [6].", "citations": None},
        {"citation_check": "no call"},
        value(0.0),
    ),
    (
        "what the adapter cites, where the text has no marks, is cited by every sentence",
        CITED_RECALL,
        {**FIVE, "answer": "Red. Old.", "citations": ("c2",)},
        {"citation_check": entailing("k2")},
        value(1.0),
    ),
    (
        "a bracket that is no citation does not hide them",
        CITED_PRECISION,
        {**FIVE, "answer": "Red since [2019].", "citations": ("c2",)},
        {"citation_check": entailing("k2")},
        value(1.0),
    ),
    (
        "marks that are the adapter's own ids",
        CITED_PRECISION,
        {**FIVE, "answer": "Red [c2]. Old [c4].", "citations": ("c2", "c4")},
        {"citation_check": entailing("k2")},
        value(0.5),
    ),
    (
        "a source that was retrieved and not read",
        CITED_PRECISION,
        {
            "retrieved": chunks("c1", "c2"),
            "context": chunks("c1"),
            "answer": "Red [c2].",
            "citations": ("c2",),
        },
        {"citation_check": entailing("k2")},
        value(1.0),
    ),
    ("nothing cited", CITED_RECALL, {"citations": ()}, {"refusal": "no call"}, UNCITED),
    (
        "nothing cited is no precision of 0",
        CITED_PRECISION,
        {"citations": None},
        {"refusal": "no call"},
        UNCITED,
    ),
    ("without retrieval", CITED_RECALL, {"retrieved": None}, {}, UNSHOWN),
]


@pytest.mark.parametrize(
    ("why", "metric", "fields", "replies", "expected"), TABLE, ids=[f"{row[1]}: {row[0]}" for row in TABLE]
)
def test_verdicts_on_sets_of_sources_make_a_number(
    why: str, metric: str, fields: dict[str, Any], replies: dict[str, Reply], expected: Measured
) -> None:
    """The judge says what supports what; which citation is needed is our arithmetic."""
    score = measured(catalogue().by_key[metric], case(), output(**fields), JUDGED, judge(replies))
    assert score.result == expected, why


def test_citations_have_counters_for_what_departs_from_the_published_code() -> None:
    """Of nothing, none at all, needless, past the cap; each citation can be followed."""
    fields = {**FIVE, "answer": "Red [9][1][2]. Old. Big [1][2][3][4]."}
    replies: dict[str, Reply] = {"citation_check": entailing("k1 k2", "k1", "k1 k2 k3", "k2 k3")}
    score = measured(catalogue().by_key[CITED_PRECISION], case(), output(**fields), JUDGED, judge(replies))
    # of the first sentence k2 is needless, of the last k1 supports alone, k2 not: k1 and k3 do not suffice
    assert score.value == (1 + 2) / 6
    counters = ("invalid_citations", "uncited_sentences", "overcited", "citations_past_cap")
    assert [score.details[name] for name in counters] == [1, 1, 2, 1]
    sentences = score.details["sentences"]
    assert isinstance(sentences, list)
    assert sentences[0] == {
        "text": "Red.",
        "entailed": True,
        "citations": [
            {"id": "9", "valid": False, "needed": False},
            {"id": "c1", "valid": True, "needed": True},
            {"id": "c2", "valid": True, "needed": False},
        ],
    }


def test_the_cap_of_three_citations_can_be_lifted() -> None:
    """Then every citation of the sentence is judged."""
    fields = {**FIVE, "answer": "Red [1-5]."}
    lifted = Settings(judge_configured=True, cap_citations=False)
    for settings, sources in ((JUDGED, 3), (lifted, 5)):
        asked = judge({})
        score = measured(catalogue().by_key[CITED_PRECISION], case(), output(**fields), settings, asked)
        (data,) = asked.asked("citation_check")
        assert len(data["sources"]) == sources
        assert score.details["citations_past_cap"] == 5 - sources


QUOTES = Settings(judge_configured=True, require_quotes=True)


def test_where_quotes_are_required_a_verdict_without_one_supports_nothing() -> None:
    """Of a claim, a context and a cited sentence alike; with the passage it counts."""
    for quote, expected in (("made up", 0.0), ("text of c1", 1.0)):
        said = {"quote": quote, "verdict": "supported"}
        yes = {"quote": quote, "verdict": "yes"}
        replies: dict[str, Reply] = {
            "claims": claims("r"),
            "claim_support": {"verdicts": [{"id": "c1", **said}]},
            "context_usefulness": {"verdicts": [{"id": "k1", **yes}]},
            "citation_check": {"verdicts": [{"id": "v1", **said}]},
        }
        fields = {"retrieved": chunks("c1"), "answer": "Red [1]."}
        for key in ("context_recall", "context_precision", CITED_RECALL, CITED_PRECISION):
            score = measured(catalogue().by_key[key], case(), output(**fields), QUOTES, judge(replies))
            assert score.value == expected, key


MARKED = {**FIVE, "answer": "Red [1]. Old [2].", "citations": ("c1", "c2")}


def test_an_answer_that_cites_by_number_is_asked_about_once_for_three_metrics() -> None:
    """Citation support is counted from the verdicts on the sentences: c1 has support, c2 has none."""
    asked = judge({"citation_check": entailing("k1")})
    score = measured(catalogue().by_key[SUPPORT], case(), output(**MARKED), JUDGED, asked)
    assert score.value == 0.5
    assert score.details["citations"] == [
        {"id": "c1", "supported": True, "quote": ""},
        {"id": "c2", "supported": False, "quote": ""},
    ]
    assert [call.prompt.prompt for call in asked.calls] == ["refusal", "citation_check"]


def test_each_of_two_sources_that_a_sentence_needs_supports_it() -> None:
    """Half a sentence each; a third one beside them supports nothing."""
    fields = {**FIVE, "answer": "Red and old [1][2][3].", "citations": ("c1", "c2", "c3")}
    replies: dict[str, Reply] = {"citation_check": entailing("k1 k2 k3", "k1 k2")}
    score = measured(catalogue().by_key[SUPPORT], case(), output(**fields), JUDGED, judge(replies))
    assert score.value == 2 / 3


def test_a_document_is_cited_by_the_number_of_any_of_its_chunks() -> None:
    """Matched by document."""
    retrieved = tuple(Chunk(id=f"d#{n}", text=f"Part {n}.", metadata={"document_id": "d"}) for n in (1, 2))
    fields = {"retrieved": retrieved, "answer": "Red [2].", "citations": ("d",)}
    settings = Settings(judge_configured=True, source_match=SourceMatch.DOCUMENT)
    asked = judge({"citation_check": entailing("k2")})
    assert measured(catalogue().by_key[SUPPORT], case(), output(**fields), settings, asked).value == 1.0


UNMARKED = [
    ("the adapter cites more than the text", {**MARKED, "citations": ("c1", "c2", "c3")}),
    ("the text cites by name", {**FIVE, "answer": "Red [c1].", "citations": ("c1",)}),
    ("the text has no marks", {**FIVE, "answer": "Red.", "citations": ("c1",)}),
    ("past the cap of the sentence", {**FIVE, "answer": "Red [1-4].", "citations": ("c4",)}),
]


@pytest.mark.parametrize(("why", "fields"), UNMARKED, ids=[row[0] for row in UNMARKED])
def test_other_answers_are_asked_about_chunk_by_chunk(why: str, fields: dict[str, Any]) -> None:
    """Every chunk that the adapter cites is judged, marked or not."""
    asked = judge({})
    measured(catalogue().by_key[SUPPORT], case(), output(**fields), JUDGED, asked)
    assert [call.prompt.prompt for call in asked.calls] == ["refusal", "citation_support"], why


def test_a_verdict_that_is_missing_counts_against_citation_support_alone() -> None:
    """One question, two readings: unsupported there, a judge error of ALCE's metrics."""
    replies: dict[str, Reply] = {"citation_check": verdicts({"v1": True})}
    by_key = catalogue().by_key
    scores = [
        measured(by_key[key], case(), output(**MARKED), JUDGED, judge(replies))
        for key in (SUPPORT, CITED_RECALL)
    ]
    support, recall = scores
    assert (support.value, support.details["no_verdict"]) == (0.5, ["c2"])
    assert recall.result == JudgeFailed(reason="invalid reply: no verdict for v2; expected one for each id")


def test_more_than_ten_cited_sentences_are_asked_about_in_parts() -> None:
    """A sentence is never parted, and no question has more than forty checks."""
    three = " ".join(f"Sentence {n} [1][2][3]." for n in range(10))
    single = " ".join(f"Sentence {n} [1]." for n in range(23))
    for answer, sizes in ((three, [35, 35]), (single, [10, 10, 3])):
        asked = judge({})
        measured(catalogue().by_key[CITED_RECALL], case(), output(**FIVE, answer=answer), JUDGED, asked)
        assert [len(data["checks"]) for data in asked.asked("citation_check")] == sizes
