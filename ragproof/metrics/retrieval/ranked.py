"""Source B's retrieval track: nDCG, precision, recall and their kin of a ranking of documents, at any cutoff.

Keys carry their cutoff (`ndcg@10`). Always by document, each at the first rank of its chunks, with graded
relevance; the formulas are those of trec_eval 9.0.8 (`ragproof.ranking.formulas`). False friends: source A's
`retrieval.*` keys match by `source_match` and are binary.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from ragproof.errors import ConfigurationError
from ragproof.evidence import Evidence
from ragproof.metric import Direction, Measurement, Metric, Need
from ragproof.metrics.retrieval.hits import hit_details, hit_ranks
from ragproof.ranking import formulas
from ragproof.ranking.measures import Measure, default_measures, read_measure
from ragproof.scores import NotApplicable, Skipped

CHUNK_LEVEL = "expected ids are chunk-level"

_SUMMARIES = {
    "ndcg": "Graded relevance in the top {k}, weighted by rank, over that of the best possible order.",
    "precision": "The share of the top {k} documents that is relevant.",
    "recall": "The share of the relevant documents found in the top {k}.",
    "f1": "The harmonic mean of precision and recall in the top {k}.",
    "mrr": "1 over the rank of the first relevant document in the top {k}, 0 when none appears.",
    "map": "The mean of the precision at the rank of each relevant document, 0 for those below rank {k}.",
    "hit_rate": "Whether a relevant document is in the top {k}.",
    "r_precision": "Precision at the number of relevant documents, {k} at most.",
    "complete_recall": "Whether every relevant document is in the top {k}.",
    "judged": "The share of the top {k} documents that is judged; a low one means that labels are missing.",
}


class RankedMetrics:
    """Makes the metrics, each once for every cutoff, so that the same name gives the same object."""

    def at(self, k: int) -> tuple[Metric, ...]:
        """Return all of them at one cutoff."""
        return tuple(_metric(measure) for measure in default_measures(k))

    def named(self, name: str) -> Metric | None:
        """Return the metric of a name with a cutoff, in any spelling; None when it means none."""
        try:
            measure = read_measure(name)
        except ConfigurationError:
            return None
        return None if measure.k is None else _metric(measure)


ANY_CUTOFF = RankedMetrics()


@cache
def _metric(measure: Measure) -> Metric:
    describes = measure.name == "judged"
    level = "" if measure.level is None else f" Relevant from a gain of {measure.level}."
    return Metric(
        key=str(measure),
        summary=_SUMMARIES[measure.name].format(k=measure.k) + level,
        family="retrieval",
        measure=_measured(measure),
        direction=Direction.NONE if describes else Direction.HIGHER,
        needs=(Need.RETRIEVAL, Need.RELEVANCE),
    )


def _measured(asked: Measure) -> Callable[[Evidence], Measurement | Skipped | NotApplicable]:
    def measure(evidence: Evidence) -> Measurement | Skipped | NotApplicable:
        """Score the ranking of documents; the details list the hits in the top k."""
        if evidence.chunk_level:
            return Skipped(reason=CHUNK_LEVEL)
        level = asked.level or 1
        relevant = evidence.case.relevant(level)
        if not relevant:
            return NotApplicable(reason=f"no expected source has a gain of {level} or more")
        documents, relevance = evidence.ranked_documents, evidence.case.relevance
        gains = [relevance.get(document) for document in documents]
        value = _value(asked, gains, relevance, len(relevant))
        if value is None:
            return NotApplicable(reason="nothing was retrieved that could be judged")
        hits = hit_details(hit_ranks(documents, relevant, asked.k))
        return Measurement(value, {"k": asked.k, "relevant": len(relevant), "hits": hits})

    return measure


def _value(
    asked: Measure, gains: formulas.Gains, relevance: Mapping[str, int], relevant: int
) -> float | None:
    assert asked.k is not None
    k, level = asked.k, asked.level or 1
    match asked.name:
        case "ndcg":
            return formulas.ndcg(gains, relevance.values(), k)
        case "precision":
            return formulas.precision(gains, k, level)
        case "recall":
            return formulas.recall(gains, relevant, k, level)
        case "f1":
            return formulas.f1(gains, relevant, k, level)
        case "mrr":
            return formulas.mrr(gains, k, level)
        case "map":
            return formulas.average_precision(gains, relevant, k, level)
        case "hit_rate":
            return formulas.hit_rate(gains, k, level)
        case "r_precision":
            return formulas.r_precision(gains, relevant, k, level)
        case "complete_recall":
            return formulas.complete_recall(gains, relevant, k, level)
        case _:
            return formulas.judged_share(gains, k)
