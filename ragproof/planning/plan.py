"""A plan: for each metric the cases that an effect needs and the effect that the present cases see.

The metric that decides is planned first and alone says what the next run costs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ragproof.cases import Case
from ragproof.comparing.scored_run import MetricScores, ScoredRun
from ragproof.config import EvalConfig
from ragproof.errors import ConfigurationError, nearest
from ragproof.leaderboards.shared_cases import documents_of
from ragproof.metric import Direction, Metric
from ragproof.planning.basis_runs import BasisRuns
from ragproof.planning.present_cases import PresentCases, present_cases
from ragproof.planning.question import Question
from ragproof.planning.sample_size import Method, cases_needed, effect_seen, method_of
from ragproof.planning.spread import ASSUMED_CORRELATION, Spread, of_one_run, of_range, of_two_runs

DESCRIBES = "describes and ranks nothing"
OPEN_RANGE = "its range is open, and no run has shown how it varies"
DEVIATIONS = (0.1, 0.2, 0.3, 0.5, 0.7)
"""Standard deviations of differences, of a metric from 0 to 1, to choose among where none was measured."""
REPEATS = (1, 2, 3, 5, 10)


@dataclass(frozen=True)
class MetricPlan:
    """One metric, planned.

    Attributes:
        metric: its key.
        spread: how differences vary.
        alike: whether there are two runs, and they differ on too few cases to show it.
        method: the test that the comparison will run.
        cases: of the dataset now.
        share: of cases that the metric scores, in (0, 1].
        design_effect: how much groups of cases inflate the variance, at least 1.
        correlation_assumed: whether the correlation inside groups is a guess.
        scored_needed: scored cases that see the effect; None when the effect is not meant for this metric.
        needed: cases of a dataset like this one, for so many to be scored; None together with it.
        seen: the effect that the cases of now see; None when they see none.
        is_of_unit_range: whether the metric lies between 0 and 1.
    """

    metric: str
    spread: Spread
    alike: bool
    method: Method
    cases: int
    share: float
    design_effect: float
    correlation_assumed: bool
    scored_needed: int | None
    needed: int | None
    seen: float | None
    is_of_unit_range: bool

    @property
    def scored(self) -> int:
        """How many of the present cases the metric scores."""
        return round(self.share * self.cases)


@dataclass(frozen=True)
class Plan:
    """All metrics of a configuration.

    Attributes:
        question: what was asked.
        primary: the metric that decides, planned; None when it cannot be.
        metrics: those that could be planned, in order.
        unplanned: why the others could not.
        deviations: for the primary metric, standard deviations with the cases they need; empty when it was
            measured on two runs.
        repeats: for the primary metric, numbers of trials with the cases they need; empty when no run
            asked a case twice.
    """

    question: Question
    primary: MetricPlan | None
    metrics: tuple[MetricPlan, ...]
    unplanned: Mapping[str, str]
    deviations: tuple[tuple[float, int], ...]
    repeats: tuple[tuple[int, int], ...]


def plan(config: EvalConfig, cases: Sequence[Case], question: Question, basis: BasisRuns) -> Plan:
    """Plan the next comparison.

    Args:
        config: what would be run.
        cases: that it would ask, at least one.
        question: the effect and the errors.
        basis: what was measured before.

    Raises:
        ConfigurationError: the metric asked for is none of the configuration's, or ranks nothing, or the
            effect is larger than its range.
    """
    chosen = metrics_meant(config, question)
    planned: list[MetricPlan] = []
    unplanned: dict[str, str] = {}
    for metric in chosen:
        found = _planned(metric, present_cases(metric, cases, config.settings()), question, basis)
        if isinstance(found, MetricPlan):
            planned.append(found)
        else:
            unplanned[metric.key] = found
    primary = _primary(chosen, planned)
    return Plan(
        question=question,
        primary=primary,
        metrics=tuple(planned),
        unplanned=unplanned,
        deviations=_deviations(primary, question) if primary is not None else (),
        repeats=_repeats(primary, question) if primary is not None else (),
    )


def metrics_meant(config: EvalConfig, question: Question) -> tuple[Metric, ...]:
    """Return the metrics to plan; errors as of `plan`."""
    chosen = config.chosen_metrics()
    if question.metric is None:
        return chosen
    keys = [metric.key for metric in chosen]
    named = next((metric for metric in chosen if metric.key == question.metric), None)
    if named is None:
        raise ConfigurationError(
            f"no metric of this configuration is '{question.metric}'; 'ragproof metrics' lists them"
            f"{nearest(question.metric, keys)}"
        )
    if named.direction is Direction.NONE:
        raise ConfigurationError(f"'{named.key}' {DESCRIBES}; expected a metric with a direction")
    width = _width(named)
    if width is not None and question.effect > width:
        raise ConfigurationError(
            f"an effect of {question.effect:g} is more than the range of '{named.key}' allows, {width:g};"
            " expected a smaller one"
        )
    return (named,)


def _planned(metric: Metric, present: PresentCases, question: Question, basis: BasisRuns) -> MetricPlan | str:
    if metric.direction is Direction.NONE:
        return DESCRIBES
    if not present.in_reach:
        return present.reason or "the dataset has no case"
    spread, share = _spread(metric, present, basis)
    if spread is None:
        return OPEN_RANGE
    correlation = spread.correlation
    deff = present.design_effect(ASSUMED_CORRELATION if correlation is None else correlation)
    meant = question.metric is not None or _is_meant(metric, question.effect)
    scored_needed = cases_needed(spread, question, deff) if meant else None
    return MetricPlan(
        metric=metric.key,
        spread=spread,
        alike=spread.is_bound and _paired(metric, basis),
        method=method_of(spread),
        cases=present.cases,
        share=share,
        design_effect=deff,
        correlation_assumed=present.is_grouped and correlation is None,
        scored_needed=scored_needed,
        needed=None if scored_needed is None else _in_all(scored_needed, share),
        seen=effect_seen(spread, round(share * present.cases), question, deff),
        is_of_unit_range=(metric.range.low, metric.range.high) == (0.0, 1.0),
    )


def _spread(metric: Metric, present: PresentCases, basis: BasisRuns) -> tuple[Spread | None, float]:
    """The best spread there is, and the share of cases that the metric scores."""
    if basis.pair is not None and _paired(metric, basis):
        first, second = (each.scores[metric.key] for each in (basis.pair.first, basis.pair.second))
        found = of_two_runs(first, second, documents_of(basis.pair.cases))
        if found is not None:
            return found, float((first.scored & second.scored).mean())
    scores = _scores(basis.baseline, metric.key)
    if scores is not None and basis.baseline is not None and scores.scored.any():
        found = of_one_run(scores, documents_of(basis.baseline.cases))
        bound = found or of_range(metric.range.low, metric.range.high)
        return bound, float(scores.scored.mean())
    return of_range(metric.range.low, metric.range.high), present.in_reach / present.cases


def _paired(metric: Metric, basis: BasisRuns) -> bool:
    return basis.pair is not None and metric.key in basis.pair.metrics


def _scores(run: ScoredRun | None, key: str) -> MetricScores | None:
    return None if run is None else run.scores.get(key)


def _width(metric: Metric) -> float | None:
    low, high = metric.range.low, metric.range.high
    return None if low is None or high is None else high - low


def _is_meant(metric: Metric, effect: float) -> bool:
    """An effect for all metrics is for those whose range holds it: nobody means 0.03 of a millisecond."""
    width = _width(metric)
    return width is not None and effect <= width


def _primary(chosen: Sequence[Metric], planned: Sequence[MetricPlan]) -> MetricPlan | None:
    by_key = {each.metric: each for each in planned}
    for direction in (Direction.HIGHER, Direction.LOWER):
        for metric in chosen:
            if metric.direction is direction and metric.key in by_key:
                return by_key[metric.key]
    return None


def _deviations(primary: MetricPlan, question: Question) -> tuple[tuple[float, int], ...]:
    if not (primary.spread.is_bound and primary.is_of_unit_range) or primary.needed is None:
        return ()
    found = []
    for deviation in (each for each in DEVIATIONS if each < primary.spread.deviation):
        spread = replace(primary.spread, variance=deviation**2, trials=None, discordant=None)
        needed = cases_needed(spread, question, primary.design_effect)
        found.append((deviation, _in_all(needed, primary.share)))
    return tuple(found)


def _repeats(primary: MetricPlan, question: Question) -> tuple[tuple[int, int], ...]:
    if primary.spread.trials is None or primary.needed is None:
        return ()
    numbers = sorted({*REPEATS, question.repeats})
    needed = [
        cases_needed(primary.spread, replace(question, repeats=number), primary.design_effect)
        for number in numbers
    ]
    return tuple((number, _in_all(n, primary.share)) for number, n in zip(numbers, needed, strict=True))


def _in_all(scored: int, share: float) -> int:
    """Cases of the dataset for so many to be scored, forgiving rounding in the last places."""
    return math.ceil(scored / share - 1e-9)
