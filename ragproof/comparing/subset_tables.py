"""Runs, tags and groups of a comparison as tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ragproof.comparing.comparison import Comparison
from ragproof.comparing.metric_tables import p_value, signed
from ragproof.comparing.pairing import Pair
from ragproof.comparing.scored_run import ScoredRun
from ragproof.comparing.shown_table import Note, ShownTable
from ragproof.comparing.subsets import MIN_CASES, Subset
from ragproof.reports import rounding
from ragproof.reports.wording import HASH_DIGITS

MOVERS = 5
LISTED = 8
"""How many of the cases that are left out are named; the JSON names all."""
ALL_METRICS = "all"
_CHANGE = "change"
_OVER_ALL = Note("a case's gain is its mean over metric families, as a share of each metric's range")
_FACTS: Mapping[str, Callable[[ScoredRun], str | None]] = {
    "variant": lambda run: run.record.pipeline,
    "label": lambda run: run.record.label,
    "run": lambda run: run.source,
    "status": lambda run: run.record.status.value,
    "started": lambda run: f"{run.record.started_at:%Y-%m-%d %H:%M:%S %Z}",
    "git revision": lambda run: _short(run.record.git_revision),
    "pipeline version": lambda run: run.record.pipeline_version,
    "corpus version": lambda run: run.record.corpus_version,
    "cases": lambda run: f"{run.record.cases.ok} of {run.record.cases.total} answered",
    "judge served": lambda run: ", ".join(run.served),
}


def runs_table(comparison: Comparison) -> ShownTable:
    """Lay both runs out side by side; what neither of them knows is left out."""
    pair = comparison.pair
    facts = [(label, value(pair.first) or "", value(pair.second) or "") for label, value in _FACTS.items()]
    rows = [
        (label, first or rounding.ABSENT, second or rounding.ABSENT)
        for label, first, second in facts
        if first or second
    ]
    return ShownTable(
        "runs", ("", "baseline", "candidate"), tuple(rows), foreign=(1, 2), notes=_left_out(pair)
    )


def tag_table(comparison: Comparison) -> ShownTable:
    """Show where the difference sits, by tag: the largest fall of each tag's values first."""
    several = bool(comparison.asked)
    moved = sorted(
        (each for each in comparison.tags if each.difference),
        key=lambda each: (each.measure or "", each.tag.name, each.difference),
    )
    rows = tuple((*((each.measure or ALL_METRICS,) * several), *_subset(each)) for each in moved)
    headings = (*(("metric",) * several), "tag", "value", "cases", "gain", "p", "")
    notes = (_OVER_ALL,) if rows and not several else ()
    return ShownTable("by tag", headings, rows, (0, 1, 2) if several else (0, 1), notes)


def group_table(comparison: Comparison) -> ShownTable:
    """Show the groups that moved most: the largest falls, then the largest rises."""
    several = bool(comparison.asked)
    chosen = []
    for measure in dict.fromkeys(each.measure for each in comparison.groups):
        of_measure = [each for each in comparison.groups if each.measure == measure]
        falls = [each for each in of_measure if each.difference < 0.0][:MOVERS]
        chosen += [*falls, *[each for each in reversed(of_measure) if each.difference > 0.0][:MOVERS]]
    rows = tuple(
        (
            *((each.measure or ALL_METRICS,) * several),
            each.group,
            str(each.n),
            signed(each.measure or _CHANGE, each.difference),
        )
        for each in chosen
    )
    headings = (*(("metric",) * several), "group", "cases", "gain")
    return ShownTable("groups that moved most", headings, rows, (0, 1) if several else (0,))


def _left_out(pair: Pair) -> tuple[Note, ...]:
    """List the cases and metrics that are in no comparison."""
    first, second = pair.first.scores, pair.second.scores
    lists = (
        ("cases of the baseline alone", pair.only_first),
        ("cases of the candidate alone", pair.only_second),
        ("cases that are others by now", pair.changed),
        ("metrics of the baseline alone", tuple(key for key in first if key not in second)),
        ("metrics of the candidate alone", tuple(key for key in second if key not in first)),
    )
    return tuple(
        Note(f"{words}, {len(names)}", (*names[:LISTED], *(("...",) if len(names) > LISTED else ())))
        for words, names in lists
        if names
    )


def _subset(each: Subset) -> tuple[str, ...]:
    return (
        each.tag.name,
        each.tag.value,
        str(each.n),
        signed(each.measure or _CHANGE, each.difference),
        rounding.ABSENT if each.p_holm is None else p_value(each.p_holm),
        each.verdict.value if each.verdict else f"not tested, under {MIN_CASES} cases",
    )


def _short(revision: str | None) -> str | None:
    """The beginning of a commit, and whether files were changed since."""
    commit, plus, changes = (revision or "").partition("+")
    return f"{commit[:HASH_DIGITS]}{plus}{changes}"
