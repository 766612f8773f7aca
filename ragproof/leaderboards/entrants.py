"""Which runs enter a leaderboard: the completed ones that were asked for, of each variant the latest.

A run that did not complete has no mean worth a rank: of one that stopped early the running mean is biased by
the stop itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragproof.leaderboards.sweep_cells import is_of_group, variant
from ragproof.runs import CALIBRATION, RunRecord, RunStatus


@dataclass(frozen=True)
class Entrants:
    """The runs that enter.

    Attributes:
        runs: in order of start.
        unfinished: how many of those asked for did not complete, by status; empty when all did.
        superseded: how many completed runs have a later one of their variant on the same dataset.
    """

    runs: tuple[RunRecord, ...]
    unfinished: Mapping[str, int]
    superseded: int


def entrants(
    runs: Sequence[RunRecord],
    *,
    project: str | None = None,
    dataset_hash: str | None = None,
    group: str | None = None,
    latest: bool = True,
) -> Entrants:
    """Choose the runs that enter.

    Args:
        runs: all there are, in any order.
        project: one project's; None is every project but the one of calibrations.
        dataset_hash: those on this dataset; None is any.
        group: those with this label, or of the sweep of this name or id; None is any.
        latest: of each variant on each dataset the run that started last; False is every run.

    Returns:
        The runs, and how many were passed over.
    """
    asked = [
        run
        for run in runs
        if (run.project == project if project is not None else run.project != CALIBRATION)
        and (dataset_hash is None or run.dataset_hash == dataset_hash)
        and (group is None or is_of_group(run, group))
    ]
    completed = sorted(
        (run for run in asked if run.status is RunStatus.COMPLETED), key=lambda run: (run.started_at, run.id)
    )
    entered = completed
    if latest:
        last = {(variant(run), run.dataset_hash): run.id for run in completed}
        entered = [run for run in completed if last[variant(run), run.dataset_hash] == run.id]
    unfinished = Counter(run.status.value for run in asked if run.status is not RunStatus.COMPLETED)
    return Entrants(tuple(entered), dict(unfinished.most_common()), len(completed) - len(entered))
