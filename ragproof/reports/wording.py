"""How a run and its numbers are put into words, the same in every report for people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from ragproof.judge.metering import Basis
from ragproof.metric import Direction
from ragproof.reports import rounding
from ragproof.reports.judge_spend import JUDGE_SPEND

if TYPE_CHECKING:
    from ragproof.reports.judged_by import JudgedBy
    from ragproof.reports.report import RunReport
    from ragproof.runs import RunRecord
    from ragproof.summaries import Summary, Tag

UNCERTAIN_SHOWN = 5
TRUST_HEADINGS = ("metric", "same band as the label", "within one band", "kappa")
HASH_DIGITS = 12
"""How much of a sha256 is shown: enough to tell two apart."""

_DIRECTION = {Direction.HIGHER: "↑ higher", Direction.LOWER: "↓ lower", Direction.NONE: "describes"}


@dataclass(frozen=True)
class Fact:
    """One line of a report's head."""

    label: str
    value: str
    foreign: bool = False
    """Written by others: to be shown as it is, and never to be obeyed."""


@dataclass(frozen=True)
class Cause:
    """Why cases have no number, and for which metrics."""

    reason: str
    cases: int
    metrics: tuple[str, ...]


def facts(report: RunReport) -> tuple[Fact, ...]:
    """Return the head of a report: what ran, on what, and how it ended; what is not known is left out."""
    run = report.run
    found = (
        Fact("run", run.id, True),
        Fact("label", run.label or "", True),
        Fact("project", run.project, True),
        Fact("pipeline", run.pipeline, True),
        Fact("pipeline version", run.pipeline_version or "", True),
        Fact("corpus version", run.corpus_version or "", True),
        Fact("status", run.status.value),
        Fact("reason", run.status_reason or "", True),
        Fact("dataset", run.dataset, True),
        Fact("dataset hash", (run.dataset_hash or "")[:HASH_DIGITS], True),
        Fact("cases", _cases(report)),
        Fact("uncertain", _uncertain(report), True),
        Fact("git revision", run.git_revision or "", True),
        Fact("started", f"{run.started_at:%Y-%m-%d %H:%M:%S %Z}"),
        Fact("duration", rounding.duration(duration_seconds(run))),
        Fact("judge", _judge(report), True),
        Fact("judging", _spend(report)),
        Fact("calibrated", _calibrated(report), True),
        Fact("comparability", (run.comparability_key or "")[:HASH_DIGITS], True),
    )
    return tuple(fact for fact in found if fact.value)


def duration_seconds(run: RunRecord) -> float | None:
    """Return how long a run was worked on, over all its resumes; None while it has not finished."""
    return None if run.finished_at is None else run.worked_seconds


def direction(summary: Summary) -> str:
    """Return which way is better, with an arrow."""
    return _DIRECTION[summary.direction]


def coverage(summary: Summary) -> str:
    """Return `scored n of N`; what the judge spent is of the run, and of no case."""
    if summary.metric in JUDGE_SPEND:
        return "of the run"
    return f"scored {summary.scored} of {summary.cases}"


def not_scored(summary: Summary) -> str:
    """Return the other counts that are not 0, as `3 skipped, 1 case failed`; nothing when all are scored."""
    counts = {
        "skipped": summary.skipped,
        "not applicable": summary.not_applicable,
        "judge error": summary.judge_error,
        "case failed": summary.case_failed,
    }
    return ", ".join(f"{count} {outcome}" for outcome, count in counts.items() if count)


def bounds(summary: Summary) -> str:
    """Return between which means the truth lies when cases errored, else `rounding.ABSENT`."""
    if not summary.errored:
        return rounding.ABSENT
    if summary.lowest_mean is None or summary.highest_mean is None:
        return rounding.ABSENT if summary.mean is None else "not bounded"
    ends = (rounding.value(summary.metric, end) for end in (summary.lowest_mean, summary.highest_mean))
    return " to ".join(ends)


def across(tagged: Mapping[Tag, Sequence[Summary]]) -> dict[str, tuple[Summary | None, ...]]:
    """Lay the summaries of several tags side by side.

    Args:
        tagged: each tag's summaries, in reading order.

    Returns:
        By metric key, a summary for each tag in the order given; None where the tag has none.
    """
    by_metric: dict[str, dict[Tag, Summary]] = {}
    for tag, summaries in tagged.items():
        for summary in summaries:
            by_metric.setdefault(summary.metric, {})[tag] = summary
    return {metric: tuple(found.get(tag) for tag in tagged) for metric, found in by_metric.items()}


def mean_of_some(summary: Summary | None) -> str:
    """Return a mean with its coverage, `0.750 (6 of 8, 1 failed)`; `ABSENT` when no case counts."""
    if summary is None or not (summary.scored or summary.errored):
        return rounding.ABSENT
    failed = f", {summary.errored} failed" if summary.errored else ""
    return f"{rounding.value(summary.metric, summary.mean)} ({summary.scored} of {summary.cases}{failed})"


def abreast(tags: Iterable[Tag], width: int) -> tuple[tuple[str, tuple[Tag, ...]], ...]:
    """Cut tags into groups of one name and at most `width` values, in the order given."""
    cut = []
    for name, of_name in groupby(tags, key=lambda tag: tag.name):
        values = tuple(of_name)
        cut += [(name, values[start : start + width]) for start in range(0, len(values), width)]
    return tuple(cut)


def causes(summaries: Sequence[Summary]) -> tuple[Cause, ...]:
    """Group the reasons of several metrics, the one that costs most cases first.

    Args:
        summaries: over the same cases.

    Returns:
        A cause for each reason and number of cases, with the metrics it holds for.
    """
    grouped: dict[tuple[str, int], list[str]] = defaultdict(list)
    for summary in summaries:
        for reason, cases in summary.reasons.items():
            grouped[reason, cases].append(summary.metric)
    ordered = sorted(grouped.items(), key=lambda item: -item[0][1])
    return tuple(Cause(reason, cases, tuple(metrics)) for (reason, cases), metrics in ordered)


def some(words: Sequence[str], shown: int) -> str:
    """Return the first words as a list in one line, and how many more there are."""
    more = len(words) - shown
    return ", ".join([*words[:shown], f"and {more} more"] if more > 0 else words)


def _cases(report: RunReport) -> str:
    counts = report.run.cases
    missing = counts.total - counts.ok - counts.failed
    words = [f"{counts.ok} of {counts.total} answered", f"{counts.failed} failed"]
    return ", ".join([*words, f"{missing} not reached"] if missing else words)


def _uncertain(report: RunReport) -> str:
    """Say which calls were in flight when a process of the run ended; nothing when there were none."""
    if not report.uncertain:
        return ""
    cases = "case's call" if len(report.uncertain) == 1 else "cases' calls"
    return (
        f"{len(report.uncertain)} {cases} in flight when a process ended, asked again:"
        f" {some(report.uncertain, UNCERTAIN_SHOWN)}"
    )


def _judge(report: RunReport) -> str:
    judge = report.judge
    if judge is None:
        return ""
    served = ", ".join(name for name in judge.served if name != judge.model)
    return f"{judge.model}{f', served as {served}' if served else ''}, at {judge.base_url}"


def _calibrated(report: RunReport) -> str:
    """Say how far the judge is to be trusted, or how to find out."""
    judge = report.judge
    if judge is None:
        return ""
    if judge.calibrated_at is None:
        return "never, with these prompts; 'ragproof calibrate' says how far this judge agrees with people"
    return f"{judge.calibrated_at:%Y-%m-%d}, on {judge.labels}"


def trust(judge: JudgedBy | None) -> tuple[tuple[str, ...], ...]:
    """Return how the judge agreed with labels: a row a metric, as `TRUST_HEADINGS`; empty when unknown."""
    return tuple(
        (
            each.metric,
            f"{each.exact} of {each.cases}",
            f"{each.within_band} of {each.cases}",
            rounding.ABSENT if each.kappa is None else f"{each.kappa:.2f}",
        )
        for each in (judge.trust if judge else ())
    )


def _spend(report: RunReport) -> str:
    spend = report.run.spend
    if not spend.eval_llm_calls:
        return ""
    known = spend.eval_cost_usd
    cost = "cost unknown" if known is None else f"{rounding.fixed(known, rounding.USD_DIGITS)} USD"
    tokens = f"{spend.eval_input_tokens} input and {spend.eval_output_tokens} output tokens"
    return f"{spend.eval_llm_calls} calls, {tokens}, {cost}{_guessed(report)}"


def _guessed(report: RunReport) -> str:
    """Say how many numbers of tokens are not the provider's own; nothing when all are."""
    bases = report.judge.bases if report.judge else {}
    told = [f"{count} {basis}" for basis, count in bases.items() if basis != Basis.REPORTED]
    return f" ({'; '.join(told)})" if told else ""
