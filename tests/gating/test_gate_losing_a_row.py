"""A score that turns into an error never makes a PASS, and a PASS holds whatever the missing values are.

Whole gates: several rules, every kind of them, both directions, an open range, tags, groups, repeated trials.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.config.gate_section import GateRule, GateSection
from ragproof.gating.demands import Demand, Kind, TagChoice
from ragproof.gating.gate import Gate, gate
from ragproof.gating.held_runs import hold
from ragproof.gating.verdict import Verdict
from ragproof.metric import Direction
from tests.fakes.gates import BASELINE, CANDIDATE
from tests.fakes.scored_runs import ERROR, scored_run

VALUES = {
    "grade": (0.0, 0.25, 0.5, 0.9, 1.0),
    "right": (0.0, 1.0),
    "wrong": (0.0, 0.1, 1.0),
    "time": (1.0, 10.0, 20.0, 100.0),
}
DIRECTIONS = {"wrong": Direction.LOWER, "time": Direction.LOWER}
SPANS: dict[str, tuple[float, float | None]] = dict.fromkeys(VALUES, (0.0, 1.0)) | {"time": (0.0, None)}
LIMITS = (0.0, 0.02, 0.1, 0.3, 0.5, 0.8, 0.9)
TAGS = (None, TagChoice("part"), TagChoice("part", "a"), TagChoice("part", "c"))

Table = dict[str, list[Any]]
"""A row of trials a case by metric; None where the metric has nothing to say of it."""


@dataclass(frozen=True)
class Situation:
    """Two runs and what is demanded."""

    before: Table
    after: Table
    groups: Sequence[str | None] | None
    tags: Sequence[dict[str, str]]
    demands: tuple[Demand, ...]
    section: GateSection

    def judged(self) -> Gate:
        """Judge it."""
        runs = hold(
            self._run(self.after, CANDIDATE),
            self._run(self.before, BASELINE),
            allow_mixed_judges=False,
            min_coverage=self.section.min_coverage,
        )
        return gate(self.demands, runs, self.section, project="handbook")

    def _run(self, table: Table, id: str) -> Any:
        return scored_run(
            table, id=id, groups=self.groups, tags=self.tags, spans=SPANS, directions=DIRECTIONS
        )

    def places(self, arm: str, wanted: bool) -> list[tuple[str, int, int]]:
        """Where an arm has numbers (True) or errors: metric, case and trial."""
        return [
            (key, case, trial)
            for key, rows in getattr(self, arm).items()
            for case, row in enumerate(rows)
            for trial, cell in enumerate(row or ())
            if (cell != ERROR) is wanted
        ]

    def with_cell(self, arm: str, place: tuple[str, int, int], cell: object) -> Situation:
        """The same with one cell changed."""
        key, case, trial = place
        rows = [list(row) if row else row for row in getattr(self, arm)[key]]
        rows[case][trial] = cell
        return replace(self, **{arm: {**getattr(self, arm), key: rows}})


@st.composite
def demands(draw: st.DrawFn, rule: int) -> Demand:
    """Draw any demand of any metric."""
    key, kind = draw(st.sampled_from([*VALUES])), draw(st.sampled_from([*Kind]))
    level = kind in (Kind.MIN, Kind.MAX)
    limit = draw(st.sampled_from(LIMITS))
    return Demand(
        rule=rule,
        metric=key,
        statistic=draw(st.sampled_from(["mean", "mean", "p50", "p95"])) if level else "mean",
        kind=kind,
        limit=100.0 * limit if level and key == "time" else limit,
        noise_floor=draw(st.sampled_from([0.0, 0.05])),
        tag=draw(st.sampled_from(TAGS)),
        min_cases=draw(st.sampled_from([1, 8])),
    )


@st.composite
def situations(draw: st.DrawFn, errors: Sequence[float] = (0.0, 0.0, 0.03)) -> Situation:
    """Draw two runs; their numbers follow from a few shares and a seed, so that many are nearly decided."""
    n, trials = draw(st.integers(2, 70)), draw(st.integers(1, 2))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    usual, moved = draw(st.sampled_from([0.0, 0.5, 0.9, 1.0])), draw(st.sampled_from([0.0, 0.2, 1.0]))
    erring, absent = draw(st.sampled_from(errors)), draw(st.sampled_from([0.0, 0.1]))

    def row(key: str) -> list[Any] | None:
        if random.random() < absent:
            return None
        cells: list[Any] = [
            VALUES[key][-1] if random.random() < usual else float(random.choice(VALUES[key]))
            for _ in range(trials)
        ]
        return [ERROR, *cells[1:]] if random.random() < erring else cells

    before = {key: [row(key) for _ in range(n)] for key in VALUES}
    after = {
        key: [row(key) if random.random() < moved else cells for cells in rows]
        for key, rows in before.items()
    }
    several = draw(st.sampled_from([None, 1, n // 2 + 1, n]))
    return Situation(
        before=before,
        after=after,
        groups=None if several is None else [f"g{random.integers(several)}" for _ in range(n)],
        tags=[{"part": str(random.choice(["a", "b", "c"], p=[0.6, 0.3, 0.1]))} for _ in range(n)],
        demands=tuple(draw(demands(rule)) for rule in range(draw(st.integers(1, 4)))),
        section=GateSection(
            rules=(GateRule(metric="any", min=0.5),),
            min_coverage=draw(st.sampled_from([0.0, 0.8])),
            confidence=draw(st.sampled_from([0.8, 0.95])),
        ),
    )


@settings(max_examples=150)
@given(situations(), st.sampled_from(["before", "after"]), st.data())
def test_a_lost_row_never_makes_a_pass(situation: Situation, arm: str, data: st.DataObject) -> None:
    """Of any rule, on any set of cases, nor of the gate; and it takes no set of cases out of it."""
    asked = {demand.metric for demand in situation.demands}
    here = [place for place in situation.places(arm, wanted=True) if place[0] in asked]
    if not here:
        return
    first = situation.judged()
    second = situation.with_cell(arm, data.draw(st.sampled_from(here)), ERROR).judged()
    assert [(each.demand, each.tag) for each in first.rulings] == [
        (each.demand, each.tag) for each in second.rulings
    ]
    for one, other in zip((first, *first.rulings), (second, *second.rulings), strict=True):
        assert one.verdict is Verdict.PASS or other.verdict is not Verdict.PASS


@settings(max_examples=150)
@given(situations(), st.sampled_from(["before", "after"]), st.data())
def test_a_threshold_at_the_bound_itself_is_not_passed_by_losing_a_row(
    situation: Situation, arm: str, data: st.DataObject
) -> None:
    """The nearest miss there can be: each rule demands exactly what its bound shows."""
    placed = situation.judged()
    near = tuple(
        replace(ruling.demand, limit=abs(ruling.numbers.pass_bound))
        for ruling in placed.rulings
        if ruling.numbers is not None
        and ruling.numbers.pass_bound is not None
        and ruling.demand.statistic == "mean"
        and (ruling.demand.kind is not Kind.MAX_DROP or ruling.numbers.pass_bound <= 0.0)
    )
    if not near:
        return
    situation = replace(situation, demands=near)
    here = [each for each in situation.places(arm, wanted=True) if each[0] in {one.metric for one in near}]
    if not here:
        return
    first = situation.judged()
    second = situation.with_cell(arm, data.draw(st.sampled_from(here)), ERROR).judged()
    for one, other in zip(first.rulings, second.rulings, strict=True):
        assert one.verdict is Verdict.PASS or other.verdict is not Verdict.PASS


@settings(max_examples=100)
@given(situations(errors=(0.02, 0.05)))
def test_a_pass_holds_whatever_the_missing_values_are(situation: Situation) -> None:
    """Every error filled with either end of its range, in every way; of an open range there is no PASS."""
    first = situation.judged()
    passed = [place for place, ruling in enumerate(first.rulings) if ruling.verdict is Verdict.PASS]
    keys = {first.rulings[place].demand.metric for place in passed}
    gone = [
        (arm, place)
        for arm in ("before", "after")
        for place in situation.places(arm, wanted=False)
        if place[0] in keys - {"time"}
    ]
    for place in passed:
        ruling = first.rulings[place]
        if ruling.demand.metric == "time" and ruling.demand.kind is not Kind.MAX_ERROR_RATE:
            assert ruling.counts is not None
            assert not ruling.counts.missing
    if not 0 < len(gone) <= 4:
        return
    for cells in itertools.product((0.0, 1.0), repeat=len(gone)):
        filled = situation
        for (arm, place), cell in zip(gone, cells, strict=True):
            filled = filled.with_cell(arm, place, cell)
        rulings = filled.judged().rulings
        assert {rulings[place].verdict for place in passed} == {Verdict.PASS}
