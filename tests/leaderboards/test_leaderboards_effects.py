"""Effects of a sweep's factors, on designs planted so that every number can be had by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import sqrt

import numpy as np
import pytest

from ragproof.comparing.scored_run import ScoredRun
from ragproof.leaderboards.effects import Effects, effects
from ragproof.leaderboards.factorial import Design, NoDesign, design
from ragproof.metric import Direction
from ragproof.statistics.clusters import cluster_interval
from ragproof.statistics.power import detectable_effect
from ragproof.statistics.student import paired_t
from tests.fakes.scored_runs import ERROR, Cell, scored_run

Levels = Mapping[str, Sequence[str]]
TWO_BY_TWO: Levels = {"a": ("0", "1"), "b": ("0", "1")}
N = 8
WOBBLE = [0.25, -0.25] * (N // 2)
"""Sums to 0 and never changes a sign that it is added to below."""


def planted(
    levels: Levels, value: Callable[[int, tuple[int, ...]], Cell], n: int = N, **fields: object
) -> Effects | NoDesign:
    """Sweep factors over n cases; `value` says what a case scores in a cell, by its levels' places."""
    runs: list[ScoredRun] = []
    factors: list[Mapping[str, str]] = []
    for number, places in enumerate(product(*(range(len(names)) for names in levels.values()))):
        values = [value(case, places) for case in range(n)]
        runs.append(scored_run({"m": values}, id=f"r{number}", **fields))  # type: ignore[arg-type]
        factors.append({name: levels[name][place] for name, place in zip(levels, places, strict=True)})
    return effects(runs, "m", factors)


def found(result: Effects | NoDesign) -> Effects:
    """The effects, which there must be."""
    assert isinstance(result, Effects), result
    return result


def crossed(case: int, cell: tuple[int, ...]) -> float:
    """Cell means 0, 0.125, 0.125 and 0.75: the two changes bring 0.5 more together than one by one."""
    a, b = cell
    return 0.125 * (a + b) + (0.5 + WOBBLE[case]) * a * b


def test_main_effects_of_two_by_two_are_differences_of_marginal_means() -> None:
    """(0.125 + 0.75)/2 - (0 + 0.125)/2 = 0.375 for each factor, all 8 cases agreeing: p = 2/2^8."""
    got = found(planted(TWO_BY_TWO, crossed))
    assert (got.design.factors, got.design.levels) == (("a", "b"), (("0", "1"), ("0", "1")))
    assert [(each.factor, each.level, each.mean) for each in got.means] == [
        (0, 0, pytest.approx(0.0625)),
        (0, 1, pytest.approx(0.4375)),
        (1, 0, pytest.approx(0.0625)),
        (1, 1, pytest.approx(0.4375)),
    ]
    for factor, contrast in enumerate(got.contrasts):
        assert (contrast.factor, contrast.levels, contrast.n_nonzero) == (factor, (0, 1), N)
        assert contrast.difference == pytest.approx(0.375)
        assert (contrast.p_raw, contrast.p) == (pytest.approx(2 / 2**N),) * 2


def test_the_interaction_of_two_by_two_is_its_difference_in_differences() -> None:
    """0.75 - 0.125 - 0.125 + 0 = 0.5, of each case 0.25 or 0.75, all over 0: p = 2/2^8."""
    got = found(planted(TWO_BY_TWO, crossed))
    (pair,) = got.pairs
    assert pair.factors == (0, 1)
    assert (pair.test.p, pair.p) == (pytest.approx(2 / 2**N),) * 2
    assert pair.stands
    assert np.array(pair.means) == pytest.approx(np.array([[0.0, 0.125], [0.125, 0.75]]))
    # Double centred: a quarter of the difference in differences, of alternating sign.
    assert np.array(pair.test.cell_effects) == pytest.approx(np.array([[1, -1], [-1, 1]]) * 0.5 / 4)
    # Mean square against total square of 0.25 and 0.75: 0.5^2 / ((0.25^2 + 0.75^2) / 2).
    assert pair.test.partial_eta2 == pytest.approx(0.25 / 0.3125)
    (corner,) = pair.corners
    assert (corner.levels_a, corner.levels_b) == ((0, 1), (0, 1))
    assert (corner.mean, corner.p) == (pytest.approx(0.5), pytest.approx(2 / 2**N))
    d = [0.5 + each for each in WOBBLE]
    assert corner.interval == paired_t(d).interval
    assert pair.detectable == pytest.approx(detectable_effect(N, 0.25 * sqrt(N / (N - 1))))
    assert (got.conditional(0), got.conditional(1)) == (True, True)


def test_simple_effects_say_what_a_factor_brings_at_each_level_of_the_other() -> None:
    """0.125 without the other change, 0.125 + 0.5 with it; the same both ways in this design."""
    (pair,) = found(planted(TWO_BY_TWO, crossed)).pairs
    for simple in (pair.given_second, pair.given_first):
        assert [(each.given, each.levels, each.mean) for each in simple] == [
            (0, (0, 1), pytest.approx(0.125)),
            (1, (0, 1), pytest.approx(0.75 - 0.125)),
        ]


def additive(case: int, cell: tuple[int, ...]) -> float:
    """The retriever's levels bring 0.1 and 0.3, the reranker 0.2, the model nothing; nothing depends."""
    retriever, reranker, _ = cell
    lift = [0.0, 0.1, 0.3][retriever] + 0.2 * reranker
    return 0.05 + lift * (1 + WOBBLE[case % N])


THREE: Levels = {"retriever": ("bm25", "dense", "hybrid"), "reranker": ("off", "on"), "model": ("s", "l")}


def test_a_design_of_three_by_two_by_two_is_averaged_over_the_other_factors() -> None:
    """Every pair of levels is one contrast, in one family of 3 + 1 + 1."""
    got = found(planted(THREE, additive))
    contrasts = {(each.factor, each.levels): each for each in got.contrasts}
    expected = {
        (0, (0, 1)): 0.1,
        (0, (0, 2)): 0.3,
        (0, (1, 2)): 0.2,
        (1, (0, 1)): 0.2,
        (2, (0, 1)): 0.0,
    }
    assert {key: each.difference for key, each in contrasts.items()} == pytest.approx(expected)
    for key, each in contrasts.items():
        assert each.unresolvable is (key[0] == 2)
        assert each.p == pytest.approx(1.0 if key[0] == 2 else 2 / 2**N)
    means = [each.mean for each in got.means]
    assert means == pytest.approx(
        [0.15, 0.25, 0.45, 0.183333333333, 0.383333333333, 0.283333333333, 0.283333333333]
    )


def test_effects_that_add_up_leave_no_interaction() -> None:
    """Nothing to test, and no p made up: not one case departs from the sum."""
    got = found(planted(THREE, additive))
    assert [pair.factors for pair in got.pairs] == [(0, 1), (0, 2), (1, 2)]
    for pair in got.pairs:
        assert (pair.unresolvable, pair.stands, pair.corners) == (True, False, ())
        assert np.array(pair.test.cell_effects) == pytest.approx(0.0, abs=1e-12)
        assert (pair.test.partial_eta2, pair.detectable) == (None, None)
    assert not any(got.conditional(factor) for factor in range(3))


def test_holm_holds_the_pairs_of_factors_together() -> None:
    """One of three interacts, with p = 2/2^8: thrice that after Holm; its corners are tested, no others."""

    def value(case: int, cell: tuple[int, ...]) -> float:
        retriever, reranker, model = cell
        return 0.1 + (0.4 + WOBBLE[case % N]) * (retriever == 2) * reranker + 0.05 * model

    got = found(planted(THREE, value))
    by_factors = {pair.factors: pair for pair in got.pairs}
    standing = by_factors[0, 1]
    assert (standing.test.p, standing.p) == (pytest.approx(2 / 2**N), pytest.approx(3 * 2 / 2**N))
    assert [pair.factors for pair in got.pairs if pair.stands] == [(0, 1)]
    corners = {each.levels_a: each.mean for each in standing.corners}
    assert corners == pytest.approx({(0, 1): 0.0, (0, 2): 0.4, (1, 2): 0.4})
    assert [got.conditional(factor) for factor in range(3)] == [True, True, False]


def test_what_could_be_seen_is_said_of_the_corner_that_varies_most() -> None:
    """Differences in differences wobble by 0.1, 0.2 and their difference."""

    def value(case: int, cell: tuple[int, ...]) -> float:
        return 0.5 + 0.4 * WOBBLE[case] * cell[0] * cell[1]

    levels: Levels = {"a": ("0", "1", "2"), "b": ("0", "1")}
    (pair,) = found(planted(levels, value)).pairs
    assert pair.detectable == pytest.approx(detectable_effect(N, 0.2 * sqrt(N / (N - 1))))


def test_a_metric_that_is_better_when_lower_is_turned() -> None:
    """A level that takes less is better: +; means stay in the metric's unit."""
    directions = {"m": Direction.LOWER}
    got = found(planted(TWO_BY_TWO, crossed, directions=directions))
    assert [each.difference for each in got.contrasts] == pytest.approx([-0.375, -0.375])
    assert got.pairs[0].means[1][1] == pytest.approx(0.75)
    assert got.pairs[0].corners[0].mean == pytest.approx(-0.5)


def test_questions_on_one_document_flip_together() -> None:
    """Sixteen cases of eight documents: 2/2^8 again, and CR1 intervals."""
    groups = [f"d{case // 2}" for case in range(16)]
    got = found(planted(TWO_BY_TWO, lambda case, cell: crossed(case // 2, cell), n=16, groups=groups))
    assert got.documents == 8
    assert [each.p for each in got.contrasts] == pytest.approx([2 / 2**8] * 2)
    (corner,) = got.pairs[0].corners
    d = [0.5 + WOBBLE[case // 2] for case in range(16)]
    assert corner.interval == cluster_interval(d, groups).interval


def test_a_case_that_lacks_one_cell_is_dropped_whole() -> None:
    """Half a block would compare cells on different cases."""

    def value(case: int, cell: tuple[int, ...]) -> Cell:
        return ERROR if (case, cell) == (3, (1, 0)) else crossed(case, cell)

    got = found(planted(TWO_BY_TWO, value))
    assert (got.cases, got.dropped) == (N - 1, 1)


def test_cases_that_no_cell_shares_make_no_effect() -> None:
    """In words."""
    result = planted(TWO_BY_TWO, lambda case, cell: 1.0 if case == cell[0] else ERROR, n=3)
    assert result == NoDesign("0 of 3 cases are scored in every cell")
    result = planted(TWO_BY_TWO, lambda case, cell: 1.0 if case == 0 else ERROR, n=3)
    assert result == NoDesign("1 of 3 cases is scored in every cell")


ON, OFF = {"k": "on"}, {"k": "off"}


@pytest.mark.parametrize(
    ("why", "factors", "expected"),
    [
        ("no run, no design", [], "no run here has factors"),
        ("no factor, no design", [None, None], "no run here has factors"),
        ("one level is no factor", [ON, ON], "every factor has one level in all runs"),
        (
            "a combination without a run is named",
            [{"k": "on", "r": "x"}, {"k": "off", "r": "x"}, {"k": "on", "r": "y"}],
            "1 of 4 combinations have no completed run here k=off, r=y",
        ),
        (
            "sweeps of other factors do not mix",
            [ON, {"r": "x"}],
            "the runs come from sweeps of different factors",
        ),
    ],
)
def test_what_is_no_full_design_is_told(
    why: str, factors: list[Mapping[str, str] | None], expected: str
) -> None:
    """No effect is computed from half a grid."""
    result = design(factors)
    assert isinstance(result, NoDesign), why
    assert f"{result.reason} {', '.join(result.names)}".startswith(expected), why


def test_a_design_takes_the_latest_run_of_a_cell_and_leaves_out_what_is_in_none() -> None:
    """A factor that never varies is told, and so is what was passed over."""
    factors: list[Mapping[str, str] | None] = [
        None,
        {"k": "on", "m": "x"},
        {"k": "off", "m": "x"},
        {"k": "on", "m": "x"},
    ]
    assert design(factors) == Design(
        factors=("k",), levels=(("on", "off"),), places=(3, 2), constant={"m": "x"}, repeated=1, outside=1
    )


def test_the_same_seed_gives_the_same_effects() -> None:
    """Also where signs are drawn and not listed."""

    def value(case: int, cell: tuple[int, ...]) -> float:
        return (case * 37 % 101) / 101 * (0.3 + 0.2 * cell[0] + 0.1 * cell[0] * cell[1] * (case % 3 - 1))

    first, second = (found(planted(TWO_BY_TWO, value, n=40)) for _ in range(2))
    assert first == second
    assert not first.pairs[0].test.exact
