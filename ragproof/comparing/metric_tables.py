"""The metrics of a comparison as tables, one a verdict: what a reader may claim stands in the heading."""

from __future__ import annotations

from collections.abc import Sequence

from ragproof.comparing.comparison import Comparison
from ragproof.comparing.metric_comparison import ALPHA, POWER, Degenerate, MetricComparison, Verdict
from ragproof.comparing.paired_scores import Arm
from ragproof.comparing.shown_table import Note, ShownTable
from ragproof.metric import Direction
from ragproof.reports import rounding
from ragproof.reports.wording import some
from ragproof.statistics.interval import Flag, Interval

LEAST_P = 0.001
NAMED = 2
"""How many metrics of one coverage are named."""
_HEADINGS = ("metric", "baseline", "candidate", "gain", "95 % interval")
_WORDS = {
    Flag.ALL_EQUAL: "all equal",
    Flag.ONE_CASE: "one case",
    Flag.NO_CASE: "no case",
    Flag.FEW_DOCUMENTS: "under 6 groups",
}
"""What stands in place of an interval that the data cannot carry."""


def metric_tables(comparison: Comparison) -> tuple[ShownTable, ...]:
    """Lay the metrics out, what may be claimed first; a verdict that no metric has is left out."""
    tables = (
        _claimed(comparison, Verdict.BETTER),
        _claimed(comparison, Verdict.WORSE),
        _claimed(comparison, Verdict.NO_DIFFERENCE_SHOWN),
        _unresolvable(comparison),
        _same(comparison),
        _described(comparison),
        _coverage(comparison),
        _missing(comparison),
        _absent(comparison),
    )
    return tuple(table for table in tables if table.rows or table.notes)


def signed(metric: str, number: float | None) -> str:
    """Write a difference with its sign."""
    shown = rounding.value(metric, number)
    return f"+{shown}" if number is not None and number > 0 else shown


def p_value(p: float) -> str:
    """Write a p value; one that rounds to nothing as a bound."""
    return f"<{LEAST_P}" if p < LEAST_P else rounding.fixed(p, rounding.SCORE_DIGITS)


def _claimed(comparison: Comparison, verdict: Verdict) -> ShownTable:
    metrics = comparison.of(verdict)
    rows = tuple(
        (
            each.key,
            *means(each),
            signed(each.key, each.difference),
            interval(each),
            p_value(each.tested.p_holm) if each.tested else rounding.ABSENT,
            _counts(each),
        )
        for each in metrics
    )
    notes = _not_shown(metrics) if verdict is Verdict.NO_DIFFERENCE_SHOWN else ()
    return ShownTable(verdict.value, (*_HEADINGS, "p", "win/tie/loss"), rows, notes=notes)


def _unresolvable(comparison: Comparison) -> ShownTable:
    """Those that differ on five cases at the most, and differ."""
    metrics = [each for each in comparison.of(Verdict.UNRESOLVABLE) if not nothing_to_test(each)]
    rows = tuple(
        (each.key, *means(each), signed(each.key, each.difference), interval(each), _counts(each))
        for each in metrics
    )
    title = f"{Verdict.UNRESOLVABLE.value}: five or fewer {_units(comparison)} differ, so no p could be small"
    return ShownTable(title, (*_HEADINGS, "win/tie/loss"), rows)


def _same(comparison: Comparison) -> ShownTable:
    """Those of which there is nothing to show but their names."""
    metrics = [each for each in comparison.metrics if nothing_to_test(each)]
    notes = tuple(
        Note(degenerate.value, tuple(each.key for each in metrics if each.degenerate is degenerate))
        for degenerate in Degenerate
    )
    return ShownTable("nothing to test", notes=tuple(note for note in notes if note.items))


def nothing_to_test(each: MetricComparison) -> bool:
    """Say whether a metric shows no number to be read: no pair, one, or the same on every case."""
    return each.degenerate in (Degenerate.NO_PAIR, Degenerate.ONE_PAIR, Degenerate.SAME)


def _described(comparison: Comparison) -> ShownTable:
    metrics = [
        each for each in comparison.metrics if each.direction is Direction.NONE and not nothing_to_test(each)
    ]
    rows = tuple((each.key, *means(each), signed(each.key, each.difference)) for each in metrics)
    headings = ("metric", "baseline", "candidate", "change")
    return ShownTable("describes, and is not tested", headings, rows)


def _coverage(comparison: Comparison) -> ShownTable:
    """On how many cases each mean and difference rests; metrics of the same coverage share a row."""
    n = len(comparison.pair.cases)
    alike: dict[tuple[int, str, str], list[str]] = {}
    for each in comparison.metrics:
        if each.first.expected or each.second.expected:
            key = (each.n_pairs, coverage(each.first), coverage(each.second))
            alike.setdefault(key, []).append(each.key)
    rows = tuple(
        (f"{pairs} of {n}", first, second, some(keys, NAMED))
        for (pairs, first, second), keys in sorted(alike.items(), reverse=True)
    )
    return ShownTable("coverage", ("pairs", "baseline", "candidate", "metrics"), rows, foreign=(3,))


def _missing(comparison: Comparison) -> ShownTable:
    rows = tuple(
        (
            each.key,
            coverage(each.first),
            coverage(each.second),
            _bounds(each),
            p_value(each.missing.p_missing),
        )
        for each in comparison.metrics
        if each.missing and (each.missing.missing_a or each.missing.missing_b)
    )
    headings = ("metric", "baseline", "candidate", "gain could be", "p of unequal loss")
    return ShownTable("cases that should have a score and have none", headings, rows)


def _absent(comparison: Comparison) -> ShownTable:
    """Why cases are left out of pairs by one run alone; what both leave out alike is no news."""
    rows = tuple(
        (each.key, str(each.first.absent), str(each.second.absent), _one_reason(each))
        for each in comparison.metrics
        if each.n_pairs and each.first.absent_reasons != each.second.absent_reasons
    )
    headings = ("metric", "baseline", "candidate", "most frequent reason")
    return ShownTable("cases left out, because one run has nothing to measure", headings, rows, (0, 3))


def _one_reason(each: MetricComparison) -> str:
    first, second = each.first.absent_reasons, each.second.absent_reasons
    reasons = {reason: abs(second.get(reason, 0) - first.get(reason, 0)) for reason in {**first, **second}}
    return max(reasons, key=lambda reason: (reasons[reason], reason))


def means(each: MetricComparison) -> tuple[str, str]:
    """Write each run's mean over its own scored cases."""
    return rounding.value(each.key, each.first.mean), rounding.value(each.key, each.second.mean)


def coverage(arm: Arm) -> str:
    """Write `scored n of N`."""
    return f"scored {arm.scored} of {arm.expected}"


def interval(each: MetricComparison) -> str:
    """Write an interval's ends, or the words for why the data carry none."""
    found: Interval | None = each.interval
    if found is None or found.low is None or found.high is None or each.degenerate is Degenerate.SHIFTED:
        flag = found.flag if found else None
        return _WORDS.get(flag, flag.value) if flag else rounding.ABSENT
    ends = " to ".join(rounding.value(each.key, end) for end in (found.low, found.high))
    return f"{ends} ({_WORDS[found.flag]})" if found.flag in _WORDS else ends


def _counts(each: MetricComparison) -> str:
    effects = each.effects
    return f"{effects.wins}/{effects.ties}/{effects.losses}" if effects else rounding.ABSENT


def _bounds(each: MetricComparison) -> str:
    found = each.missing
    if found is None or found.lowest_mean_difference is None or found.highest_mean_difference is None:
        return "not bounded"
    ends = (found.lowest_mean_difference, found.highest_mean_difference)
    return " to ".join(rounding.value(each.key, end) for end in ends)


def _not_shown(metrics: Sequence[MetricComparison]) -> tuple[Note, ...]:
    """What would have been seen, and what would pass had it been the only question."""
    seen = [
        f"{each.key} {rounding.value(each.key, each.detectable)}"
        for each in metrics
        if each.detectable is not None
    ]
    alone = [
        f"{each.key} {p_value(each.tested.sign_flip.p)}"
        for each in metrics
        if each.tested and each.tested.sign_flip.p <= ALPHA
    ]
    notes = (
        Note(f"a change this size would have shown {POWER * 10:g} times in 10", tuple(seen)),
        Note(f"p under {ALPHA} before it is adjusted", tuple(alone)),
    )
    return tuple(note for note in notes if note.items)


def _units(comparison: Comparison) -> str:
    return "groups of cases" if comparison.by_group else "cases"
