"""A second look at a wider pool of hits: BM25 again, coverage, nearness of the words asked, and recency.

Of each document the best chunk alone is kept. That makes room for a second document and lets a notice
overtake the policy it replaces; it also hides the neighbouring chunk when the answer stands there, and a
recent text that merely mentions the topic can overtake an old one that settles it.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from itertools import pairwise

from ragproof.demo.index import Hit, Index
from ragproof.demo.terms import content_terms, terms

FIRST_STAGE_WEIGHT = 0.4
COVERAGE_WEIGHT = 0.3
PROXIMITY_WEIGHT = 0.2
RECENCY_WEIGHT = 0.1
NEAR_TERMS = 8
"""Two terms at most this many terms apart are near each other."""
DAYS_PER_YEAR = 365.25


def rerank(question: str, pool: Sequence[Hit], index: Index) -> tuple[Hit, ...]:
    """Order a pool of hits anew and keep one of each document.

    Args:
        question: what was asked.
        pool: hits of a search, best first; () gives ().
        index: the index they came from, for the weight of terms.

    Returns:
        The hits with new scores in [0, 1], best first, ties in the order of the pool.
    """
    if not pool:
        return ()
    asked = tuple(dict.fromkeys(content_terms(question)))
    newest = max((date for hit in pool if (date := hit.chunk.document.date)), default=None)
    scored = [
        Hit(hit.chunk, FIRST_STAGE_WEIGHT * hit.score / pool[0].score + _score(asked, hit, newest, index))
        for hit in pool
    ]
    best: dict[str, Hit] = {}
    for hit in sorted(scored, key=lambda hit: -hit.score):
        best.setdefault(hit.chunk.document.id, hit)
    return tuple(best.values())


def _score(asked: tuple[str, ...], hit: Hit, newest: datetime.date | None, index: Index) -> float:
    document = hit.chunk.document
    found = terms(f"{document.title}\n{hit.chunk.text}")
    return (
        COVERAGE_WEIGHT * coverage(asked, found, index)
        + PROXIMITY_WEIGHT * proximity(asked, found, index)
        + RECENCY_WEIGHT * _recency(document.date, newest)
    )


def _recency(date: datetime.date | None, newest: datetime.date | None) -> float:
    """Return 1 for the newest document, less for older ones, 0 for one without a date."""
    if date is None or newest is None:
        return 0.0
    return 1 / (1 + (newest - date).days / DAYS_PER_YEAR)


def coverage(asked: Sequence[str], found: Sequence[str], index: Index) -> float:
    """Return the share of the asked terms that were found, weighted by idf; 0 when nothing is asked."""
    present = set(found)
    total = sum(map(index.idf, asked))
    return sum(index.idf(term) for term in asked if term in present) / total if asked else 0.0


def proximity(asked: Sequence[str], found: Sequence[str], index: Index) -> float:
    """Return the share of neighbouring asked terms that also stand near each other in the text.

    Args:
        asked: distinct terms in the order of the question; fewer than two give 0.
        found: terms of the text, in order.
        index: gives a pair its weight, the sum of both inverse document frequencies.

    Returns:
        A share in [0, 1].
    """
    places: dict[str, list[int]] = {term: [] for term in asked}
    for place, term in enumerate(found):
        if term in places:
            places[term].append(place)
    weights = {pair: index.idf(pair[0]) + index.idf(pair[1]) for pair in pairwise(asked)}
    near = [
        weight
        for (first, second), weight in weights.items()
        if any(abs(a - b) <= NEAR_TERMS for a in places[first] for b in places[second])
    ]
    return sum(near) / sum(weights.values()) if weights else 0.0
