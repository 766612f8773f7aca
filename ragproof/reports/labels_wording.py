"""What labels say of a judge, in words; the same in every report for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ragproof.comparing.shown_table import Note
from ragproof.judge.calibration.shares import Share
from ragproof.labels.correction import NOT_DRAWN, Agreement, CorrectedDifference, Correction, Estimate
from ragproof.reports import rounding

HEADINGS = ("metric", "raw mean", "corrected by labels", "labels alone", "labelled")
DIFFERENCE_HEADINGS = ("metric", "raw gain", "corrected by labels", "labels alone", "labelled in both")
AGREEMENT_HEADINGS = ("metric", "same band", "within one band", "kappa", "people: same band", "people: kappa")
SENTENCE = (
    "the judge's mean as it is, as labels correct it (PPI++), and that of the labels alone; in brackets the"
    " 95 % interval"
)


def rows(corrections: Sequence[Correction]) -> list[tuple[str, ...]]:
    """Return a row for each metric under `HEADINGS`."""
    return [
        (
            each.metric,
            rounding.value(each.metric, each.raw),
            mean(each.metric, each.corrected),
            mean(each.metric, each.people),
            f"{each.labelled} of {each.cases}",
        )
        for each in corrections
    ]


def difference_rows(differences: Sequence[CorrectedDifference]) -> list[tuple[str, ...]]:
    """Return a row for each metric under `DIFFERENCE_HEADINGS`; + is better for the candidate."""
    return [
        (
            each.metric,
            _signed(each.metric, each.raw),
            mean(each.metric, each.corrected, signed=True),
            mean(each.metric, each.people, signed=True),
            f"{each.labelled} of {each.cases}",
        )
        for each in differences
    ]


def agreement_rows(corrections: Sequence[Correction]) -> list[tuple[str, ...]]:
    """Return a row under `AGREEMENT_HEADINGS` for each metric whose range has bands."""
    return [(each.metric, *_agreement(each.agreement)) for each in corrections if each.agreement is not None]


def _agreement(found: Agreement) -> tuple[str, ...]:
    people = (None, None) if found.ceiling is None else (found.ceiling.exact, found.ceiling.kappa)
    return (_share(found.exact), _share(found.within_band), *map(_digits, (found.kappa, *people)))


def notes(each: Correction) -> Iterator[Note]:
    """Yield what a reader has to know of a metric's row; its key is said by whoever prints them."""
    if each.reason is not None:
        yield Note(f"not corrected: {each.reason}{_cure(each)}")
    if each.adjusted is not None:
        found = each.adjusted
        yield Note(
            f"by the judge's sensitivity {_digits(found.sensitivity)} and specificity"
            f" {_digits(found.specificity)} (Rogan and Gladen) its share is {mean(each.metric, found.share)}"
        )
    if each.basis < each.labelled:
        told = (
            "1 labelled case was" if each.not_at_random == 1 else f"{each.not_at_random} labelled cases were"
        )
        yield Note(f"{told} not drawn at random, and correct{'s' * (each.not_at_random == 1)} nothing")
    if each.of_other_runs:
        have = (
            "1 case has its labels"
            if each.of_other_runs == 1
            else f"{each.of_other_runs} cases have their labels"
        )
        yield Note(f"{have} from the very same answer of another run", each.lenders)
    if each.without_number:
        have = (
            "1 labelled case has"
            if each.without_number == 1
            else f"{each.without_number} labelled cases have"
        )
        yield Note(
            f"{have} no number of the judge, and {'is' if each.without_number == 1 else 'are'} left out"
        )
    if each.people is not None and each.people.note:
        yield Note(f"labels alone: {each.people.note}")


def _cure(each: Correction) -> str:
    if each.reason != NOT_DRAWN:
        return ""
    if each.of_other_runs:
        return "; the answers that changed since their draw need labels too, imported with --random"
    return "; if they were, import them again with --random"


def mean(metric: str, found: Estimate | None, *, signed: bool = False) -> str:
    """Write a mean with its interval as `0.741 (0.689 to 0.793)`; None is `rounding.ABSENT`."""
    if found is None:
        return rounding.ABSENT
    write = _signed if signed else rounding.value
    if found.low is None or found.high is None:
        return write(metric, found.mean)
    return f"{write(metric, found.mean)} ({write(metric, found.low)} to {write(metric, found.high)})"


def _signed(metric: str, number: float | None) -> str:
    text = rounding.value(metric, number)
    return f"+{text}" if number is not None and number > 0 and text.strip("0.") else text


def _share(found: Share) -> str:
    return f"{_digits(found.value)} ({found.count} of {found.of})"


def _digits(number: float | None) -> str:
    return rounding.fixed(number, rounding.SCORE_DIGITS)
