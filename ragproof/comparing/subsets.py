"""Where a difference sits: the paired mean difference of the cases with one tag, and of those of one group.

Tags with at least `MIN_CASES` cases are tested, and Holm holds over all of them for one measure; groups are
never tested, for one group is one independent observation. A measure is a metric in its own unit, or the
change of a case over all metrics. False friend: the subset that looks worst, picked after the fact.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ragproof.comparing.metric_comparison import ALPHA, Verdict
from ragproof.comparing.scored_run import CaseFacts
from ragproof.statistics.multiplicity import holm
from ragproof.statistics.samples import FloatArray
from ragproof.statistics.sign_flip import SignFlip
from ragproof.summaries import Tag

MIN_CASES = 10
"""Below, a mean difference is a few cases' and is shown untested, or not at all."""
MIN_SHOWN = 3

TagKey = tuple[str | None, Tag]
"""A measure, None for the change over all metrics, and which cases."""


@dataclass(frozen=True)
class Subset:
    """The cases with one tag, on one measure.

    Attributes:
        measure: a metric's key; None is the change over all metrics.
        tag: which cases.
        n: pairs among them.
        difference: their mean difference, oriented.
        p: of the sign flip; None when there are too few to test.
        p_holm: the same, adjusted over the tags tested on this measure.
        verdict: None when there are too few to test.
    """

    measure: str | None
    tag: Tag
    n: int
    difference: float
    p: float | None = None
    p_holm: float | None = None
    verdict: Verdict | None = None


@dataclass(frozen=True)
class GroupMean:
    """The cases of one group, on one measure; as `Subset`."""

    measure: str | None
    group: str
    n: int
    difference: float


@dataclass(frozen=True)
class TagColumn:
    """The differences of the cases with one tag, on one measure.

    Attributes:
        measure: a metric's key; None is the change over all metrics.
        tag: which cases.
        differences: one a case, NaN where there is no pair or the case has another tag.
    """

    measure: str | None
    tag: Tag
    differences: FloatArray

    @property
    def key(self) -> TagKey:
        """What tells it from the others."""
        return self.measure, self.tag

    @property
    def n(self) -> int:
        """How many pairs there are."""
        return int(np.sum(~np.isnan(self.differences)))


def tag_columns(
    cases: Sequence[CaseFacts], measures: Mapping[str | None, FloatArray]
) -> tuple[TagColumn, ...]:
    """Cut measures by tag.

    Args:
        cases: the shared cases.
        measures: oriented differences, one a case, NaN where there is no pair; by metric key, or None.

    Returns:
        For each measure its tags with at least `MIN_SHOWN` pairs, by name and value.
    """
    places: defaultdict[Tag, list[int]] = defaultdict(list)
    for place, case in enumerate(cases):
        for name, value in case.tags.items():
            if name:
                places[Tag(name=name, value=value)].append(place)
    shown = sorted(
        (tag for tag in places if len(places[tag]) >= MIN_SHOWN), key=lambda tag: (tag.name, tag.value)
    )
    columns = []
    for measure, differences in measures.items():
        for tag in shown:
            column = np.full(len(cases), np.nan)
            column[places[tag]] = differences[places[tag]]
            columns.append(TagColumn(measure, tag, column))
    return tuple(column for column in columns if column.n >= MIN_SHOWN)


def by_tag(columns: Sequence[TagColumn], flips: Mapping[TagKey, SignFlip]) -> tuple[Subset, ...]:
    """Say where a difference sits.

    Args:
        columns: measures cut by tag.
        flips: the sign flips of those with at least `MIN_CASES` pairs, by key.

    Returns:
        A subset for each column, in order.
    """
    adjusted: dict[TagKey, float] = {}
    for measure in dict.fromkeys(column.measure for column in columns):
        keys = [key for key in flips if key[0] == measure]
        adjusted |= zip(keys, holm([flips[key].p for key in keys]), strict=True)
    return tuple(_subset(column, flips.get(column.key), adjusted.get(column.key)) for column in columns)


def by_group(cases: Sequence[CaseFacts], measures: Mapping[str | None, FloatArray]) -> tuple[GroupMean, ...]:
    """Average two runs' differences over the cases of each group; arguments as of `tag_columns`.

    Returns:
        For each measure its groups of at least two pairs that differ, the largest fall first.
    """
    places: defaultdict[str, list[int]] = defaultdict(list)
    for place, case in enumerate(cases):
        if case.group is not None:
            places[case.group].append(place)
    means = [
        GroupMean(measure, group, int(np.sum(~np.isnan(found))), float(np.nanmean(found)))
        for measure, differences in measures.items()
        for group, of_group in places.items()
        if np.sum(~np.isnan(found := differences[of_group])) > 1
    ]
    moved = [each for each in means if each.difference]
    order = {measure: number for number, measure in enumerate(measures)}
    return tuple(sorted(moved, key=lambda each: (order[each.measure], each.difference, each.group)))


def _subset(column: TagColumn, flip: SignFlip | None, p_holm: float | None) -> Subset:
    return Subset(
        measure=column.measure,
        tag=column.tag,
        n=column.n,
        difference=float(np.nanmean(column.differences)),
        p=None if flip is None else flip.p,
        p_holm=p_holm,
        verdict=None if flip is None or p_holm is None else _verdict(flip, p_holm),
    )


def _verdict(flip: SignFlip, p_holm: float) -> Verdict:
    if flip.unresolvable:
        return Verdict.UNRESOLVABLE
    if p_holm >= ALPHA:
        return Verdict.NO_DIFFERENCE_SHOWN
    return Verdict.BETTER if flip.mean > 0.0 else Verdict.WORSE
