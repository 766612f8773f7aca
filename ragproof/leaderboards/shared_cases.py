"""Several runs over the cases that all of them have, in one order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ragproof.comparing.clustering import clusters_of, repeats
from ragproof.comparing.scored_run import CaseFacts, ScoredRun


def on_shared_cases(runs: Sequence[ScoredRun]) -> tuple[ScoredRun, ...]:
    """Narrow runs to the cases whose content all have.

    Args:
        runs: at least one.

    Returns:
        The runs, each over the same cases in the order of the first.
    """
    places = [{case.content_hash: place for place, case in enumerate(run.cases)} for run in runs]
    shared = [
        case.content_hash for case in runs[0].cases if all(case.content_hash in each for each in places)
    ]
    return tuple(
        _taken(run, np.array([each[content] for content in shared], dtype=np.intp))
        for run, each in zip(runs, places, strict=True)
    )


def documents_of(cases: Sequence[CaseFacts]) -> tuple[int, ...] | None:
    """Return which cases are not independent.

    Args:
        cases: in order.

    Returns:
        The number of each case's group, one without a group being its own; None when no group repeats.
    """
    clusters = clusters_of(cases)
    return tuple(clusters.tolist()) if repeats(clusters, np.ones(len(cases), dtype=np.bool_)) else None


def _taken(run: ScoredRun, places: np.ndarray[tuple[int], np.dtype[np.intp]]) -> ScoredRun:
    return replace(
        run,
        cases=tuple(run.cases[place] for place in places),
        scores={key: scores.taken(places) for key, scores in run.scores.items()},
    )
