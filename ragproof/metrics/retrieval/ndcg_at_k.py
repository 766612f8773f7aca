"""Binary nDCG at k: hits weighted by 1 / log2(rank + 1), over the most that min(k, |relevant|) hits make.

Convention of source A. False friend: `ndcg@10` (source B, trec_eval ndcg_cut.10) weighs by graded gains; here
every relevant source counts the same, whatever its gain.
Source: Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques" (2002),
doi:10.1145/582415.582418.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from math import log2

from ragproof.evidence import Evidence
from ragproof.metric import Measurement, Metric, Need
from ragproof.metrics.retrieval.hits import hit_details, hit_ranks


def binary_ndcg_at_k(ranked: Sequence[str], relevant: Collection[str], k: int) -> float:
    """Return the discounted gain of the hits in the top k, over that of the ideal ranking.

    Args:
        ranked: ids, best first, each counted once; empty means nothing was retrieved, and scores 0.
        relevant: the relevant ids, as a set; empty scores 0, as in trec_eval (a case without any is skipped
            before it comes here).
        k: the cutoff, at least 1; the ideal is cut there too.

    Returns:
        A value from 0 to 1, higher is better; 1 when no ranking of k could be better.
    """
    ideal = discounted(range(1, min(k, len(relevant)) + 1))
    return discounted(hit_ranks(ranked, relevant, k).values()) / ideal if relevant else 0.0


def discounted(ranks: Iterable[int]) -> float:
    """Return the discounted cumulated gain of hits at these ranks (1 is the first), each of gain 1."""
    return sum((1 / log2(rank + 1) for rank in ranks), start=0.0)


def measure(evidence: Evidence) -> Measurement:
    """Score the ranking at `run.k`; the details list the hits and how many the ideal ranking would have."""
    relevant, k = evidence.case.relevant(), evidence.settings.k
    return Measurement(
        binary_ndcg_at_k(evidence.ranked, relevant, k),
        {
            "k": k,
            "hits": hit_details(hit_ranks(evidence.ranked, relevant, k)),
            "ideal_hits": min(k, len(relevant)),
        },
    )


METRIC = Metric(
    key="retrieval.ndcg_at_k",
    summary="Hits in the top k, weighted by rank, over the best possible order; relevance is yes or no.",
    family="retrieval",
    measure=measure,
    needs=(Need.RETRIEVAL, Need.RELEVANCE),
)
