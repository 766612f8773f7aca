"""Reading both runs' parts in single cases: outputs and numbers, of the trial that shows the change most."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ragproof.comparing.case_changes import CaseChanges
from ragproof.comparing.run_outputs import RunOutputs
from ragproof.comparing.scored_run import ScoredRun
from ragproof.comparing.worsened_case import Side
from ragproof.metric import Direction


def read_sides(
    run: ScoredRun, outputs: RunOutputs, changes: CaseChanges, places: Sequence[int], *, candidate: bool
) -> list[Side]:
    """Read one run's part in some cases.

    Args:
        run: over the shared cases.
        outputs: what came back in it.
        changes: which metrics count.
        places: of the cases, among the shared ones.
        candidate: of several trials the candidate's worst is read, and the baseline's best.

    Returns:
        A side for each place, in order.
    """
    trials = [_telling_trial(run, changes, at, worst=candidate) for at in places]
    by_trial: dict[int, list[str]] = {}
    for at, trial in zip(places, trials, strict=True):
        by_trial.setdefault(trial, []).append(run.cases[at].id)
    outcomes = {trial: outputs.outcomes(ids, trial) for trial, ids in by_trial.items()}
    return [
        Side(outcomes[trial].get(run.cases[at].id), _Row(run, at, trial))
        for at, trial in zip(places, trials, strict=True)
    ]


def _telling_trial(run: ScoredRun, changes: CaseChanges, at: int, *, worst: bool) -> int:
    counted = [run.scores[key] for key in changes.metrics]
    if not counted or counted[0].trials.shape[1] == 1:
        return 0
    signs = [-1.0 if each.traits.direction is Direction.LOWER else 1.0 for each in counted]
    told = np.vstack([sign * each.trials[at] for sign, each in zip(signs, counted, strict=True)])
    nothing = np.isnan(told)
    # A trial that erred shows best that a score was lost.
    size = np.where(nothing.all(axis=0), -np.inf, np.where(nothing, 0.0, told).sum(axis=0))
    return int(size.argmin() if worst else size.argmax())


@dataclass(frozen=True)
class _Row(Mapping[str, float]):
    """One case's numbers in one trial, looked up when they are asked for: few of a long run's are."""

    run: ScoredRun
    at: int
    trial: int

    def __getitem__(self, key: str) -> float:
        value = float(self.run.scores[key].trials[self.at, self.trial])
        if math.isnan(value):
            raise KeyError(key)
        return value

    def __iter__(self) -> Iterator[str]:
        return (key for key in self.run.scores if key in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)
