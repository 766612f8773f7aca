"""Relevant ids among the first k of a ranking: what every retrieval metric counts.

Ids are texts and are never read as numbers: "7" and "07" are two. Convention of source A: each id
counts once, at its first rank, and the list is cut at k only after that.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import islice

from pydantic import JsonValue


def hit_ranks(ranked: Iterable[str], relevant: Collection[str], k: int | None = None) -> dict[str, int]:
    """Return the relevant ids of the top k, best first, with their ranks.

    Args:
        ranked: ids, best first; one that comes again is ignored; empty means nothing was retrieved.
        relevant: the relevant ids, as a set.
        k: how many distinct ids to look at, at least 1; None is the whole list.

    Returns:
        The rank by id, 1 for the first of the list; empty when nothing relevant is there.
    """
    distinct = dict.fromkeys(ranked)
    return {source: rank for rank, source in enumerate(islice(distinct, k), start=1) if source in relevant}


def hit_details(ranks: dict[str, int]) -> JsonValue:
    """Return hits as JSON for a reader: `[{"id": "c7", "rank": 3}]`."""
    return [{"id": source, "rank": rank} for source, rank in ranks.items()]
