"""Precision at k: the share of the top k places that hold a relevant source, hits(k) / k.

Source A; trec_eval P.k. False friend: some divide by the number retrieved. Here the denominator is always k,
so a list shorter than k is penalised: one relevant chunk out of one returned scores 1/k.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ragproof.evidence import Evidence
from ragproof.metric import Measurement, Metric, Need
from ragproof.metrics.retrieval.hits import hit_details, hit_ranks


def precision_at_k(ranked: Sequence[str], relevant: Collection[str], k: int) -> float:
    """Return hits in the top k, over k.

    Args:
        ranked: ids, best first, each counted once; empty means nothing was retrieved, and scores 0.
        relevant: the relevant ids, as a set; empty scores 0.
        k: the cutoff, at least 1.

    Returns:
        A value from 0 to 1, higher is better.
    """
    return len(hit_ranks(ranked, relevant, k)) / k


def measure(evidence: Evidence) -> Measurement:
    """Score the ranking at `run.k`; the details list the hits, and how many of the k places were filled."""
    relevant, k = evidence.case.relevant(), evidence.settings.k
    return Measurement(
        precision_at_k(evidence.ranked, relevant, k),
        {
            "k": k,
            "hits": hit_details(hit_ranks(evidence.ranked, relevant, k)),
            "places_filled": min(k, len(evidence.ranked)),
        },
    )


METRIC = Metric(
    key="retrieval.precision_at_k",
    summary="The share of the top k places that hold a relevant source.",
    family="retrieval",
    measure=measure,
    needs=(Need.RETRIEVAL, Need.RELEVANCE),
)
