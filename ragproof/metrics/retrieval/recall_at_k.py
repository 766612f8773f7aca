"""Recall at k: the share of the relevant sources found in the top k, hits(k) / |relevant|.

Source A; trec_eval recall.k. A relevant source below rank k does not count. False friend: RAG tools call
"recall" what a judge finds of the reference in the context; here ids are compared.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pydantic import JsonValue

from ragproof.evidence import Evidence
from ragproof.metric import Measurement, Metric, Need
from ragproof.metrics.retrieval.hits import hit_details, hit_ranks


def recall_at_k(ranked: Sequence[str], relevant: Collection[str], k: int) -> float:
    """Return hits in the top k, over the number of relevant ids.

    Args:
        ranked: ids, best first, each counted once; empty means nothing was retrieved, and scores 0.
        relevant: the relevant ids, as a set; empty scores 0, as in trec_eval (a case without any is skipped
            before it comes here).
        k: the cutoff, at least 1.

    Returns:
        A value from 0 to 1, higher is better.
    """
    return len(hit_ranks(ranked, relevant, k)) / len(relevant) if relevant else 0.0


def measure(evidence: Evidence) -> Measurement:
    """Score the ranking at `run.k`; the details tell sources ranked too low from those never retrieved."""
    relevant, k = evidence.case.relevant(), evidence.settings.k
    everywhere = hit_ranks(evidence.ranked, relevant)
    never: list[JsonValue] = [*sorted(relevant - everywhere.keys())]
    return Measurement(
        recall_at_k(evidence.ranked, relevant, k),
        {
            "k": k,
            "relevant": len(relevant),
            "hits": hit_details({source: rank for source, rank in everywhere.items() if rank <= k}),
            "ranked_below_k": hit_details({source: rank for source, rank in everywhere.items() if rank > k}),
            "not_retrieved": never,
        },
    )


METRIC = Metric(
    key="retrieval.recall_at_k",
    summary="The share of the relevant sources found in the top k.",
    family="retrieval",
    measure=measure,
    needs=(Need.RETRIEVAL, Need.RELEVANCE),
)
