"""A plan in sentences: the answer, what it rests on, and what was assumed where nothing was measured."""

from __future__ import annotations

from ragproof.planning.plan import MetricPlan
from ragproof.planning.planning import RunPlan
from ragproof.planning.spread import ASSUMED_CORRELATION, Basis
from ragproof.reports import rounding
from ragproof.statistics.sign_flip import UNRESOLVABLE_UP_TO

CENT_DIGITS = 2
FIELDS_SHOWN = 3
MOST_PLACES = 12


def headline(found: RunPlan) -> str:
    """Answer in one sentence; foreign text in it is not made safe yet."""
    question, primary = found.plan.question, found.plan.primary
    if primary is None:
        named = found.plan.unplanned.get(question.metric or "")
        if named is not None:
            return f"{question.metric} cannot be planned: {named}."
        return "None of these metrics can be planned."
    if primary.needed is None:
        now = _sees(primary)
        return f"An effect of {question.effect:g} is not meant for {primary.metric}; {now}."
    most = "at most " if primary.spread.is_bound else ""
    return (
        f"To see a change of {question.effect:g} in {primary.metric} with {100 * question.power:g} % power"
        f" you need {most}{primary.needed:,} cases; {_sees(primary)}."
    )


def _sees(each: MetricPlan) -> str:
    if each.seen is None:
        return f"you have {each.cases:,}, too few to see any"
    worst = " at worst" if each.spread.is_bound else ""
    return f"you have {each.cases:,}, which can see {number(each.seen)}{worst}"


def sources(found: RunPlan) -> list[tuple[str, str]]:
    """Say what the answer rests on, a label and a value a line."""
    question, basis, primary = found.plan.question, found.basis, found.plan.primary
    if primary is None:
        return []
    trials = f"{question.repeats} trial{'s' * (question.repeats > 1)} a case"
    rows = [
        ("rests on", _runs(found, primary)),
        ("test", f"{primary.method.value}, two-sided at {question.alpha:g}, {trials}"),
    ]
    if primary.needed is not None and primary.scored_needed != primary.needed:
        share = f"{rounding.fixed(100 * primary.share, 0)} % of cases are"
        rows.append(("scored", f"{share}, so {primary.scored_needed:,} of {primary.needed:,}"))
    if primary.design_effect > 1:
        times = f"{rounding.fixed(primary.design_effect, 2)} times as many are needed"
        guess = (
            f" (at a correlation of {ASSUMED_CORRELATION:g}, a guess)" if primary.correlation_assumed else ""
        )
        rows.append(("groups", f"cases of one group are not independent: {times}{guess}"))
    if question.repeats > 1 and primary.spread.trials is None:
        rows.append(
            ("repeats", "not counted: no run here asked a case twice, which would show what they save")
        )
    if basis.differs:
        shown = "; ".join(
            f"{each.field} {each.first} not {each.second}" for each in basis.differs[:FIELDS_SHOWN]
        )
        more = len(basis.differs) - FIELDS_SHOWN
        rows.append(("baseline had", f"{shown}{f'; and {more} more' if more > 0 else ''}"))
    return rows


def assumption(each: MetricPlan) -> str:
    """Say how the spread of one metric is known."""
    spread = each.spread
    if spread.basis is Basis.TWO_RUNS:
        return f"{spread.cases:,} cases scored by both, of which {spread.differing:,} differ"
    if spread.basis is Basis.ONE_RUN:
        return f"at most: its {spread.cases:,} cases, as if another variant did well on unrelated ones"
    return "at most: its range, as if each variant were at one end of it in half of the cases"


def number(value: float) -> str:
    """Write an effect with two significant digits, and whole from 10 on."""
    places = 0
    while places < MOST_PLACES and abs(value) * 10**places < 10:
        places += 1
    return rounding.fixed(value, places)


def money(usd: float | None) -> str:
    """Write dollars; None is not known."""
    if usd is None:
        return "not known"
    return f"${rounding.fixed(usd, CENT_DIGITS if usd >= 1 else rounding.USD_DIGITS)}"


def span(ends: tuple[int, int] | None) -> str:
    """Write a number that lies between two, once when they are one."""
    if ends is None:
        return rounding.ABSENT
    low, high = ends
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _runs(found: RunPlan, primary: MetricPlan) -> str:
    basis, told = found.basis, assumption(primary)
    both = None if basis.pair is None else (basis.pair.first.name, basis.pair.second.name)
    if primary.spread.basis is Basis.TWO_RUNS and both is not None:
        return f"runs {both[0]} and {both[1]}: {told}"
    alike = (
        f"; run {both[1]} differs on {UNRESOLVABLE_UP_TO} cases or fewer" if both and primary.alike else ""
    )
    if primary.spread.basis is Basis.ONE_RUN and basis.baseline is not None:
        return f"run {basis.baseline.name}, {told}{alike}"
    return f"no run that shows it; {told}"
