"""Why a verdict is what it is, in one sentence for whoever has to act on it."""

from __future__ import annotations

from ragproof.gating.demands import Demand, Kind
from ragproof.gating.outcome import Outcome
from ragproof.gating.percentile import needed_share
from ragproof.gating.sample import Sample
from ragproof.gating.verdict import Verdict
from ragproof.reports import rounding

_REASONS_TOLD = 2


def percent(share: float) -> str:
    """Write a share of 1 as `95 %`, with at most one decimal."""
    return f"{rounding.fixed(100.0 * share, 1).removesuffix('.0')} %"


def counted(number: int, noun: str) -> str:
    """Write `1 case` or `3 cases`."""
    return f"{number} {noun}{'s' * (number != 1)}"


def reason_of(demand: Demand, sample: Sample, outcome: Outcome, cases_needed: int | None) -> str:
    """Say why a demand was judged as it was.

    Args:
        demand: what was demanded.
        sample: what it was judged on.
        outcome: how.
        cases_needed: about how many cases would decide; None is not said.
    """
    if demand.kind is Kind.MAX_ERROR_RATE:
        return _of_errors(demand, sample)
    if outcome.verdict is Verdict.INCONCLUSIVE:
        needed = f"; about {cases_needed:,} cases would decide" if cases_needed else ""
        return f"{outcome.because}{needed}"
    said = _claim(demand, holds=outcome.verdict is Verdict.PASS)
    missing = sample.expected - sample.n
    anyway = (
        f", whatever the {counted(missing, 'missing value')} may be"
        if missing and outcome.verdict is Verdict.PASS
        else ""
    )
    return f"{said}, with {percent(outcome.confidence)} confidence{anyway}"


def too_few(sample: Sample, demand: Demand) -> str:
    """Say that a set of cases is too small to be judged."""
    return f"{counted(sample.expected, 'case')}, fewer than the {demand.min_cases} it takes (min_cases)"


def uncovered(sample: Sample, floor: float) -> str:
    """Say that a metric has too few values to stand for its cases."""
    told = "; ".join(f"{reason} ({count})" for reason, count in [*sample.missing.items()][:_REASONS_TOLD])
    return (
        f"{sample.n} of {counted(sample.expected, 'case')} have a value ({percent(sample.coverage)}), under"
        f" the floor of {percent(floor)}: {told}"
    )


def unspoken(sample: Sample) -> str:
    """Say that a metric has nothing to say of any case."""
    told = "; ".join(f"{reason} ({count})" for reason, count in [*sample.absent.items()][:_REASONS_TOLD])
    return f"no case has a value{f': {told}' if told else ''}"


def _claim(demand: Demand, *, holds: bool) -> str:
    limit = f"{demand.limit:g}"
    if demand.kind is Kind.MAX_DROP:
        return f"a drop of {limit} is ruled out" if holds else f"the drop is more than {limit}"
    side = "below" if (demand.kind is Kind.MAX) == holds else "above"
    if demand.statistic == "mean":
        return f"the mean is {side} {limit}"
    most = demand.kind is Kind.MAX
    share = percent(needed_share(demand.statistic, at_most=most))
    words = "at most" if most else "at least"
    return f"{'over' if holds else 'under'} {share} of cases are {words} {limit}"


def _of_errors(demand: Demand, sample: Sample) -> str:
    missing = sample.expected - sample.n
    told = "; ".join(f"{reason} ({count})" for reason, count in [*sample.missing.items()][:_REASONS_TOLD])
    have = "has" if missing == 1 else "have"
    return (
        f"{missing} of {counted(sample.expected, 'case')} {have} no value, {percent(demand.limit)} may"
        f"{f': {told}' if told else ''}"
    )
