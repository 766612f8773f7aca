"""What is about to be judged: a demand on one set of cases, with the numbers that they have."""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.comparing.scored_run import MetricScores, ScoredRun
from ragproof.gating.demands import Demand, Kind
from ragproof.gating.drop import Drop, drop_of, judge_drop
from ragproof.gating.error_rate import judge_error_rate
from ragproof.gating.held_runs import HeldRuns
from ragproof.gating.level import judge_level, level_sample
from ragproof.gating.outcome import Outcome
from ragproof.gating.percentile import judge_percentile, needed_share
from ragproof.gating.sample import Sample
from ragproof.gating.scope import Scope, scopes_of
from ragproof.metric import Direction
from ragproof.statistics.gate_bounds import Span
from ragproof.statistics.samples import TIE_TOLERANCE


@dataclass(frozen=True)
class Trial:
    """A demand on one set of cases.

    Attributes:
        demand: what is demanded.
        scope: of which cases.
        sample: their numbers, oriented.
        drop: both runs' numbers when it is about a difference; None otherwise.
        sign: what oriented them, 1 or -1.
    """

    demand: Demand
    scope: Scope
    sample: Sample
    drop: Drop | None
    sign: float

    def outcome(self, confidence: float) -> Outcome:
        """Judge it; confidence is one-sided, over one half."""
        demand = self.demand
        if self.drop is not None:
            return judge_drop(self.drop, demand.limit, demand.noise_floor, confidence)
        if demand.kind is Kind.MAX_ERROR_RATE:
            return judge_error_rate(self.sample, demand.limit, confidence)
        threshold = self.sign * demand.limit
        if demand.statistic == "mean":
            return judge_level(self.sample, threshold, confidence)
        share = needed_share(demand.statistic, at_most=demand.kind is Kind.MAX)
        return judge_percentile(self.sample, threshold, share, confidence)


def trials_of(demand: Demand, runs: HeldRuns) -> list[Trial] | str:
    """Return what is to be judged.

    Args:
        demand: of a rule.
        runs: the run and its baseline.

    Returns:
        A trial for each set of cases, by value of the tag; or in one sentence why nothing can be judged.
    """
    scores = runs.run.scores.get(demand.metric)
    if scores is None:
        return f"run '{runs.run.source}' did not measure '{demand.metric}'"
    if not demand.needs_baseline:
        problem = _outside(runs.run, demand.metric, scores.traits.span)
        return problem or _level_trials(demand, runs.run, scores)
    if runs.pair is None:
        return runs.problem or "there is no baseline to compare with"
    before = runs.pair.first.scores.get(demand.metric)
    if before is None:
        return f"the baseline, run '{runs.pair.first.source}', did not measure '{demand.metric}'"
    # A metric that is not known here any more has no range in this store, and may have one in a file.
    span = scores.traits.span or before.traits.span
    for run in (runs.pair.first, runs.pair.second):
        problem = _outside(run, demand.metric, span)
        if problem:
            return problem
    return _drop_trials(demand, runs, span)


def _level_trials(demand: Demand, run: ScoredRun, scores: MetricScores) -> list[Trial]:
    sign = -1.0 if demand.kind is Kind.MAX else 1.0
    return [
        Trial(demand, scope, level_sample(scores, run.cases, scope.chosen, sign), None, sign)
        for scope in scopes_of(run.cases, demand.tag)
    ]


def _drop_trials(demand: Demand, runs: HeldRuns, span: Span) -> list[Trial]:
    assert runs.pair is not None
    first, second = (each.scores[demand.metric] for each in (runs.pair.first, runs.pair.second))
    sign = -1.0 if second.traits.direction is Direction.LOWER else 1.0
    cases = runs.pair.second.cases

    def trial(scope: Scope) -> Trial:
        drop = drop_of(first, second, cases, scope.chosen, span, sign)
        return Trial(demand, scope, drop.sample, drop, sign)

    return [trial(scope) for scope in scopes_of(cases, demand.tag)]


def _outside(run: ScoredRun, key: str, span: Span) -> str | None:
    """Say that a value cannot be one of the metric's: no bound computed from its range would hold."""
    if span is None:
        return None
    slack = TIE_TOLERANCE * (span[1] - span[0])
    trials = run.scores[key].trials
    odd = trials[(trials < span[0] - slack) | (trials > span[1] + slack)]
    if not odd.size:
        return None
    return (
        f"run '{run.source}' holds {odd[0]:g} for '{key}'; expected values from {span[0]:g} to {span[1]:g}:"
        " measure it again, or export it again"
    )
