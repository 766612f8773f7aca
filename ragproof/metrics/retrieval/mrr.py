"""Reciprocal rank: 1 / rank of the first relevant source in the whole list; its mean is MRR (source A).

False friend: `mrr@10` (source B) looks at the top 10 alone. Here a first hit at rank 50 scores 1/50.
Source: Voorhees, "The TREC-8 Question Answering Track Report" (1999); trec_eval recip_rank.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ragproof.evidence import Evidence
from ragproof.metric import Measurement, Metric, Need
from ragproof.metrics.retrieval.hits import hit_details, hit_ranks


def reciprocal_rank(ranked: Sequence[str], relevant: Collection[str], k: int | None = None) -> float:
    """Return 1 over the rank of the first relevant id.

    Args:
        ranked: ids, best first, each counted once, so that a repeated irrelevant id pushes nothing down;
            empty means nothing was retrieved, and scores 0.
        relevant: the relevant ids, as a set; empty scores 0.
        k: how far to look, at least 1; None is the whole list.

    Returns:
        A value from 0 (none appears) to 1, higher is better.
    """
    ranks = hit_ranks(ranked, relevant, k)
    return 1 / min(ranks.values()) if ranks else 0.0


def measure(evidence: Evidence) -> Measurement:
    """Score the whole ranking; the details name the first hit and the length of the list."""
    relevant = evidence.case.relevant()
    first = dict(list(hit_ranks(evidence.ranked, relevant).items())[:1])
    return Measurement(
        reciprocal_rank(evidence.ranked, relevant),
        {"first_hit": hit_details(first), "ranked": len(evidence.ranked)},
    )


METRIC = Metric(
    key="retrieval.mrr",
    summary="1 over the rank of the first relevant source in the whole list, 0 when none appears.",
    family="retrieval",
    measure=measure,
    needs=(Need.RETRIEVAL, Need.RELEVANCE),
)
