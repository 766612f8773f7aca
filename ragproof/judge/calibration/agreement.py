"""Agreement of the judge with the labels on one metric.

Exact is the same band; within band allows one band of distance. Both are shares of all labelled cases: one
that the judge gives no number for agrees with nobody, because a run would have no number either. Kappa,
sensitivity and specificity are over the cases that have a number, how many is said beside them. Positive is
the full band: sensitivity is the share of labelled-full cases the judge calls full, specificity the share of
the others it does not. False friend: agreement over the replies that could be read, which is best for a judge
that replies to the easy ones alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ragproof.frozen import Frozen
from ragproof.judge.calibration.bands import FULL, band_of
from ragproof.judge.calibration.ceiling import Ceiling, ceiling
from ragproof.judge.calibration.kappa import Pair, counted, quadratic_kappa
from ragproof.judge.calibration.labelled import Label
from ragproof.judge.calibration.shares import Share, share
from ragproof.scores import JudgeFailed, Score


@dataclass(frozen=True)
class Compared:
    """A label and what came of the same answer."""

    label: Label
    score: Score
    why: str = ""


class Disagreement(Frozen):
    """A case that the judge puts into another band than the label does, or gives no number."""

    case_id: str
    label: float
    judge: float | None
    """None when there is no number; `reason` says why."""
    reason: str | None = None
    why: str = ""
    """The labeller's reason, in his words."""
    judge_raw_json: str | None = None
    """The judge's reply, word for word; None when there was none."""


class Agreement(Frozen):
    """How the judge agrees with the labels on one metric."""

    metric: str
    prompt: str
    """The prompt that decides the metric."""
    cases: int
    """All that are labelled; the denominator of `exact` and `within_band`."""
    scored: int
    """Those that have a number; the denominator of everything else."""
    judge_errors: int
    """Those that the judge gave no usable verdict on."""
    without_number: int
    """Those that have none for another reason, such as an answer taken for a refusal."""
    exact: Share
    within_band: Share
    kappa: float | None
    """Quadratic; None when labels and judge both keep to one same band."""
    sensitivity: Share
    specificity: Share
    confusion: tuple[tuple[int, ...], ...]
    """Cases by band, in the order 0, 0.5, 1: `confusion[label][judge]`."""
    ceiling: Ceiling | None = None
    """None when no case has several annotators."""
    disagreements: tuple[Disagreement, ...] = ()
    """The worst first: no number, then by distance."""


def agreement(metric: str, prompt: str, compared: Sequence[Compared]) -> Agreement:
    """Compare the judge with the labels of one metric.

    Args:
        metric: its key.
        prompt: the prompt that decides it.
        compared: each labelled case; at least one.
    """
    pairs = [
        (band_of(each.label.consensus), band_of(each.score.value))
        for each in compared
        if each.score.value is not None
    ]
    errors = sum(isinstance(each.score.result, JudgeFailed) for each in compared)
    return Agreement(
        metric=metric,
        prompt=prompt,
        cases=len(compared),
        scored=len(pairs),
        judge_errors=errors,
        without_number=len(compared) - len(pairs) - errors,
        exact=share(sum(label == judge for label, judge in pairs), len(compared)),
        within_band=share(sum(abs(label - judge) <= 1 for label, judge in pairs), len(compared)),
        kappa=quadratic_kappa(counted(pairs)),
        sensitivity=_sensitivity(pairs),
        specificity=_specificity(pairs),
        confusion=counted(pairs),
        ceiling=ceiling([_annotated(each) for each in compared]),
        disagreements=_disagreements(compared),
    )


def reasons(found: Agreement) -> dict[str, int]:
    """Return why cases have no number, each with how many, the most frequent first."""
    return dict(Counter(each.reason for each in found.disagreements if each.reason).most_common())


def _sensitivity(pairs: Sequence[Pair]) -> Share:
    full = [judge for label, judge in pairs if label == FULL]
    return share(full.count(FULL), len(full))


def _specificity(pairs: Sequence[Pair]) -> Share:
    others = [judge for label, judge in pairs if label != FULL]
    return share(len(others) - others.count(FULL), len(others))


def _annotated(each: Compared) -> tuple[tuple[int, ...], int | None]:
    value = each.score.value
    return tuple(map(band_of, each.label.scores)), None if value is None else band_of(value)


def _disagreements(compared: Sequence[Compared]) -> tuple[Disagreement, ...]:
    found = [_disagreement(each) for each in compared if _disagrees(each)]
    return tuple(sorted(found, key=_distance, reverse=True))


def _disagrees(each: Compared) -> bool:
    value = each.score.value
    return value is None or band_of(value) != band_of(each.label.consensus)


def _disagreement(each: Compared) -> Disagreement:
    raw = each.score.details.get("judge_raw_json")
    return Disagreement(
        case_id=each.score.case_id,
        label=each.label.consensus,
        judge=each.score.value,
        reason=each.score.reason,
        why=each.why,
        judge_raw_json=raw if isinstance(raw, str) else None,
    )


def _distance(found: Disagreement) -> float:
    return float("inf") if found.judge is None else abs(found.label - found.judge)
