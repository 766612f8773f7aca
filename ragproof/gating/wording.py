"""A ruling in the cells of a table, and a gate in its first line."""

from __future__ import annotations

from ragproof.comparing.scored_run import ScoredRun
from ragproof.gating.demands import Kind
from ragproof.gating.gate import Gate
from ragproof.gating.reasons import percent
from ragproof.gating.ruling import Ruling
from ragproof.gating.verdict import Verdict
from ragproof.reports import rounding

HEADINGS = ("metric", "rule", "measured", "bound", "verdict", "reason")


def first_line(gate: Gate) -> str:
    """Say the verdict, of which run, and against which."""
    runs = gate.runs
    against = "" if runs.baseline is None else f" against {named(runs.baseline)}"
    return f"{gate.verdict.value}: run {named(runs.run)}{against}"


def named(run: ScoredRun) -> str:
    """Name a run so that it is found again: id, pipeline, label, and the file it came from."""
    record = run.record
    label = "" if record.label in (None, record.pipeline) else f", label {record.label}"
    file = "" if run.source in ("", record.id) else f", from {run.source}"
    return f"{record.id} ({record.pipeline}{label}{file})"


def row(ruling: Ruling) -> tuple[str, ...]:
    """Return the cells under `HEADINGS`; foreign text in them is as it came."""
    return (
        ruling.subject,
        str(ruling.demand),
        measured(ruling),
        bound(ruling),
        ruling.verdict.value,
        ruling.reason,
    )


def measured(ruling: Ruling) -> str:
    """Say what was measured, and how it compares with the baseline."""
    numbers, key = ruling.numbers, ruling.demand.metric
    if numbers is None or numbers.measured is None:
        return rounding.ABSENT
    if ruling.demand.kind is Kind.MAX_ERROR_RATE:
        return percent(numbers.measured)
    if numbers.baseline is None:
        return rounding.value(key, numbers.measured)
    before, after = (rounding.value(key, each) for each in (numbers.baseline, numbers.measured))
    return f"{before} -> {after} ({change(ruling, numbers.compared)})"


def bound(ruling: Ruling) -> str:
    """Return the bound that decided: that of a FAIL, or else that which a PASS is asked of."""
    numbers = ruling.numbers
    if numbers is None:
        return rounding.ABSENT
    number = numbers.fail_bound if ruling.verdict is Verdict.FAIL else numbers.pass_bound
    if number is None:
        return rounding.ABSENT
    if ruling.demand.kind is Kind.MAX_DROP:
        return change(ruling, number)
    if ruling.demand.statistic != "mean":
        return f"{percent(number)} of cases"
    return rounding.value(ruling.demand.metric, number)


def change(ruling: Ruling, difference: float | None) -> str:
    """Write an oriented difference in words: `0.016 better`."""
    if difference is None:
        return rounding.ABSENT
    size = rounding.value(ruling.demand.metric, abs(difference))
    if difference == 0.0:
        return "no change"
    return f"{size} {'better' if difference > 0.0 else 'worse'}"
