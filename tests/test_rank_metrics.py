"""Source B's retrieval track in runs: by document, graded, at any cutoff."""

from __future__ import annotations

import subprocess
import sys
from math import log2

import pytest

from ragproof.catalogue import catalogue, choose
from ragproof.errors import ConfigurationError
from ragproof.metric import Direction, Metric
from ragproof.metrics.retrieval import evaluate
from ragproof.metrics.retrieval.expected_ids import IdMatches, id_matches
from ragproof.metrics.retrieval.ranked import ANY_CUTOFF
from ragproof.outputs import CaseFailure, Chunk, FailureKind
from ragproof.ranking.measures import NAMES
from ragproof.scores import NotApplicable, Scored, Skipped
from ragproof.scoring import score
from tests.fakes.evidence import case, chunks, evidence, output

RANKED = ANY_CUTOFF.at(10)


def value(metric: Metric, retrieved: tuple[Chunk, ...] | None, relevance: dict[str, int]) -> float | None:
    """Return the metric's value of one case."""
    whole = evidence(case(relevance=relevance), output(retrieved=retrieved))
    return score(metric, whole.case, whole.output, whole.settings).value


def documents(*ids: str) -> tuple[Chunk, ...]:
    """Return a ranking of chunks, one a document named, each with an id of its own."""
    return tuple(
        Chunk(id=f"chunk {rank}", metadata={"document_id": document}) for rank, document in enumerate(ids)
    )


def test_the_keys_of_source_b_are_measured_unless_others_are_named() -> None:
    """Nine and the judged share, at the default cutoff, all of them of the retrieval family."""
    keys = [metric.key for metric in choose(None) if metric.key.endswith("@10")]
    assert keys == [f"{name}@10" for name in NAMES]
    assert {metric.family for metric in RANKED} == {"retrieval"}
    assert {metric.key for metric in RANKED if metric.direction is Direction.NONE} == {"judged@10"}


def test_the_default_cutoff_is_the_run_s() -> None:
    """`run.metric_k` moves every key that carries a cutoff, in place."""
    at_10, at_3 = choose(None), choose(None, metric_k=3)
    assert [metric.key.replace("@10", "@3") for metric in at_10] == [metric.key for metric in at_3]
    assert choose(None, metric_k=10) == at_10


@pytest.mark.parametrize(
    ("why", "name", "key"),
    [
        ("a cutoff of its own", "ndcg@5", "ndcg@5"),
        ("as ir_measures spells it", "nDCG@5", "ndcg@5"),
        ("with a level", "P(rel=2)@5", "precision(rel=2)@5"),
        ("as trec_eval spells it", "map_cut_100", "map@100"),
    ],
)
def test_any_cutoff_can_be_named(why: str, name: str, key: str) -> None:
    """In every spelling, and twice the same metric."""
    assert [metric.key for metric in choose([name, key])] == [key], why
    assert catalogue().find(name) is catalogue().find(key)


@pytest.mark.parametrize(
    ("name", "cure"),
    [
        ("ndgc@5", "did you mean 'ndcg@5'?"),
        ("ndcg", "did you mean 'ndcg@10'?"),
        ("ndcg@0", "did you mean 'ndcg@10'?"),
        ("AP", "'ragproof metrics' lists them"),
    ],
)
def test_what_is_no_name_is_refused_with_the_nearest_at_its_cutoff(name: str, cure: str) -> None:
    """A run's metrics have a cutoff each."""
    with pytest.raises(ConfigurationError) as refused:
        choose([name])
    assert str(refused.value) == f"no metric is named '{name}'; {cure}"


KNOWN = [
    # why, ranking of documents, relevance, key, value
    ("graded", ("b", "a"), {"a": 3, "b": 1}, "ndcg@10", (1 + 3 / log2(3)) / (3 + 1 / log2(3))),
    ("cut at k", ("x", "a"), {"a": 1}, "ndcg@1", 0.0),
    ("precision over k", ("a",), {"a": 1}, "precision@10", 1 / 10),
    ("recall over R", ("a",), {"a": 1, "b": 1}, "recall@10", 1 / 2),
    ("f1", ("a",), {"a": 1, "b": 1}, "f1@10", 2 / (10 + 2)),
    ("the first relevant", ("x", "a"), {"a": 1}, "mrr@10", 1 / 2),
    ("average precision over R", ("x", "a"), {"a": 1, "b": 1}, "map@10", (1 / 2) / 2),
    ("hit", ("x", "a"), {"a": 1}, "hit_rate@10", 1.0),
    ("R places", ("x", "a"), {"a": 1}, "r_precision@10", 0.0),
    ("all of them", ("b", "a"), {"a": 1, "b": 1}, "complete_recall@10", 1.0),
    ("not all of them", ("a",), {"a": 1, "b": 1}, "complete_recall@10", 0.0),
    ("a gain of 0 is judged", ("a", "b", "x"), {"a": 1, "b": 0}, "judged@10", 2 / 3),
    ("chunks of a document are one, at the first rank", ("a", "a", "b"), {"b": 1}, "mrr@10", 1 / 2),
    ("the cut comes after that", ("a", "a", "b"), {"b": 1}, "recall@2", 1.0),
    ("a level of its own", ("a", "b"), {"a": 1, "b": 2}, "mrr(rel=2)@10", 1 / 2),
]


@pytest.mark.parametrize(
    ("why", "ranked", "relevance", "key", "expected"), KNOWN, ids=[row[0] for row in KNOWN]
)
def test_the_metrics_give_the_known_answers(
    why: str, ranked: tuple[str, ...], relevance: dict[str, int], key: str, expected: float
) -> None:
    """Each row is one rule."""
    (metric,) = choose([key])
    assert value(metric, documents(*ranked), relevance) == pytest.approx(expected, abs=1e-12), why


def test_a_run_and_files_have_the_same_formulas() -> None:
    """A case's value is what `evaluate` gives for its ranking."""
    ranked, relevance = ("x", "b", "a", "y", "c"), {"a": 2, "b": 1, "c": -1, "d": 1, "e": 0}
    expected = evaluate({"q": relevance}, {"q": list(ranked)}).by_query()["q"]
    assert {metric.key: value(metric, documents(*ranked), relevance) for metric in RANKED} == expected


@pytest.mark.parametrize("metric", RANKED, ids=str)
def test_nothing_found_is_0_and_no_retrieval_is_skipped(metric: Metric) -> None:
    """Except for the judged share, which is a share of nothing then."""
    whole = evidence(None, output(retrieved=()))
    result = score(metric, whole.case, whole.output, whole.settings).result
    if metric.key.startswith("judged"):
        assert result == NotApplicable(reason="nothing was retrieved that could be judged")
    else:
        assert result == Scored(value=0.0)
    whole = evidence(None, output(retrieved=None))
    skipped = score(metric, whole.case, whole.output, whole.settings).result
    assert skipped == Skipped(reason="adapter does not expose retrieval")


def test_a_level_that_no_source_reaches_is_not_applicable() -> None:
    """There is something relevant, and nothing as relevant as that."""
    (metric,) = choose(["P(rel=3)@5"])
    whole = evidence(case(relevance={"c1": 2}))
    result = score(metric, whole.case, whole.output, whole.settings).result
    assert result == NotApplicable(reason="no expected source has a gain of 3 or more")


def test_details_list_the_hits_in_the_top_k() -> None:
    """With their ranks among documents."""
    (metric,) = choose(["recall@2"])
    whole = evidence(
        case(relevance={"a": 1, "b": 1, "c": 0}), output(retrieved=documents("x", "x", "a", "b"))
    )
    details = score(metric, whole.case, whole.output, whole.settings).details
    assert details == {"k": 2, "relevant": 2, "hits": [{"id": "a", "rank": 2}]}


def test_the_catalogue_needs_neither_numpy_nor_polars() -> None:
    """A command line that ranks nothing must not wait for them."""
    asked = "import sys; from ragproof.catalogue import catalogue; catalogue()"
    told = "print(*sorted({'numpy', 'polars', 'pandas'} & sys.modules.keys()))"
    command = [sys.executable, "-c", f"{asked}; {told}"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == ""


@pytest.mark.parametrize("metric", RANKED, ids=str)
def test_labels_that_name_chunks_skip_the_track(metric: Metric) -> None:
    """They would score 0 for every pipeline."""
    whole = evidence()
    result = score(metric, whole.case, whole.output, whole.settings, chunk_level=True).result
    assert result == Skipped(reason="expected ids are chunk-level")


CHUNK_LEVEL = [
    # why, expected ids with what came back, whether they name chunks
    ("chunk ids", [({"c1": 1}, chunks("c1", document="d1"))], True),
    ("document ids", [({"d1": 1}, chunks("c1", document="d1"))], False),
    ("chunks that are documents", [({"c1": 1}, chunks("c1"))], False),
    (
        "one document id in the run is enough",
        [({"c1": 1}, chunks("c1", document="d1")), ({"d2": 1}, chunks("c2", document="d2"))],
        False,
    ),
    (
        "one chunk id too",
        [({"c1": 1}, chunks("c1", document="d1")), ({"x": 1}, chunks("c2", document="d2"))],
        True,
    ),
    ("nothing was found", [({"c1": 1}, ()), ({"c1": 1}, chunks("c2", document="d2"))], False),
    ("nothing is known", [({"c1": 1}, None)], False),
    ("no cases", [], False),
]


@pytest.mark.parametrize(("why", "pairs", "expected"), CHUNK_LEVEL, ids=[row[0] for row in CHUNK_LEVEL])
def test_what_labels_name_is_found_over_the_run(
    why: str, pairs: list[tuple[dict[str, int], tuple[Chunk, ...] | None]], expected: bool
) -> None:
    """A chunk's id and no document's; shard by shard or at once."""
    met = [(case(relevance=relevance), output(retrieved=retrieved)) for relevance, retrieved in pairs]
    assert id_matches(met).chunk_level is expected, why
    assert sum((id_matches([pair]) for pair in met), start=IdMatches()) == id_matches(met)


def test_a_failed_case_tells_nothing_of_the_labels() -> None:
    """It came back with nothing."""
    failure = CaseFailure(case_id="case-1", kind=FailureKind.TIMEOUT, message="after 1 s")
    assert id_matches([(case(), failure)]) == IdMatches()
