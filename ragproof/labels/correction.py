"""What human labels say of a judge's numbers, to be printed or written as JSON: no name, no text, no case."""

from __future__ import annotations

from pydantic import FiniteFloat

from ragproof.frozen import Frozen
from ragproof.judge.calibration.ceiling import Ceiling
from ragproof.judge.calibration.shares import Share
from ragproof.metric import Direction

NOT_DRAWN = "the labelled cases were not drawn at random"
"""The reason for no correction that whoever imported the labels can help with."""


class Estimate(Frozen):
    """A mean with its interval."""

    mean: FiniteFloat
    low: FiniteFloat | None
    high: FiniteFloat | None
    """Both None where the data carry no interval, and `note` says why."""
    confidence: float
    method: str
    note: str | None = None


class Corrected(Frozen):
    """A mean, or a mean difference: the judge's, people's, and the judge's as people correct it."""

    metric: str
    direction: Direction
    raw: FiniteFloat | None
    """The judge's, over all cases that it scored; None where it scored none, or the run is not complete."""
    cases: int
    """Those that the judge scored."""
    labelled: int
    """Those of them that people labelled."""
    corrected: Estimate | None
    """PPI++; None where labels do not suffice, and `reason` says what lacks."""
    reason: str | None
    weight: float | None
    """Of the judge in it, lambda in [0, 1]; None together with `corrected`."""
    people: Estimate | None
    """The labels alone; None without any."""
    basis: int
    """The labelled cases that both rest on: those drawn at random, or all where none was."""
    disagreements: int
    """Those of them where people and judge differ."""
    rarer: int | None
    """Those of them of the rarer class; None for a metric that is not of 0 and 1 alone."""


class Adjusted(Frozen):
    """A share corrected by the judge's sensitivity and specificity (Rogan and Gladen)."""

    share: Estimate
    sensitivity: float
    """Share of the labelled 1 that the judge finds."""
    specificity: float
    """Share of the labelled 0 that the judge leaves alone."""


class Agreement(Frozen):
    """How the judge agrees with the labels, and people with one another, in bands of the metric's range."""

    exact: Share
    """Cases in the same band."""
    within_band: Share
    """Cases at most one band apart."""
    kappa: float | None
    """Quadratic; None where chance alone explains everything."""
    ceiling: Ceiling | None
    """People with one another; None where no case has two labellers."""


class Correction(Corrected):
    """One metric of a run."""

    without_number: int
    """Labelled cases that the judge has no number for; they are left out of all of this."""
    not_at_random: int
    """Labelled cases with a number that were not drawn at random."""
    of_other_runs: int
    """Labelled cases whose labels were given to another run's answer, the very same."""
    lenders: tuple[str, ...]
    """Those runs."""
    labellers: int
    adjusted: Adjusted | None
    """None where sensitivity and specificity cannot be told, and `not_adjusted` says why."""
    not_adjusted: str | None
    agreement: Agreement | None
    """None where the range of the metric is open or not known, or no labelled case has a number."""


class CorrectedDifference(Corrected):
    """One metric's mean paired difference, candidate minus baseline, oriented: + is better."""
