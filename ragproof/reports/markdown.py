"""The report as Markdown: for a pull request, a wiki, or an artifact in Prefect's UI."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ragproof.reports import labels_wording, repeats_wording, rounding, wording
from ragproof.reports.markdown_text import code, table
from ragproof.reports.registry import Format

if TYPE_CHECKING:
    from ragproof.reports.report import RunReport, WorstCase
    from ragproof.summaries import Summary, Tag

QUESTION_CHARACTERS = 150
ANSWER_CHARACTERS = 250
ERROR_CHARACTERS = 400
FAILURES_SHOWN = 50
BAD_SCORES_SHOWN = 6
TAGS_ABREAST = 6
"""How many values of a tag stand side by side before a table becomes too wide to read."""

METRICS_NOTE = (
    "A mean is over the scored cases alone. When cases failed, *mean could be* says between which means the"
    " truth lies: every failed case at the worst and at the best value of the metric.\n"
)
WORST_NOTE = (
    "Lowest first: a case stands at the mean over metric families of its bounded scores. Shown are scores at"
    " the bad end of their range, or worse than the run's mean.\n"
)


def render(report: RunReport) -> str:
    """Write a report as GitHub-flavoured Markdown, in which no foreign text can be anything but text."""
    sections = (
        _head(report),
        _metrics(report.rows),
        _trust(report),
        _reasons(report.overall),
        *_tags(report.tagged),
        _repeats(report),
        _labels(report),
        _failures(report),
        _worst(report.worst),
    )
    return "\n".join(section for section in sections if section)


def _head(report: RunReport) -> str:
    title = f"# {code(report.run.pipeline)} on {code(report.run.dataset)}: {report.run.status.value}\n\n"
    rows = [(fact.label, code(fact.value) if fact.foreign else fact.value) for fact in wording.facts(report)]
    return title + table(rows[0], rows[1:])


def _metrics(summaries: Sequence[Summary]) -> str:
    if not summaries:
        return "## Metrics\n\nNothing was measured.\n"
    headings = ("metric", "better", "mean", "p50", "p95", "coverage", "skipped", "not applicable")
    rows = [_metric_row(summary) for summary in summaries]
    whole = table((*headings, "judge error", "case failed", "mean could be"), rows)
    return f"## Metrics\n\n{whole}\n{METRICS_NOTE}"


def _metric_row(summary: Summary) -> tuple[str, ...]:
    return (
        code(summary.metric),
        wording.direction(summary),
        *(rounding.value(summary.metric, number) for number in (summary.mean, summary.p50, summary.p95)),
        wording.coverage(summary),
        str(summary.skipped),
        str(summary.not_applicable),
        str(summary.judge_error),
        str(summary.case_failed),
        wording.bounds(summary),
    )


def _trust(report: RunReport) -> str:
    rows = [(code(metric), *shares) for metric, *shares in wording.trust(report.judge)]
    if not rows:
        return ""
    return "## How the judge agreed with labelled answers\n\n" + table(wording.TRUST_HEADINGS, rows)


def _reasons(summaries: Sequence[Summary]) -> str:
    causes = wording.causes(summaries)
    if not causes:
        return ""
    rows = [
        (code(cause.reason, ERROR_CHARACTERS), str(cause.cases), _names(cause.metrics, len(summaries)))
        for cause in causes
    ]
    return "## Why cases have no score\n\n" + table(("reason", "cases", "metrics"), rows)


def _names(metrics: Sequence[str], all_metrics: int) -> str:
    return "all" if len(metrics) == all_metrics > 1 else ", ".join(map(code, metrics))


def _tags(tagged: Mapping[Tag, Sequence[Summary]]) -> list[str]:
    sections = []
    for name, tags in wording.abreast(tagged, TAGS_ABREAST):
        rows = [
            (code(metric), *map(wording.mean_of_some, found))
            for metric, found in wording.across({tag: tagged[tag] for tag in tags}).items()
        ]
        sections.append(
            f"## By {code(name)}\n\n" + table(("metric", *(code(tag.value) for tag in tags)), rows)
        )
    return sections


def _repeats(report: RunReport) -> str:
    if report.repeats is None:
        return ""
    found = report.repeats
    spreads = [(code(metric), *numbers) for metric, *numbers in repeats_wording.spreads(found)]
    flaky = [
        (code(case), causes, ", ".join(map(code, metrics)))
        for case, causes, metrics in repeats_wording.flaky(found)
    ]
    return "\n".join(
        (
            f"## Repeats\n\n{repeats_wording.sentence(found)}\n",
            *([table(repeats_wording.SPREAD_HEADINGS, spreads)] if spreads else []),
            *([table(repeats_wording.FLAKY_HEADINGS, flaky[:FAILURES_SHOWN])] if flaky else []),
        )
    )


def _labels(report: RunReport) -> str:
    if report.labels is None:
        return ""
    found = report.labels.corrections
    rows = [(code(metric), *cells) for metric, *cells in labels_wording.rows(found)]
    notes = "".join(
        f"- {code(each.metric)}: {note.text}{': ' * bool(note.items)}{', '.join(map(code, note.items))}\n"
        for each in found
        for note in labels_wording.notes(each)
    )
    whole = table(labels_wording.HEADINGS, rows)
    return f"## Human labels\n\n{labels_wording.SENTENCE}\n\n{whole}" + (f"\n{notes}" if notes else "")


def _failures(report: RunReport) -> str:
    if not report.failures:
        return ""
    shown = report.failures[:FAILURES_SHOWN]
    rows = [(code(each.case_id), each.kind.value, code(each.message, ERROR_CHARACTERS)) for each in shown]
    more = len(report.failures) - len(shown)
    rest = f"\nand {more} more\n" if more else ""
    return "## Failed cases\n\n" + table(("case", "kind", "error"), rows) + rest


def _worst(worst: Sequence[WorstCase]) -> str:
    if not worst:
        return ""
    if all(case.question is None for case in worst):
        shown = table(("case", "scores"), [(code(case.case_id), _bad(case)) for case in worst])
    else:
        rows = [(code(case.case_id), _question(case), _answer(case), _bad(case)) for case in worst]
        shown = table(("case", "question", "answer", "scores"), rows)
    return f"## Worst cases\n\n{WORST_NOTE}\n{shown}"


def _question(case: WorstCase) -> str:
    return rounding.ABSENT if case.question is None else code(case.question, QUESTION_CHARACTERS)


def _answer(case: WorstCase) -> str:
    return rounding.ABSENT if case.answer is None else code(case.answer, ANSWER_CHARACTERS)


def _bad(case: WorstCase) -> str:
    shown = [code(str(score)) for score in case.bad[:BAD_SCORES_SHOWN]]
    more = len(case.bad) - len(shown)
    return ", ".join([*shown, f"and {more} more"] if more else shown)


FORMAT = Format("markdown", render)
