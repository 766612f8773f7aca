"""Tests of runs as tables: marks beside the means, a row a contrast, and the sentences that explain both."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ragproof.ranking.contrasts import ALPHA, Contrast
from ragproof.ranking.significance import MeasureTest, RunTest
from ragproof.ranking.tables import DAGGER, DIGITS, Grid
from ragproof.reports.rounding import ABSENT, fixed
from ragproof.statistics.flips import EXACT_UP_TO
from ragproof.statistics.interval import Flag
from ragproof.statistics.sign_flip import UNRESOLVABLE_UP_TO

UNRESOLVABLE = "unresolvable"
_LEAST_P = 10.0**-DIGITS
_METHODS = {
    "studentised bootstrap": ", studentised bootstrap",
    "Newcombe 10": ", Newcombe's where all values are 0 or 1",
}

Quote = Callable[[str], str]
"""Writes a foreign name into a sentence."""


def marks(test: RunTest) -> dict[str, tuple[str, ...]]:
    """Return what stands beside the mean of each run, by measure: letters, or a dagger."""
    return {each.measure: each.letters or _daggers(test, each) for each in test.measures}


def contrasts(test: RunTest) -> Grid:
    """Lay the contrasts out, measure by measure; columns that would say nothing are left out."""
    several = len(test.measures) > 1
    every = [each for measure in test.measures for each in measure.contrasts]
    noted = any(map(_note, every))
    headings = ["measure", "run", "against", "difference", "95 % interval", "p", "p raw"]
    headings += ["p over measures"] * several + ["won/tied/lost"] + ["note"] * noted
    rows = [
        [
            *(measure.measure, each.run, each.against, _signed(each.effects.mean_difference)),
            *(_interval(each), *_p(each, several), _counts(each)),
            *[_note(each)] * noted,
        ]
        for measure in test.measures
        for each in measure.contrasts
    ]
    return Grid(headings, rows, names=3)


def about_means(test: RunTest, quote: Quote) -> Iterator[str]:
    """Say what the means are over, and what the marks beside them mean.

    Args:
        test: at least two runs.
        quote: writes the name of a run.
    """
    shared = test.shared
    runs = "both runs" if len(test.runs) == 2 else f"all {len(test.runs)} runs"
    which = "all judged queries" if shared.complete else f"the queries that {runs} are scored on"
    yield f"means and tests are over {which}: {len(shared.queries):,}"
    if shared.left_out:
        yield f"queries that only some of the runs are scored on are left out: {len(shared.left_out):,}"
    among = f"sign flip{_among(test)}"
    if test.baseline is None:
        yield f"of each measure, runs that share a letter are not told apart (p above {ALPHA}, {among})"
        return
    baseline = quote(test.baseline)
    if any(each.separated for measure in test.measures for each in measure.contrasts):
        yield f"{DAGGER} differs from the baseline {baseline} on this measure (p at most {ALPHA}, {among})"
    else:
        yield f"no run is told apart from the baseline {baseline} on any measure (p above {ALPHA}, {among})"


def about_contrasts(test: RunTest) -> Iterator[str]:
    """Say what was tested and how, what decides, and what cannot be said."""
    every = [each for measure in test.measures for each in measure.contrasts]
    yield "differences are means of run minus against over the queries, and more is better"
    if any(each.interval.low is not None for each in every):
        yield f"each interval is of its contrast alone{_methods(every)}"
    told = ["all p are of sign flips", _assignments(test)]
    if test.contrasts > 1:
        told.insert(1, f"p adjusted over the {test.contrasts} contrasts of a measure and p raw not")
    yield ", ".join(told)
    if len(test.measures) > 1:
        first, count = test.measures[0].measure, len(test.measures)
        yield (
            f"the first measure, {first}, decides; a claim about another takes p over measures,"
            f" adjusted over the {count} measures of its contrast as well (Holm)"
        )
    if any(each.unresolvable for each in every):
        yield (
            f"{UNRESOLVABLE}: the two differ on at most {UNRESOLVABLE_UP_TO} queries, too few for any p under"
            f" {ALPHA}"
        )


def _daggers(test: RunTest, measure: MeasureTest) -> tuple[str, ...]:
    differing = {each.run for each in measure.contrasts if each.separated}
    return tuple(DAGGER if run in differing else "" for run in test.runs)


def _among(test: RunTest) -> str:
    if test.contrasts == 1:
        return ""
    return f", max-T over {test.contrasts} {'pairs' if test.baseline is None else 'contrasts'}"


def _methods(contrasts: list[Contrast]) -> str:
    """Name the methods that no note beside a contrast names."""
    found = {each.interval.method for each in contrasts if each.degenerate is None}
    return "".join(told for method, told in _METHODS.items() if method in found)


def _assignments(test: RunTest) -> str:
    random = f"of {test.draws:,} random signs with seed {test.seed}"
    if all(each.exact for each in test.measures):
        return "exact"
    if any(each.exact for each in test.measures):
        return f"exact where at most {EXACT_UP_TO} queries differ and else {random}"
    return random


def _signed(number: float) -> str:
    text = fixed(number, DIGITS)
    return f"+{text}" if float(text) > 0 else text


def _interval(contrast: Contrast) -> str:
    low, high = contrast.interval.low, contrast.interval.high
    return ABSENT if low is None or high is None else f"{_signed(low)} to {_signed(high)}"


def _p(contrast: Contrast, several: bool) -> list[str]:
    if contrast.unresolvable:
        return [UNRESOLVABLE, ABSENT] + [ABSENT] * several
    return [_p_value(contrast.p), _p_value(contrast.p_raw), *[_p_value(contrast.p_over_measures)] * several]


def _p_value(p: float | None) -> str:
    return f"< {_LEAST_P:.{DIGITS}f}" if p is not None and p < _LEAST_P else fixed(p, DIGITS)


def _counts(contrast: Contrast) -> str:
    effects = contrast.effects
    return f"{effects.wins}/{effects.ties}/{effects.losses}"


def _note(contrast: Contrast) -> str:
    if contrast.degenerate is not None:
        return contrast.degenerate.value
    return (
        "Student's t interval, too little varies to resample" if contrast.interval.flag is Flag.SPARSE else ""
    )
