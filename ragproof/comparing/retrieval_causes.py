"""Causes in the ranking: the sources left the corpus, did not come back, or came back too low to be read.

Each rule asks what the baseline had and the candidate has not; what both lacked explains no change.
"""

from __future__ import annotations

from collections.abc import Iterable

from ragproof.comparing.metric_roles import CONTEXT_RECALL
from ragproof.comparing.reach import ANSWER, SOME, Reach
from ragproof.comparing.worsened_case import SLIGHT, WorsenedCase
from ragproof.reports import rounding

_NAMED = 2


def labels_gone(worsened: WorsenedCase) -> str | None:
    """Tell that no expected source of the case that the baseline found is in the candidate's corpus.

    Which are gone is found out over the whole run (`lost_labels`); as long as one is still there, the
    retriever could have found it.
    """
    both = _both(worsened)
    if both is None or both[1].found or not worsened.gone or not both[0].found <= worsened.gone.keys():
        return None
    return f"{_named(worsened.gone)}: {next(iter(worsened.gone.values()))}"


def nothing_retrieved(worsened: WorsenedCase) -> str | None:
    """Tell that none of the sources came back any more, at any rank."""
    both = _both(worsened)
    if both is None or not both[0].found or both[1].found:
        return None
    return f"{_at(both[0], both[0].found)} and did not come back"


def nothing_read(worsened: WorsenedCase) -> str | None:
    """Tell that sources came back, and none of them within k or among what the generator was given."""
    both = _both(worsened)
    if both is None or not both[0].read or both[1].read:
        return None
    return f"{_at(both[0], both[0].read)}, {_now(both[1], both[1].found, worsened)}"


def context_lost(worsened: WorsenedCase) -> str | None:
    """Tell that a judge finds nothing of the expected answer any more in what was read.

    Where an expected source was read, the ranking is not what changed.
    """
    return _less_context(worsened) if worsened.after.values.get(CONTEXT_RECALL) == 0.0 else None


def context_thinner(worsened: WorsenedCase) -> str | None:
    """Tell that a judge finds less of it than before, and more than slightly less."""
    return _less_context(worsened) if worsened.falls.get(CONTEXT_RECALL, 0.0) > SLIGHT else None


def some_not_retrieved(worsened: WorsenedCase) -> str | None:
    """Tell that some of several sources did not come back."""
    both = _both(worsened)
    missed = both[0].found - both[1].found if both else frozenset()
    return f"{_at(both[0], missed)} and did not come back" if both and missed else None


def some_not_read(worsened: WorsenedCase) -> str | None:
    """Tell that some of several sources fell below k or out of what the generator was given."""
    both = _both(worsened)
    missed = both[0].read - both[1].read if both else frozenset()
    return f"{_at(both[0], missed)}, {_now(both[1], missed, worsened)}" if both and missed else None


def moved(worsened: WorsenedCase) -> str | None:
    """Tell that a source fell and still was read, for a case that nothing else explains."""
    both = _both(worsened)
    if both is None:
        return None
    fallen = [
        (id, was, now)
        for id, was in both[0].ranks.items()
        if was is not None and (now := both[1].ranks.get(id)) is not None and now > was
    ]
    if not fallen:
        return None
    id, was, now = fallen[0]
    where = "still within reach of the generator" if id in both[1].read else "which neither run read"
    return f"{_named([id])} fell from rank {was} to {now}, {where}"


def _less_context(worsened: WorsenedCase) -> str | None:
    after = worsened.reaches[1]
    if CONTEXT_RECALL not in worsened.falls or (after is not None and after.read):
        return None
    was, now = (
        rounding.value(CONTEXT_RECALL, side.values.get(CONTEXT_RECALL))
        for side in (worsened.before, worsened.after)
    )
    return f"{CONTEXT_RECALL} fell from {was} to {now}: what was read holds less of the expected answer"


def _both(worsened: WorsenedCase) -> tuple[Reach, Reach] | None:
    before, after = worsened.reaches
    return None if before is None or after is None else (before, after)


def _at(before: Reach, sources: Iterable[str]) -> str:
    first = min(sources, key=lambda id: (before.ranks.get(id) or 0, id))
    rank = before.ranks.get(first)
    return f"{_named(_first(first, sources))} {'was' if rank is None else f'was at rank {rank}'}"


def _now(after: Reach, sources: Iterable[str], worsened: WorsenedCase) -> str:
    ranks = [rank for id in sources if (rank := after.ranks.get(id)) is not None]
    if not ranks:
        return "and was not read"
    k = worsened.settings.k
    return (
        f"now at rank {min(ranks)}{f', below k = {k}' if min(ranks) > k else ' and not among what was read'}"
    )


def _first(first: str, sources: Iterable[str]) -> list[str]:
    return [first, *sorted(set(sources) - {first})]


def _named(ids: Iterable[str]) -> str:
    known = [id if id in (ANSWER, SOME) else f"'{id}'" for id in ids]
    more = len(known) - _NAMED
    return ", ".join([*known[:_NAMED], f"and {more} more"] if more > 0 else known)
