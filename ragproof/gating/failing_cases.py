"""The cases of a run that failed: the pipeline gave no answer, or the judge no verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ragproof.comparing.scored_run import ScoredRun
from ragproof.gating.sample import NO_REASON
from ragproof.scores import BUDGET_EXHAUSTED
from ragproof.summarising import NOT_REACHED

_NEVER_ASKED = frozenset({NOT_REACHED.reason, BUDGET_EXHAUSTED.reason})


@dataclass(frozen=True)
class FailingCase:
    """A case without some of its numbers.

    Attributes:
        id: of the case.
        reasons: each reason with the metrics that have no number for it.
    """

    id: str
    reasons: Mapping[str, tuple[str, ...]]


def failing_cases(run: ScoredRun) -> tuple[FailingCase, ...]:
    """List the cases that failed, in the run's order; one that was never asked did not fail.

    Args:
        run: with the metrics to look at.
    """
    found: dict[int, dict[str, list[str]]] = {}
    for key, scores in run.scores.items():
        for place in np.flatnonzero(scores.missing).tolist():
            reason = scores.reasons[place] or NO_REASON
            if reason not in _NEVER_ASKED:
                found.setdefault(place, {}).setdefault(reason, []).append(key)
    return tuple(
        FailingCase(run.cases[place].id, {reason: tuple(keys) for reason, keys in found[place].items()})
        for place in sorted(found)
    )
