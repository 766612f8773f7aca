"""Whether cases that were drawn at random for one run are a random draw of another run as well.

They are where the whole draw is labelled there too, and the other run asked all that this one scored. The
cases whose answers stayed the same are no random part of anything: they are the ones that nothing changed.
Labelling the changed answers as well makes the draw whole again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ragproof.comparing.scored_run import ScoredRun
from ragproof.labels.served import Served

if TYPE_CHECKING:
    from ragproof.store.labels import Elsewhere
    from ragproof.store.store import Store


def as_drawn(
    store: Store, run: ScoredRun, key: str, served: Sequence[Served], elsewhere: Iterable[Elsewhere]
) -> list[Served]:
    """Take the claim of a random draw from the labels of other runs whose draw is not whole in this one.

    Args:
        store: where all of them lie.
        run: that the labels serve.
        key: of the metric.
        served: all labels of the metric that serve it; its own and others'.
        elsewhere: all labels of other runs on the same cases.

    Returns:
        The labels of other runs.
    """
    lent = [each for each in served if each.given_to is not None]
    if key not in run.scores:
        return lent
    scored = run.scores[key].scored
    reached = {case.content_hash for case, has in zip(run.cases, scored, strict=True) if has}
    hashes = {case.id: case.content_hash for case in run.cases}
    labelled = {hashes[each.case_id] for each in served if each.given_to is not None or each.at_random}
    draws: dict[str, set[str]] = defaultdict(set)
    for each in elsewhere:
        if each.label.metric == key and each.label.at_random:
            draws[each.label.run_id].add(each.content_hash)
    whole = {
        source
        for source in {each.given_to for each in lent if each.at_random and each.given_to}
        if draws[source] & reached <= labelled and reached <= _asked(store, run, source)
    }
    return [each if each.given_to in whole else replace(each, at_random=False) for each in lent]


def _asked(store: Store, run: ScoredRun, source: str) -> set[str]:
    """Return the contents of the cases that another run asked."""
    other = store.runs.find(source)
    if other is None or other.dataset_hash is None:
        return set()
    if other.dataset_hash == run.record.dataset_hash and other.cases.total >= run.record.cases.total:
        return {case.content_hash for case in run.cases}
    return {hash for _, hash in store.datasets.hashed(other.dataset_hash, other.cases.total)}
