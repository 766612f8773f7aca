"""The one place where "could not be computed" is decided. Metrics never see what they cannot measure."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from numbers import Real

from pydantic import ValidationError

from ragproof.cases import Case, CaseKind
from ragproof.evidence import Evidence, Settings
from ragproof.metric import Explained, Measured, Measurement, Metric
from ragproof.outputs import CaseFailure, PipelineOutput
from ragproof.scores import BUDGET_EXHAUSTED, CaseFailed, NotApplicable, Score, Scored, Skipped


def applies_to(kinds: Iterable[CaseKind]) -> str:
    """Return the reason for a case of another kind: `applies to qa cases only`."""
    names = " and ".join(kind.value for kind in CaseKind if kind in frozenset(kinds))
    return f"applies to {names} cases only"


def out_of_reach(metric: Metric, case: Case, settings: Settings) -> str | None:
    """Say why no output whatsoever could make this metric score this case.

    Returns:
        The skip reason, or None when it depends on the output.
    """
    if case.kind not in metric.kinds:
        return applies_to(metric.kinds)
    for need in metric.needs:
        if not need.met_by_case(case, settings):
            return need.value
    return None


def score(
    metric: Metric,
    case: Case,
    outcome: PipelineOutput | CaseFailure,
    settings: Settings,
    *,
    chunk_level: bool = False,
) -> Score:
    """Measure one case, or say in words why there is no number.

    A failed case is `case_failed` for every metric (source A), whatever its kind. A metric that raises, or
    returns something that is not finite, is a fault of the metric on this case: `case_failed` too, with the
    error as the reason, so that it is counted as an error and never averaged.

    Args:
        metric: what to measure.
        case: the case.
        outcome: the pipeline's output, or its failure.
        settings: what gives the score its meaning.
        chunk_level: the expected ids of the run name chunks (`metrics.retrieval.expected_ids` finds out).

    Returns:
        A score with exactly one of the five outcomes.
    """
    (only,) = score_case([metric], case, outcome, settings, chunk_level=chunk_level)
    return only


def score_case(
    metrics: Iterable[Metric],
    case: Case,
    outcome: PipelineOutput | CaseFailure,
    settings: Settings,
    *,
    chunk_level: bool = False,
) -> tuple[Score, ...]:
    """Measure one case on several metrics, which share what they find in it; arguments as `score`.

    Returns:
        A score for each metric, in their order.
    """
    if isinstance(outcome, CaseFailure):
        return tuple(failed(metric, case, outcome.reason) for metric in metrics)
    evidence = Evidence(case, outcome, settings, chunk_level)
    return tuple(_score(metric, evidence) for metric in metrics)


def not_reached(metrics: Iterable[Metric], case: Case, settings: Settings) -> tuple[Score, ...]:
    """Return the scores of a case that was not asked because the budget was spent; a resumed run asks it."""
    return tuple(
        Score(
            case_id=case.id,
            metric=metric.key,
            result=Skipped(reason=out_of_reach(metric, case, settings) or BUDGET_EXHAUSTED.reason),
        )
        for metric in metrics
    )


def in_trial(trial: int, scores: tuple[Score, ...]) -> tuple[Score, ...]:
    """Return the scores as those of a repeat, 0 being the first."""
    return scores if trial == 0 else tuple(score.model_copy(update={"trial": trial}) for score in scores)


def _score(metric: Metric, evidence: Evidence) -> Score:
    unmet = unmeasurable(metric, evidence)
    if unmet is not None:
        return Score(case_id=evidence.case.id, metric=metric.key, result=unmet)
    if metric.measure is None:
        raise ValueError(f"metric '{metric.key}' is measured by a judge alone; expected 'judge_case'")
    try:
        return score_of(metric, evidence, metric.measure(evidence))
    except Exception as error:  # a user's metric may raise anything; the run must go on
        return broke(metric, evidence, error)


def unmeasurable(metric: Metric, evidence: Evidence) -> Skipped | None:
    """Return why a metric cannot measure this case: its kind, or the first need that is not met."""
    if evidence.case.kind not in metric.kinds:
        return _skipped(applies_to(metric.kinds))
    for need in metric.needs:
        if not need.met(evidence):
            return _skipped(need.value)
    return None


@lru_cache(maxsize=64)
def _skipped(reason: str) -> Skipped:
    """Return the one object for a reason, which may stand in every score of a run."""
    return Skipped(reason=reason)


def broke(metric: Metric, evidence: Evidence, error: Exception) -> Score:
    """Return the score of a metric that raised: an error of this case, counted and never averaged."""
    return failed(metric, evidence.case, f"metric '{metric.key}' raised {type(error).__name__}: {error}")


def score_of(metric: Metric, evidence: Evidence, measured: Measured) -> Score:
    """Return what a metric measured as a score; a number it must not return is an error of this case."""
    if isinstance(measured, Skipped | NotApplicable):
        measured = Explained(measured)
    if isinstance(measured, Explained):
        details = dict(measured.details)
        return Score(case_id=evidence.case.id, metric=metric.key, result=measured.result, details=details)
    measurement = measured if isinstance(measured, Measurement) else Measurement(measured)
    fault = _fault(metric, measurement.value)
    if fault is None:
        try:
            return Score(
                case_id=evidence.case.id,
                metric=metric.key,
                result=Scored(value=float(measurement.value)),
                details=dict(measurement.details),
            )
        except ValidationError:
            fault = "details that are not JSON, expected texts, finite numbers, lists and objects"
    return failed(metric, evidence.case, f"metric '{metric.key}' returned {fault}")


def failed(metric: Metric, case: Case, reason: str) -> Score:
    """Return the score of a case that errs for a metric."""
    # A lone surrogate in a message is no text, and would stop the run where the failure is only to be told.
    readable = reason.encode("utf-8", "backslashreplace").decode("utf-8")
    return Score(case_id=case.id, metric=metric.key, result=CaseFailed(reason=readable))


def _fault(metric: Metric, value: object) -> str | None:
    if type(value) is not float and (isinstance(value, bool) or not isinstance(value, Real)):
        return f"{type(value).__name__}, expected a number"
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        return f"{number}, expected a finite number"
    low, high = metric.range.low, metric.range.high
    if (low is not None and number < low) or (high is not None and number > high):
        return f"{value}, outside its declared range {low} to {high}"
    return None
