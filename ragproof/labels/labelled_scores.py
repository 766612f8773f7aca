"""One metric of a run with what people said of it, case by case: a number of theirs beside the judge's."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from ragproof.comparing.scored_run import MetricScores, ScoredRun
from ragproof.labels.served import Served
from ragproof.statistics.samples import FloatArray

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class LabelledScores:
    """A metric over the cases of a run, in the run's order.

    Attributes:
        key: of the metric.
        scores: the judge's.
        human: the mean of a case's labels, shape (cases,); NaN where it has none. Labellers first, then its
            labelled trials.
        judged: the judge's number for those very answers, shape (cases,); NaN where there is none.
        at_random: which cases were drawn at random, shape (cases,).
        lent: which have their labels from other runs, shape (cases,).
        by_labeller: each case's verdicts by labeller, empty where nobody labelled it.
        lenders: the other runs, by id.
    """

    key: str
    scores: MetricScores
    human: FloatArray
    judged: FloatArray
    at_random: Mask
    lent: Mask
    by_labeller: tuple[Mapping[str, float], ...]
    lenders: tuple[str, ...]

    @cached_property
    def labelled(self) -> Mask:
        """Which cases have a label."""
        return ~np.isnan(self.human)

    @cached_property
    def compared(self) -> Mask:
        """Which have a label, and the judge's number in every trial: those a correction can learn from."""
        return self.labelled & self.scores.scored & ~np.isnan(self.judged)

    @cached_property
    def basis(self) -> Mask:
        """Those of them that were drawn at random; all of them where none was."""
        drawn = self.compared & self.at_random
        return drawn if drawn.any() else self.compared

    @property
    def unlabelled(self) -> FloatArray:
        """The judge's numbers of all other cases that it scored, shape (n,)."""
        return self.scores.values()[self.scores.scored & ~self.basis]

    @property
    def labellers(self) -> int:
        """How many people are named, or 1 where nobody is."""
        return len({who for case in self.by_labeller for who in case})


def labelled_scores(run: ScoredRun, key: str, served: Sequence[Served]) -> LabelledScores:
    """Line labels up with the scores of a run.

    Args:
        run: whole, or over some of its cases.
        key: a metric that it measured.
        served: the labels that serve it; those of other cases are passed over.
    """
    scores = run.scores[key]
    by_case: dict[str, list[Served]] = defaultdict(list)
    for each in served:
        by_case[each.case_id].append(each)
    labels = [by_case.get(case.id, []) for case in run.cases]
    return LabelledScores(
        key=key,
        scores=scores,
        human=np.array([_human(each) for each in labels], dtype=np.float64),
        judged=np.array(
            [_judged(scores.trials[at], each) for at, each in enumerate(labels)], dtype=np.float64
        ),
        at_random=np.array([any(label.at_random for label in each) for each in labels], dtype=np.bool_),
        lent=np.array([any(label.given_to for label in each) for each in labels], dtype=np.bool_),
        by_labeller=tuple(_by_labeller(each) for each in labels),
        lenders=tuple(sorted({label.given_to for each in labels for label in each if label.given_to})),
    )


def _human(labels: Sequence[Served]) -> float:
    by_trial: dict[int, list[float]] = defaultdict(list)
    for label in labels:
        by_trial[label.trial].append(label.value)
    return fmean(map(fmean, by_trial.values())) if by_trial else np.nan


def _judged(trials: FloatArray, labels: Sequence[Served]) -> float:
    answers = {label.trial for label in labels if label.trial < len(trials)}
    return fmean(float(trials[trial]) for trial in answers) if answers else np.nan


def _by_labeller(labels: Sequence[Served]) -> Mapping[str, float]:
    found: dict[str, list[float]] = defaultdict(list)
    for label in labels:
        found[label.labeller].append(label.value)
    return {who: fmean(values) for who, values in found.items()}
