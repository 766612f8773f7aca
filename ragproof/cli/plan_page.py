"""A plan for readers: the answer in one sentence, what it rests on, every metric, and the price; and JSON."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import JsonValue

from ragproof.cli import screen
from ragproof.planning.costs import Cost
from ragproof.planning.plan import MetricPlan
from ragproof.planning.planning import RunPlan
from ragproof.planning.wording import (
    assumption,
    headline,
    money,
    number,
    sources,
    span,
)
from ragproof.reports import rounding
from ragproof.reports.visible import visible

UNPLANNED_SHOWN = 6


def show(found: RunPlan) -> None:
    """Print a plan."""
    screen.say(visible(headline(found)), "bold")
    rows = sources(found)
    if rows:
        screen.say()
        screen.pairs(rows)
    _metrics(found)
    _choices(found)
    _costs(found)
    _unplanned(found)


def _metrics(found: RunPlan) -> None:
    plans = found.plan.metrics
    if not plans:
        return
    grouped = any(each.design_effect > 1 for each in plans)
    headings = ("metric", "cases needed", "scored now", "can see", "sd", *(("grouping",) if grouped else ()))
    screen.heading("by metric")
    screen.table((*headings, "test"), [_row(each, grouped) for each in plans], headings[:1])
    screen.say("\nsd: of the differences between two variants, case by case")
    if any(each.spread.is_bound for each in plans):
        screen.say("<=: at most, for no two runs have shown yet how much variants differ")
    if grouped:
        screen.say("grouping: what cases that are not independent multiply the number of cases by")
    if any(each.needed is None for each in plans):
        effect = f"{found.plan.question.effect:g}"
        screen.say(f"-: {effect} is not meant for it; name one with --metric and --effect in its unit")


def _row(each: MetricPlan, grouped: bool) -> Sequence[str]:
    bound = "<= " if each.spread.is_bound else ""
    guessed = " (guess)" if each.correlation_assumed else ""
    return (
        each.metric,
        rounding.ABSENT if each.needed is None else f"{bound}{each.needed:,}",
        f"{each.scored:,} of {each.cases:,}",
        "no change" if each.seen is None else f"{bound}{number(each.seen)}",
        f"{bound}{number(each.spread.deviation)}",
        *((f"{rounding.fixed(each.design_effect, 2)}{guessed}",) if grouped else ()),
        each.method.value,
    )


def _choices(found: RunPlan) -> None:
    plan, primary = found.plan, found.plan.primary
    if primary is None:
        return
    if plan.deviations:
        screen.heading(f"{visible(primary.metric)}: if the differences turn out to vary less")
        rows = [(rounding.fixed(sd, 1), f"{needed:,}") for sd, needed in plan.deviations]
        screen.table(("sd of differences", "cases needed"), rows)
    if plan.repeats:
        screen.heading(f"{visible(primary.metric)}: more trials of each case, or more cases")
        calls = [(str(trials), f"{needed:,}", f"{trials * needed:,}") for trials, needed in plan.repeats]
        screen.table(("trials a case", "cases needed", "calls"), calls)


def _costs(found: RunPlan) -> None:
    costs = [found.now, *([found.needed] if found.needed is not None else [])]
    screen.heading("what one run costs")
    rows: list[tuple[str, ...]] = [
        ("cases", *(f"{cost.cases:,}" for cost in costs)),
        ("pipeline calls", *(f"{cost.pipeline_calls:,}" for cost in costs)),
        ("pipeline", *(money(cost.pipeline_usd) for cost in costs)),
    ]
    if found.judge is not None:
        rows += [
            ("judge calls", *(span(cost.judge_calls) for cost in costs)),
            ("judge", *(_judge(cost) for cost in costs)),
        ]
    screen.table(("", "now", *(["needed"] if found.needed is not None else [])), rows)
    if found.now.pipeline_usd is None:
        screen.say("\nthe pipeline's price is not known: set prices, and run it once")
    if found.judge is None:
        screen.say("no judge is configured, so none is asked")
    screen.say("a comparison takes two runs, unless the baseline has answered the same cases already")


def _judge(cost: Cost) -> str:
    if cost.judge_usd is None:
        return "not known"
    low, high = cost.judge_usd
    return money(low) if low == high else f"{money(low)} to {money(high)}"


def _unplanned(found: RunPlan) -> None:
    by_reason: dict[str, list[str]] = {}
    for metric, reason in found.plan.unplanned.items():
        by_reason.setdefault(reason, []).append(metric)
    if by_reason:
        screen.heading("not planned")
    for reason, metrics in by_reason.items():
        shown = ", ".join(map(visible, metrics[:UNPLANNED_SHOWN]))
        more = len(metrics) - UNPLANNED_SHOWN
        screen.say(f"{shown}{f', and {more} more' if more > 0 else ''}: {visible(reason)}")


def as_json(found: RunPlan) -> dict[str, JsonValue]:
    """Return a plan as JSON values; what is not known is null, never 0."""
    question, plan, basis = found.plan.question, found.plan, found.basis
    return {
        "project": found.project,
        "pipeline": found.pipeline,
        "effect": question.effect,
        "power": question.power,
        "alpha": question.alpha,
        "repeats": question.repeats,
        "headline": headline(found),
        "primary": None if plan.primary is None else plan.primary.metric,
        "baseline": None if basis.baseline is None else basis.baseline.source,
        "beside": None if basis.pair is None else basis.pair.second.source,
        "differs": [
            {"field": each.field, "baseline": each.first, "configured": each.second} for each in basis.differs
        ],
        "metrics": {each.metric: _metric(each) for each in plan.metrics},
        "unplanned": {**plan.unplanned},
        "deviations": [{"sd": sd, "cases_needed": needed} for sd, needed in plan.deviations],
        "repeated": [{"trials": trials, "cases_needed": needed} for trials, needed in plan.repeats],
        "cost": {
            "now": _cost(found.now),
            "needed": None if found.needed is None else _cost(found.needed),
        },
    }


def _metric(each: MetricPlan) -> JsonValue:
    spread, trials = each.spread, each.spread.trials
    parts: JsonValue = None
    if trials is not None:
        parts = {"between": trials.between, "within_a": trials.within_a, "within_b": trials.within_b}
    return {
        "cases_needed": each.needed,
        "scored_cases_needed": each.scored_needed,
        "cases_now": each.cases,
        "scored_now": each.scored,
        "detectable_now": each.seen,
        "test": each.method.value,
        "basis": spread.basis.name.lower(),
        "upper_bound": spread.is_bound,
        "assumption": assumption(each),
        "sd_of_differences": spread.deviation,
        "discordant": spread.discordant,
        "trials": parts,
        "cases_behind": spread.cases,
        "differing_cases": spread.differing,
        "design_effect": each.design_effect,
        "correlation_in_groups": spread.correlation,
        "correlation_assumed": each.correlation_assumed,
    }


def _cost(cost: Cost) -> JsonValue:
    calls, usd = cost.judge_calls, cost.judge_usd
    return {
        "cases": cost.cases,
        "pipeline_calls": cost.pipeline_calls,
        "pipeline_usd": cost.pipeline_usd,
        "judge_calls": None if calls is None else {"low": calls[0], "high": calls[1]},
        "judge_usd": None if usd is None else {"low": usd[0], "high": usd[1]},
    }
