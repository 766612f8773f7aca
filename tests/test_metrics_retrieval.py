"""Source A's four retrieval metrics: a row for each sentence of their definitions, and an oracle."""

from __future__ import annotations

import random
from math import log2

import pytest

from ragproof.cases import CaseKind
from ragproof.evidence import SourceMatch
from ragproof.metric import Measurement, Metric
from ragproof.metrics.retrieval import mrr, ndcg_at_k, precision_at_k, recall_at_k
from ragproof.metrics.retrieval.hits import hit_ranks
from ragproof.metrics.retrieval.mrr import reciprocal_rank
from ragproof.metrics.retrieval.ndcg_at_k import binary_ndcg_at_k
from ragproof.outputs import Chunk
from ragproof.scores import Scored
from ragproof.scoring import score
from tests.fakes.evidence import case, chunks, evidence, output

RETRIEVAL = (precision_at_k.METRIC, recall_at_k.METRIC, mrr.METRIC, ndcg_at_k.METRIC)

FORMULAS = [
    # why, ranked, relevant, k, precision, recall, reciprocal rank, nDCG
    ("the best order is 1 on all but precision", "abxyz", "ab", 5, 2 / 5, 2 / 2, 1 / 1, 1.0),
    ("the denominator of precision is k on short lists", "a", "a", 5, 1 / 5, 1 / 1, 1 / 1, 1.0),
    ("empty retrieval scores 0", "", "a", 5, 0.0, 0.0, 0.0, 0.0),
    ("no hit scores 0", "xyz", "ab", 3, 0.0, 0.0, 0.0, 0.0),
    ("a hit at rank 3 weighs 1/log2(4)", "xya", "a", 5, 1 / 5, 1.0, 1 / 3, 1 / log2(4)),
    (
        "the ideal is cut at k",
        "axb",
        "abcdefg",
        3,
        2 / 3,
        2 / 7,
        1.0,
        (1 / log2(2) + 1 / log2(4)) / (1 / log2(2) + 1 / log2(3) + 1 / log2(4)),
    ),
    (
        "the ideal is cut at the number of relevant",
        "xab",
        "ab",
        5,
        2 / 5,
        1.0,
        1 / 2,
        (1 / log2(3) + 1 / log2(4)) / (1 / log2(2) + 1 / log2(3)),
    ),
    ("a relevant id below k counts for MRR alone", "xyza", "a", 3, 0.0, 0.0, 1 / 4, 0.0),
    (
        "duplicates collapse before the cut, so 'a' is at rank 2",
        "xxxa",
        "a",
        2,
        1 / 2,
        1.0,
        1 / 2,
        1 / log2(3),
    ),
    ("a duplicated hit is one hit", "aaaa", "ab", 2, 1 / 2, 1 / 2, 1.0, 1 / (1 / log2(2) + 1 / log2(3))),
    ("k = 1 looks at one place", "xa", "a", 1, 0.0, 0.0, 1 / 2, 0.0),
    ("nothing relevant scores 0, as in trec_eval", "ab", "", 5, 0.0, 0.0, 0.0, 0.0),
]


@pytest.mark.parametrize(
    ("why", "ranked", "relevant", "k", "precision", "recall", "reciprocal", "ndcg"),
    FORMULAS,
    ids=[row[0] for row in FORMULAS],
)
def test_the_formulas_give_the_known_answers(
    why: str,
    ranked: str,
    relevant: str,
    k: int,
    precision: float,
    recall: float,
    reciprocal: float,
    ndcg: float,
) -> None:
    """Each row is one sentence of the definition; every letter is an id."""
    ids, labels = list(ranked), frozenset(relevant)
    assert precision_at_k.precision_at_k(ids, labels, k) == pytest.approx(precision, abs=1e-12), why
    assert recall_at_k.recall_at_k(ids, labels, k) == pytest.approx(recall, abs=1e-12), why
    assert reciprocal_rank(ids, labels) == pytest.approx(reciprocal, abs=1e-12), why
    assert binary_ndcg_at_k(ids, labels, k) == pytest.approx(ndcg, abs=1e-12), why


def test_a_reciprocal_rank_with_a_cutoff_looks_no_further() -> None:
    """With k the first hit counts only within the top k."""
    assert reciprocal_rank(["x", "y", "a"], {"a"}, k=3) == 1 / 3
    assert reciprocal_rank(["x", "y", "a"], {"a"}, k=2) == 0.0


def test_ids_are_text_and_never_numbers() -> None:
    """'7', '07' and '7.0' are three sources."""
    assert hit_ranks(["07", "7.0", "7"], {"7"}) == {"7": 3}


def test_the_formulas_agree_with_a_second_implementation() -> None:
    """Written out with loops and no shared code, the definitions give the same values on random rankings."""
    draw = random.Random(20_240_501)
    for _ in range(500):
        ids = [f"s{number}" for number in range(12)]
        ranked = [draw.choice(ids) for _ in range(draw.randrange(0, 20))]
        relevant = set(draw.sample(ids, draw.randrange(1, 8)))
        k = draw.randrange(1, 15)
        expected = by_hand(ranked, relevant, k)
        actual = (
            precision_at_k.precision_at_k(ranked, relevant, k),
            recall_at_k.recall_at_k(ranked, relevant, k),
            reciprocal_rank(ranked, relevant),
            binary_ndcg_at_k(ranked, relevant, k),
        )
        assert actual == pytest.approx(expected, abs=1e-9)


def by_hand(ranked: list[str], relevant: set[str], k: int) -> tuple[float, float, float, float]:
    """Return precision, recall, reciprocal rank and nDCG the long way round."""
    seen: list[str] = []
    for each in ranked:
        if each not in seen:
            seen.append(each)
    gains = [1 if each in relevant else 0 for each in seen]
    ideal = sorted([1] * len(relevant) + [0] * k, reverse=True)[:k]
    reciprocal = 0.0
    for position in range(len(gains) - 1, -1, -1):
        if gains[position]:
            reciprocal = 1 / (position + 1)
    dcg = sum(gain / log2(position + 2) for position, gain in enumerate(gains[:k]))
    best = sum(gain / log2(position + 2) for position, gain in enumerate(ideal))
    return sum(gains[:k]) / k, sum(gains[:k]) / len(relevant), reciprocal, dcg / best


@pytest.mark.parametrize("metric", RETRIEVAL, ids=str)
@pytest.mark.parametrize("kind", CaseKind)
def test_retrieval_metrics_apply_to_every_kind_that_has_relevance(metric: Metric, kind: CaseKind) -> None:
    """An unanswerable question may have sources that a good retriever still finds."""
    whole = evidence(case(kind))
    assert isinstance(score(metric, whole.case, whole.output, whole.settings).result, Scored)


@pytest.mark.parametrize("metric", RETRIEVAL, ids=str)
def test_an_empty_ranking_scores_zero_and_no_ranking_is_skipped(metric: Metric) -> None:
    """`()` is a retriever that found nothing; `None` is a pipeline that shows no retrieval."""
    found_nothing = evidence(None, output(retrieved=()))
    assert score(metric, found_nothing.case, found_nothing.output, found_nothing.settings).value == 0.0
    shows_nothing = evidence(None, output(retrieved=None))
    skipped = score(metric, shows_nothing.case, shows_nothing.output, shows_nothing.settings)
    assert skipped.reason == "adapter does not expose retrieval"


@pytest.mark.parametrize("metric", RETRIEVAL, ids=str)
def test_a_missing_ranking_is_told_before_missing_labels(metric: Metric) -> None:
    """With neither, the reason is the pipeline's: it holds for every case."""
    bare = evidence(case(relevance={}), output(retrieved=None))
    result = score(metric, bare.case, bare.output, bare.settings)
    assert result.reason == "adapter does not expose retrieval"


def test_mrr_looks_past_k() -> None:
    """The cutoff of the other three is none to it: a first hit at rank 4 scores 1/4 whatever k is."""
    late = evidence(None, output(retrieved=chunks("x", "y", "z", "c1")), k=2)
    assert mrr.measure(late).value == 1 / 4
    assert recall_at_k.measure(late).value == 0.0


def test_a_gain_of_zero_or_less_is_not_relevant() -> None:
    """Judged and not relevant is no hit, and does not count among the relevant."""
    judged = evidence(case(relevance={"c1": 0, "c2": -1, "c3": 2}), output(retrieved=chunks("c1", "c3")))
    measured = recall_at_k.measure(judged)
    assert measured.value == 1 / 1
    assert precision_at_k.measure(judged).value == 1 / 5


def test_the_context_the_generator_read_is_not_the_ranking() -> None:
    """Only `retrieved` is scored; what the generator read, and in which order, is its own choice."""
    reordered = evidence(None, output(retrieved=chunks("x", "c1"), context=chunks("c1", "x")))
    assert mrr.measure(reordered).value == 1 / 2


SOURCE_MATCHING = [
    # why, ranking, relevant, source_match, reciprocal rank
    ("chunk: the chunk's own id", [("c1", "d1")], "c1", SourceMatch.CHUNK, 1.0),
    ("chunk: a document id matches no chunk", [("c1", "d1")], "d1", SourceMatch.CHUNK, 0.0),
    ("document: metadata.document_id", [("c1", "d1")], "d1", SourceMatch.DOCUMENT, 1.0),
    ("document: the id where there is no document_id", [("d1", None)], "d1", SourceMatch.DOCUMENT, 1.0),
    ("document: an integer document_id is text", [("c1", 7)], "7", SourceMatch.DOCUMENT, 1.0),
    (
        "document: chunks of one document are one place",
        [("c1", "d1"), ("c2", "d1"), ("c3", "d2")],
        "d2",
        SourceMatch.DOCUMENT,
        1 / 2,
    ),
]


@pytest.mark.parametrize(("why", "ranking", "relevant", "source_match", "expected"), SOURCE_MATCHING)
def test_sources_are_matched_as_configured(
    why: str,
    ranking: list[tuple[str, object]],
    relevant: str,
    source_match: SourceMatch,
    expected: float,
) -> None:
    """`run.source_match` decides which id of a chunk is held against the labels."""
    retrieved = tuple(
        Chunk.model_validate(
            {"id": source, "metadata": {} if document is None else {"document_id": document}}
        )
        for source, document in ranking
    )
    matched = evidence(case(relevance={relevant: 1}), output(retrieved=retrieved), source_match=source_match)
    assert mrr.measure(matched).value == expected, why


def test_details_tell_what_was_ranked_too_low_from_what_was_never_retrieved() -> None:
    """The first is a ranking to improve, the second an index or an embedding."""
    two_faults = evidence(
        case(relevance={"c1": 1, "c9": 1, "c0": 1, "b0": 1}), output(retrieved=chunks("c1", "x", "c9")), k=2
    )
    assert recall_at_k.measure(two_faults) == Measurement(
        1 / 4,
        {
            "k": 2,
            "relevant": 4,
            "hits": [{"id": "c1", "rank": 1}],
            "ranked_below_k": [{"id": "c9", "rank": 3}],
            "not_retrieved": ["b0", "c0"],
        },
    )
    assert precision_at_k.measure(two_faults).details["places_filled"] == 2
    assert mrr.measure(two_faults).details == {"first_hit": [{"id": "c1", "rank": 1}], "ranked": 3}
    assert ndcg_at_k.measure(two_faults).details["ideal_hits"] == 2
