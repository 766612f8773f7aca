"""The page and the JSON of a calibration."""

from __future__ import annotations

import sys

from ragproof.cli import screen
from ragproof.judge.calibration.agreement import Agreement, Disagreement, reasons
from ragproof.judge.calibration.bands import BANDS
from ragproof.judge.calibration.calibration import Calibration
from ragproof.judge.calibration.shares import Share
from ragproof.judge.calibration.source import FIXTURES
from ragproof.reports.rounding import ABSENT, SCORE_DIGITS, fixed
from ragproof.reports.strict_json import strict_json
from ragproof.reports.visible import excerpt, visible

WORST_SHOWN = 5
_REASON_LENGTH = 120
_HEADINGS = ("metric", "cases", "judge errors", "exact", "within band", "kappa", "sensitivity", "specificity")
_AUTHORS = "written with their labels by ragproof's authors, who are no annotators of your answers"


def print_json(found: Calibration) -> None:
    """Print strict JSON: whether the bar was cleared, what was not, and the whole calibration."""
    below = found.below()
    told = {"passed": not below, "below": list(below), "calibration": found.model_dump(mode="json")}
    sys.stdout.write(strict_json(told))


def print_page(found: Calibration) -> None:
    """Print who was asked about what, the agreement on each metric, and where it was worst."""
    _say_head(found)
    screen.heading("agreement with the labels, with 95 % intervals")
    screen.table(_HEADINGS, [_row(each) for each in found.agreements], _HEADINGS[:3])
    _say_ceilings(found)
    for each in found.agreements:
        _say_worst(each)
    screen.say()
    below = found.below()
    for told in below:
        screen.say(f"below the bar: {told}", "bold red")
    if not below:
        screen.say("every prompt clears the bar", "bold")


def _say_head(found: Calibration) -> None:
    source, bar = found.source, found.thresholds
    served = [name for name in found.models_served if name != found.judge.model]
    who = [*(_AUTHORS if name == "authors" else f"by {name}" for name in source.scored_by)]
    origin = "ragproof's fixtures" if source.name == FIXTURES else source.name
    sample = f"a sample: {source.labels} of {source.of} labels" if source.is_sample else f"{source.labels}"
    screen.pairs(
        [
            ("judge", found.judge.model + (f", served as {', '.join(served)}" if served else "")),
            ("at", found.judge.base_url),
            ("labels", f"{sample}, {origin}; {'; '.join(who)}"),
            ("bar", f"exact {bar.min_exact:g}, within band {bar.min_band:g}, on every metric"),
        ]
    )


def _row(each: Agreement) -> tuple[str, ...]:
    errors = str(each.judge_errors)
    if each.without_number:
        errors += f" (+ {each.without_number} without a number)"
    shares = (each.exact, each.within_band)
    return (
        each.metric,
        str(each.cases),
        errors,
        *map(_share, shares),
        fixed(each.kappa, SCORE_DIGITS),
        _share(each.sensitivity),
        _share(each.specificity),
    )


def _share(given: Share) -> str:
    if given.value is None:
        return ABSENT
    ends = f"{fixed(given.low, SCORE_DIGITS)} to {fixed(given.high, SCORE_DIGITS)}"
    return f"{fixed(given.value, SCORE_DIGITS)} ({ends})"


def _say_ceilings(found: Calibration) -> None:
    rows = [
        (
            each.metric,
            str(each.ceiling.cases),
            str(each.ceiling.annotators),
            *(
                fixed(number, SCORE_DIGITS)
                for number in (
                    each.ceiling.exact,
                    each.ceiling.judge_exact,
                    each.ceiling.kappa,
                    each.ceiling.judge_kappa,
                )
            ),
        )
        for each in found.agreements
        if each.ceiling is not None
    ]
    if not rows:
        return
    screen.heading("the human ceiling: annotators with one another, and the judge with each of them")
    headings = ("metric", "cases", "annotators", "people exact", "judge exact", "people kappa", "judge kappa")
    screen.table(headings, rows, headings)


def _say_worst(each: Agreement) -> None:
    if not each.disagreements:
        return
    shown = each.disagreements[:WORST_SHOWN]
    of = f", {len(shown)} of {len(each.disagreements)}" if len(shown) < len(each.disagreements) else ""
    screen.heading(f"{visible(each.metric)}: the worst disagreements{of}")
    screen.table(("case", "label", "judge", "why the label"), [_told(found) for found in shown], ("case",))
    if bands := _confused(each):
        screen.say(f"label → judge: {bands}")
    for reason, count in reasons(each).items():
        screen.say(f"no number ({count}): {excerpt(reason, _REASON_LENGTH)}")


def _told(found: Disagreement) -> tuple[str, ...]:
    return (
        found.case_id,
        fixed(found.label, SCORE_DIGITS),
        fixed(found.judge, SCORE_DIGITS),
        found.why or ABSENT,
    )


def _confused(each: Agreement) -> str:
    return ", ".join(
        f"{BANDS[label]:g} → {BANDS[judge]:g}: {count}"
        for label, row in enumerate(each.confusion)
        for judge, count in enumerate(row)
        if count and label != judge
    )
