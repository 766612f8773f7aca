"""The ranking measures of one query, on plain types, so that each can be held against its definition.

trec_eval 9.0.8 throughout: gains are linear, an unjudged document gains nothing, and the divisor is what
could have been found, not what was. `matrix.py` has the same formulas for many queries at once.

Shared arguments: `gains` are the gains of the ranked documents, best first, each document once; None is
unjudged, and a gain below the level (or of 0 or less) is judged and not relevant. `k` is the cutoff, at least
1; None is the whole list. `relevant` is how many documents were judged relevant; 0 scores 0 in all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, islice
from math import log2

Gains = Sequence[int | None]


def ndcg(gains: Gains, judged: Iterable[int], k: int | None = None) -> float:
    """Return the discounted gain of the top k over that of the best order of all judged documents.

    Järvelin and Kekäläinen (2002), doi:10.1145/582415.582418. False friends: `retrieval.ndcg_at_k`, which is
    binary, and the exponential gain 2^g - 1 of learning to rank.

    Args:
        gains: of the ranked documents, best first; None is unjudged.
        judged: the gains of every judged document of the query, in any order; the ideal is cut at k too.
        k: the cutoff.

    Returns:
        0 to 1; 0 when no judged document has a gain above 0.
    """
    ideal = _discounted(sorted(judged, reverse=True), k)
    return _discounted(gains, k) / ideal if ideal else 0.0


def precision(gains: Gains, k: int, level: int = 1) -> float:
    """Return relevant documents in the top k, over k, also where fewer were retrieved (trec_eval P.k)."""
    return hits(gains, k, level) / k


def recall(gains: Gains, relevant: int, k: int | None = None, level: int = 1) -> float:
    """Return relevant documents in the top k, over all relevant ones (trec_eval recall.k)."""
    return hits(gains, k, level) / relevant if relevant else 0.0


def f1(gains: Gains, relevant: int, k: int, level: int = 1) -> float:
    """Return the harmonic mean of precision and recall at k: 2h / (k + R).

    False friend: trec_eval's set_F divides by the number retrieved, and differs on lists shorter than k.
    """
    return 2 * hits(gains, k, level) / (k + relevant)


def mrr(gains: Gains, k: int | None = None, level: int = 1) -> float:
    """Return 1 over the rank of the first relevant document within k, else 0 (recip_rank, -M k).

    False friend: `retrieval.mrr` looks at the whole list.
    """
    return next((1 / rank for rank, hit in enumerate(_hits(gains, k, level), start=1) if hit), 0.0)


def average_precision(gains: Gains, relevant: int, k: int | None = None, level: int = 1) -> float:
    """Return the precisions at the rank of each relevant document of the top k, summed, over R (map_cut.k).

    False friends: divisors of h or of min(R, k), which forgive what was not found.
    """
    if not relevant:
        return 0.0
    found = list(_hits(gains, k, level))
    each = (so_far / rank for rank, so_far in enumerate(accumulate(found), start=1) if found[rank - 1])
    return sum(each, start=0.0) / relevant


def hit_rate(gains: Gains, k: int | None = None, level: int = 1) -> float:
    """Return 1 when a relevant document is in the top k, else 0 (trec_eval success.k)."""
    return float(hits(gains, k, level) > 0)


def r_precision(gains: Gains, relevant: int, k: int | None = None, level: int = 1) -> float:
    """Return relevant documents in the top min(R, k), over R (trec_eval Rprec, with -M k)."""
    depth = relevant if k is None else min(relevant, k)
    return hits(gains, depth, level) / relevant if relevant else 0.0


def complete_recall(gains: Gains, relevant: int, k: int | None = None, level: int = 1) -> float:
    """Return 1 when every relevant document is in the top k and there is one, else 0."""
    return float(0 < relevant == hits(gains, k, level))


def judged_share(gains: Gains, k: int | None = None) -> float | None:
    """Return judged documents in the top k, over documents in the top k; a low share means that the labels
    can not judge this ranker. None when nothing was retrieved.
    """
    top = gains[:k]
    return sum(gain is not None for gain in top) / len(top) if top else None


def hits(gains: Gains, k: int | None = None, level: int = 1) -> int:
    """Return how many of the top k are relevant."""
    return sum(_hits(gains, k, level))


def _hits(gains: Gains, k: int | None, level: int) -> Iterable[bool]:
    return (gain is not None and gain >= level for gain in islice(gains, k))


def _discounted(gains: Iterable[int | None], k: int | None) -> float:
    terms = (
        gain / log2(rank + 1) for rank, gain in enumerate(islice(gains, k), start=1) if gain and gain > 0
    )
    return sum(terms, start=0.0)
