"""What repeating cases showed, in words; the same in every report for people."""

from __future__ import annotations

import math

from ragproof.reports import rounding
from ragproof.reports.repeats import Repeats

SPREAD_HEADINGS = ("metric", "sd between cases", "sd between trials", "flaky cases")
FLAKY_HEADINGS = ("case", "where its trials part", "metrics")


def sentence(found: Repeats) -> str:
    """Say how often cases were asked, and what made some of them flicker."""
    asked = f"each case was asked {found.trials} times, and its score is the mean of its trials"
    if not found.spreads:
        return f"{asked}; no score differed between trials"
    if not found.flaky:
        return asked
    parts = ", ".join(f"{cause.value} ({cases})" for cause, cases in found.by_cause().items())
    return f"{asked}; {len(found.flaky)} cases are flaky: {parts}"


def spreads(found: Repeats) -> list[tuple[str, ...]]:
    """Return a row for each metric under `SPREAD_HEADINGS`, the flakiest first; a standard deviation each."""
    return [
        (each.metric, _deviation(each.var_case), _deviation(each.var_trial), str(each.flaky))
        for each in sorted(found.spreads, key=lambda each: (-each.flaky, -(each.var_trial or 0.0)))
    ]


def flaky(found: Repeats) -> list[tuple[str, str, tuple[str, ...]]]:
    """Return a row for each flaky case under `FLAKY_HEADINGS`; the metrics each by itself."""
    return [
        (case.case_id, "; ".join(cause.value for cause in case.causes), case.metrics) for case in found.flaky
    ]


def _deviation(variance: float | None) -> str:
    return rounding.ABSENT if variance is None else f"{math.sqrt(variance):.{rounding.SCORE_DIGITS}f}"
