"""What repeating the cases of a run showed: how much spread is the trial's, and which cases flicker."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from pydantic import FiniteFloat

from ragproof.flakiness import Cause, causes, varying
from ragproof.frozen import Frozen
from ragproof.outputs import Outcome
from ragproof.runs import RunRecord

if TYPE_CHECKING:
    from ragproof.comparing.scored_run import MetricScores, ScoredRun
    from ragproof.store.store import Store

FAMILY_THAT_ALWAYS_VARIES = "operational"


class Spread(Frozen):
    """How one metric's variance divides."""

    metric: str
    var_case: FiniteFloat | None
    """Between the cases' true means; None when it cannot be told."""
    var_trial: FiniteFloat | None
    """Between trials of one case: what asking again could change."""
    flaky: int
    """Cases whose trials differ."""


class FlakyCase(Frozen):
    """A case whose trials scored differently."""

    case_id: str
    metrics: tuple[str, ...]
    """Those that differ."""
    causes: tuple[Cause, ...]


class Repeats(Frozen):
    """What a run with `run.repeats` says of its trials."""

    trials: int
    spreads: tuple[Spread, ...]
    """A metric each, those that nothing varies in left out."""
    flaky: tuple[FlakyCase, ...] = ()
    """Those with most metrics first, then by id."""

    def by_cause(self) -> dict[Cause, int]:
        """Count the flaky cases by cause; one with two causes counts in both."""
        return {
            cause: found for cause in Cause if (found := sum(cause in case.causes for case in self.flaky))
        }


def repeats(store: Store, run: RunRecord) -> Repeats | None:
    """Find out what repeating a run's cases showed.

    Args:
        store: where the run lies.
        run: the run.

    Returns:
        None for a run that asks each case once.

    Raises:
        StoreError: the store cannot be read.
    """
    section = run.config.get("run")
    trials = section.get("repeats", 1) if isinstance(section, dict) else 1
    if not isinstance(trials, int) or trials < 2:
        return None
    from ragproof.comparing.stored_run import read_run  # numpy and more, for runs that repeat alone
    from ragproof.reports.order import known_metrics

    known = known_metrics()
    scored = read_run(store, run)
    shown = {
        key: scores
        for key, scores in scored.scores.items()
        if (metric := known.find(key)) is None or metric.family != FAMILY_THAT_ALWAYS_VARIES
    }
    flaky = _flaky(store, run, scored, shown, trials)
    counted = {key: sum(key in case.metrics for case in flaky) for key in shown}
    spreads = (_spread(key, scores, counted[key]) for key, scores in shown.items())
    return Repeats(
        trials=trials,
        spreads=tuple(spread for spread in spreads if spread.flaky or spread.var_trial),
        flaky=flaky,
    )


def _spread(key: str, scores: MetricScores, flaky: int) -> Spread:
    from ragproof.statistics.trials import trial_variance

    found = trial_variance(scores.trials[~scores.missing].tolist())
    return Spread(metric=key, var_case=found.between, var_trial=found.within, flaky=flaky)


def _flaky(
    store: Store, run: RunRecord, scored: ScoredRun, shown: dict[str, MetricScores], trials: int
) -> tuple[FlakyCase, ...]:
    rows = [
        {
            key: [None if np.isnan(value) else float(value) for value in scores.trials[at]]
            for key, scores in shown.items()
        }
        for at in range(len(scored.cases))
    ]
    differing = {
        case.id: (rows[at], found) for at, case in enumerate(scored.cases) if (found := varying(rows[at]))
    }
    outcomes = [store.calls.outcomes(run.id, [*differing], trial) for trial in range(trials)]
    flaky = []
    for case_id, (values, keys) in differing.items():
        reached: list[Outcome] = [each[case_id] for each in outcomes if case_id in each]
        if len(reached) < trials:  # a trial nobody came to is no flicker
            continue
        blamed = {cause for key in keys for cause in causes(values[key], reached)}
        flaky.append(
            FlakyCase(
                case_id=case_id, metrics=keys, causes=tuple(cause for cause in Cause if cause in blamed)
            )
        )
    return tuple(sorted(flaky, key=lambda case: (-len(case.metrics), case.case_id)))
