"""The labels that serve a run: its own, and those of other runs of its project on the very same answers.

Where a case has labels of its own, they stand alone.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from ragproof.comparing.scored_run import ScoredRun
from ragproof.labels.carrying import carried
from ragproof.labels.draws import as_drawn
from ragproof.labels.served import Served, Serving

if TYPE_CHECKING:
    from ragproof.store.store import Store


def serving(store: Store, run: ScoredRun) -> Serving:
    """Find the labels that serve a run.

    Args:
        store: where it lies.
        run: with the scores of every metric whose labels are asked for.

    Raises:
        StoreError: the store cannot be read.
    """
    found: dict[str, list[Served]] = defaultdict(list)
    there = {case.id for case in run.cases}
    for label in (each for each in store.labels.get(run.record.id) if each.case_id in there):
        found[label.metric].append(
            Served(label.case_id, label.trial, label.labeller, label.value, label.at_random)
        )
    elsewhere = store.labels.elsewhere(run.record)
    for key, served in carried(store, run, found, elsewhere).items():
        found[key] = [*found[key], *as_drawn(store, run, key, [*found[key], *served], elsewhere)]
    return {key: tuple(served) for key, served in found.items() if key in run.scores}
