"""A run on the screen: what is good and what is bad in it, how sure that is, and what to type next."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ragproof.cli import screen
from ragproof.cli.screen import NUMBERS, console, heading, pairs, say, table
from ragproof.reports import labels_wording, repeats_wording, rounding, wording
from ragproof.reports.headline import headline, unmeasured
from ragproof.reports.visible import excerpt, visible
from ragproof.runs import RunStatus

if TYPE_CHECKING:
    from ragproof.reports.report import RunReport
    from ragproof.summaries import Summary

TEXT_CHARACTERS = 160
"""How much of a question, an answer or an error stands in a table."""
FAILURES_SHOWN = 10
NAMES_SHOWN = 4
TAGS_ABREAST = 6
TAG_COLUMNS = 30


def print_report(report: RunReport, *, by_tag: bool = True) -> None:
    """Print a run: head, metrics with their coverage, failed and worst cases, and what to type next.

    Args:
        report: the run.
        by_tag: print the means of each tag too; False says how to see them.
    """
    style = "green" if report.run.status is RunStatus.COMPLETED else "red"
    say(f"run {visible(report.run.id)}  {report.run.status.value}", f"bold {style}")
    pairs((fact.label, fact.value) for fact in wording.facts(report) if fact.label not in ("run", "status"))
    heading("metrics")
    shown = headline(report.overall)
    _metrics(shown)
    _causes(shown)
    _unmeasured(report)
    _trust(report)
    if by_tag:
        _tags(report)
    _repeats(report)
    _labels(report)
    _failures(report)
    _worst(report)
    _next(report, by_tag)


def _metrics(summaries: Sequence[Summary]) -> None:
    numbers = [
        (
            summary.metric,
            wording.direction(summary),
            *(rounding.value(summary.metric, number) for number in (summary.mean, summary.p50, summary.p95)),
            wording.coverage(summary),
        )
        for summary in summaries
    ]
    counts = [(wording.not_scored(summary), wording.bounds(summary)) for summary in summaries]
    whole = ("metric", *NUMBERS, "coverage")
    headings, others = ("metric", "better", "mean", "p50", "p95", "coverage"), ("not scored", "mean could be")
    joined = [(*left, *right) for left, right in zip(numbers, counts, strict=True)]
    drawn = screen.laid_out((*headings, *others), joined, whole)
    if screen.fits(drawn):
        screen.draw(drawn)
        return
    table(headings, numbers, whole)
    say()
    named = [(summary.metric, *right) for summary, right in zip(summaries, counts, strict=True)]
    table(("metric", *others), named, ("metric", "mean could be"))


def _causes(summaries: Sequence[Summary]) -> None:
    causes = wording.causes(summaries)
    if causes:
        heading("why cases have no score")
        rows = [
            (
                str(cause.cases),
                excerpt(cause.reason, TEXT_CHARACTERS),
                wording.some(cause.metrics, NAMES_SHOWN),
            )
            for cause in causes
        ]
        table(("cases", "reason", "metrics"), rows)


def _unmeasured(report: RunReport) -> None:
    by_reason = unmeasured(report.overall)
    if by_reason:
        heading("not measured")
        for reason, keys in by_reason.items():
            say(f"{', '.join(keys)}: {visible(reason)}")


def _trust(report: RunReport) -> None:
    rows = wording.trust(report.judge)
    if rows:
        heading("how the judge agreed with labelled answers")
        table(wording.TRUST_HEADINGS, rows, ("metric",))


def _tags(report: RunReport) -> None:
    tagged = {tag: headline(summaries) for tag, summaries in report.tagged.items()}
    width = max(1, min(TAGS_ABREAST, console().width // TAG_COLUMNS - 1))
    for name, tags in wording.abreast(tagged, width):
        heading(f"by {visible(name)}")
        rows = [
            (metric, *map(wording.mean_of_some, found))
            for metric, found in wording.across({tag: tagged[tag] for tag in tags}).items()
        ]
        table(("metric", *(visible(tag.value) for tag in tags)), rows, ("metric",))


def _repeats(report: RunReport) -> None:
    if report.repeats is None:
        return
    heading("repeats")
    say(repeats_wording.sentence(report.repeats))
    spreads = repeats_wording.spreads(report.repeats)
    if spreads:
        table(repeats_wording.SPREAD_HEADINGS, spreads, repeats_wording.SPREAD_HEADINGS)
    flaky = repeats_wording.flaky(report.repeats)
    if flaky:
        rows = [
            (case, causes, wording.some(metrics, NAMES_SHOWN))
            for case, causes, metrics in flaky[:FAILURES_SHOWN]
        ]
        table(repeats_wording.FLAKY_HEADINGS, rows, ("case",))
        more = len(flaky) - len(rows)
        if more:
            say(f"and {more} more")


def _labels(report: RunReport) -> None:
    if report.labels is None:
        return
    heading("human labels")
    say(labels_wording.SENTENCE)
    found = report.labels.corrections
    table(labels_wording.HEADINGS, labels_wording.rows(found), labels_wording.HEADINGS)
    for each in found:
        for note in labels_wording.notes(each):
            items = f": {', '.join(note.items)}" if note.items else ""
            say(visible(f"{each.metric}: {note.text}{items}"))


def _failures(report: RunReport) -> None:
    if report.failures:
        heading("failed cases")
        shown = report.failures[:FAILURES_SHOWN]
        table(
            ("case", "error"),
            [(each.case_id, excerpt(each.reason, TEXT_CHARACTERS)) for each in shown],
            ("case",),
        )
        more = len(report.failures) - len(shown)
        if more:
            say(f"and {more} more")


def _worst(report: RunReport) -> None:
    if report.worst:
        heading("worst cases")
        rows = [
            (
                case.case_id,
                excerpt(case.question or rounding.ABSENT, TEXT_CHARACTERS),
                excerpt(case.answer or rounding.ABSENT, TEXT_CHARACTERS),
                wording.some([str(score) for score in case.bad], NAMES_SHOWN),
            )
            for case in report.worst
        ]
        table(("case", "question", "answer", "scores"), rows, ("case",))


def _next(report: RunReport, by_tag: bool) -> None:
    run = visible(report.run.id)
    bad = [*(case.case_id for case in report.worst), *(case.case_id for case in report.failures)]
    commands = [f"ragproof show {run} --case {visible(shlex.quote(bad[0]))}"] if bad else []
    if not by_tag and report.tagged:
        commands.append(f"ragproof show {run}")
    commands.append(f"ragproof report {run} --md report.md")
    say()
    for position, command in enumerate(commands):
        say(f"{'      ' if position else 'next: '}{command}", "bold")
