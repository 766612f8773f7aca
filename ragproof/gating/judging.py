"""Judging one demand: on which cases, whether they are enough, the statistics, and Holm over the tags."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ragproof.config.gate_section import GateSection
from ragproof.gating import reasons
from ragproof.gating.demands import Demand
from ragproof.gating.held_runs import HeldRuns
from ragproof.gating.holm import corrected
from ragproof.gating.numbers import numbers_of
from ragproof.gating.outcome import Outcome
from ragproof.gating.ruling import Counts, FallenCase, Ruling
from ragproof.gating.sample import Sample
from ragproof.gating.trials import Trial, trials_of
from ragproof.gating.verdict import Verdict

FALLEN_TOLD = 5


@dataclass(frozen=True)
class Judged:
    """The rulings on one demand.

    Attributes:
        rulings: one for each set of cases; at least one.
        too_small: values of its tag that have too few cases to be judged, with how many they have.
    """

    rulings: tuple[Ruling, ...]
    too_small: tuple[tuple[str, int], ...] = ()


def judge(demand: Demand, runs: HeldRuns, section: GateSection) -> Judged:
    """Judge one demand on every set of cases that it is about.

    Args:
        demand: of a rule.
        runs: the run, completed, and its baseline.
        section: the gate's settings.

    Returns:
        The rulings. What cannot be judged is an ERROR, and what is too small is INCONCLUSIVE.
    """
    trials = trials_of(demand, runs)
    if isinstance(trials, str):
        return Judged((Ruling(demand, None, Verdict.ERROR, trials),))
    too_small: tuple[tuple[str, int], ...] = ()
    if demand.tag is not None and demand.tag.value is None:
        large = [trial for trial in trials if trial.sample.expected >= demand.min_cases]
        too_small = tuple(
            (trial.scope.tag.value, trial.sample.expected)
            for trial in trials
            if trial not in large and trial.scope.tag is not None
        )
        if not large:
            told = f"no value of the tag '{demand.tag}' has the {demand.min_cases} cases it takes (min_cases)"
            return Judged((Ruling(demand, None, Verdict.INCONCLUSIVE, told),), too_small)
        trials = large
    return Judged(_ruled(demand, trials, section), too_small)


def _ruled(demand: Demand, trials: list[Trial], section: GateSection) -> tuple[Ruling, ...]:
    refused = {place: _refused(demand, trial, section) for place, trial in enumerate(trials)}
    fit = [place for place, ruling in refused.items() if ruling is None]

    outcomes = corrected([trials[place].outcome for place in fit], section.confidence, len(trials))
    judged = {
        place: _ruling(demand, trials[place], outcome, len(trials))
        for place, outcome in zip(fit, outcomes, strict=True)
    }
    return tuple(refused[place] or judged[place] for place in range(len(trials)))


def _refused(demand: Demand, trial: Trial, section: GateSection) -> Ruling | None:
    """Say why a set of cases is not judged; None when it is."""
    sample, tag = trial.sample, trial.scope.tag
    counts = _counts(sample)
    if not sample.expected:
        return Ruling(demand, tag, Verdict.ERROR, reasons.unspoken(sample), counts)
    if sample.coverage < section.min_coverage:
        return Ruling(demand, tag, Verdict.ERROR, reasons.uncovered(sample, section.min_coverage), counts)
    if sample.expected < demand.min_cases:
        return Ruling(demand, tag, Verdict.INCONCLUSIVE, reasons.too_few(sample, demand), counts)
    return None


def _ruling(demand: Demand, trial: Trial, outcome: Outcome, family: int) -> Ruling:
    numbers = numbers_of(demand, trial.sample, trial.drop, outcome, trial.sign)
    return Ruling(
        demand=demand,
        tag=trial.scope.tag,
        verdict=outcome.verdict,
        reason=reasons.reason_of(demand, trial.sample, outcome, numbers.cases_needed),
        counts=_counts(trial.sample, outcome),
        numbers=numbers,
        tags_tested=family,
        fallen=_fallen(trial) if outcome.verdict is Verdict.FAIL else (),
    )


def _fallen(trial: Trial) -> tuple[FallenCase, ...]:
    drop = trial.drop
    if drop is None:
        return ()
    order = np.argsort(drop.sample.values, kind="stable")[:FALLEN_TOLD].tolist()
    return tuple(
        FallenCase(
            id=drop.sample.cases[place].id,
            before=trial.sign * float(drop.before[place]),
            after=trial.sign * float(drop.after[place]),
        )
        for place in order
        if drop.sample.values[place] < 0.0
    )


def _counts(sample: Sample, outcome: Outcome | None = None) -> Counts:
    return Counts(
        scored=sample.n,
        expected=sample.expected,
        missing=sample.missing,
        absent=sample.absent,
        groups=outcome.groups if outcome else None,
        design_effect=outcome.design_effect if outcome else None,
    )
