"""Interaction of two factors: the repeated-measures sum of squares, tested by flipping whole cases."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.anova import AnovaRM

from ragproof.statistics.clusters import cluster_interval
from ragproof.statistics.factor_cells import complete_blocks
from ragproof.statistics.interaction import interaction
from ragproof.statistics.interval import Flag
from ragproof.statistics.max_t import max_t
from ragproof.statistics.sign_flip import sign_flip
from ragproof.statistics.simple_effects import corner_contrasts, differences_in_differences, simple_effects
from ragproof.statistics.student import paired_t


def _cells(n=14, a=3, b=4, seed=0, effect=0.0):
    rng = np.random.default_rng(seed)
    cells = rng.choice([0.0, 0.5, 1.0], (n, a, b)) + rng.normal(0, 0.3, (n, 1, 1))
    cells[:, -1, -1] += effect
    return cells


@pytest.mark.parametrize(("a", "b"), [(2, 2), (3, 4)])
def test_f_agrees_with_statsmodels(a, b):
    cells = _cells(a=a, b=b)
    rows = [(i, j, k, cells[i, j, k]) for i, j, k in np.ndindex(cells.shape)]
    frame = pd.DataFrame(rows, columns=["case", "A", "B", "y"])
    oracle = AnovaRM(frame, "y", "case", within=["A", "B"]).fit().anova_table.loc["A:B"]
    test = interaction(cells)
    assert (test.f, test.p_f) == pytest.approx((oracle["F Value"], oracle["Pr > F"]), rel=1e-9)
    assert test.df == (oracle["Num DF"], oracle["Den DF"])


def test_the_sum_of_squares_is_that_of_the_double_centred_means():
    cells = _cells()
    test = interaction(cells)
    effects = np.array(test.cell_effects)
    assert test.sum_of_squares == pytest.approx(len(cells) * (effects**2).sum())
    assert np.abs(effects.sum(axis=0)).max() < 1e-12
    assert np.abs(effects.sum(axis=1)).max() < 1e-12


def test_the_exact_p_counts_every_flip_of_whole_cases():
    """On double-centred cells, without contrast matrices."""
    cells = _cells(n=8, effect=0.4)
    centred = cells - cells.mean(axis=1, keepdims=True) - cells.mean(axis=2, keepdims=True)
    centred += cells.mean(axis=(1, 2), keepdims=True)
    signs = np.array(list(itertools.product((1, -1), repeat=8)))
    sums = (np.einsum("sn,nab->sab", signs, centred) ** 2).sum(axis=(1, 2))
    assert interaction(cells).p == pytest.approx((sums >= sums[0] - 1e-9).mean(), rel=1e-12)


def test_a_two_by_two_interaction_is_the_sign_flip_of_its_corner():
    cells = _cells(a=2, b=2, effect=0.5)
    (corner,), table = corner_contrasts(cells)
    test, flip = interaction(cells), sign_flip(table[:, 0])
    assert corner == ((0, 1), (0, 1))
    assert (test.p, test.mid_p) == pytest.approx((flip.p, flip.mid_p), rel=1e-12)
    assert test.f == pytest.approx(paired_t(table[:, 0]).t ** 2)
    assert test.gg_epsilon == pytest.approx(1.0)


def test_many_cases_are_flipped_at_random_and_reproducibly():
    cells = _cells(n=60, effect=0.2)
    first = interaction(cells, draws=800, seed=1)
    assert not first.exact
    assert interaction(cells, draws=800, seed=1, batch=64) == first
    assert first.p == pytest.approx(interaction(cells, draws=800, seed=2).p, abs=0.05)


def test_main_effects_are_no_interaction():
    """Any factor may shift every case by any amount."""
    cells = _cells()
    shifted = cells + np.array([0.0, 3.0, -2.0])[:, None] + np.array([1.0, 0.0, 5.0, 9.0])
    assert interaction(shifted).p == interaction(cells).p
    assert interaction(shifted).sum_of_squares == pytest.approx(interaction(cells).sum_of_squares)


def test_cases_of_one_document_flip_together():
    cells = _cells(n=12, effect=0.5)
    clustered = interaction(cells, clusters=[index // 2 for index in range(12)])
    assert clustered.assignments == 2**6
    assert clustered.sum_of_squares == pytest.approx(interaction(cells).sum_of_squares)
    assert interaction(cells, clusters=list(range(12))).p == interaction(cells).p


FLAT = [
    ("additive cells: no interaction in any case", np.arange(4.0).reshape(2, 2), 1.0),
    ("the same interaction in every case", np.array([[0.0, 0.0], [0.0, 1.0]]), 2 / 2**7),
]


@pytest.mark.parametrize(("why", "case", "p"), FLAT, ids=[row[0] for row in FLAT])
def test_without_error_there_is_no_f(why, case, p):
    test = interaction(np.tile(case, (7, 1, 1)))
    assert (test.f, test.p_f, test.gg_epsilon, test.p_gg) == (None, None, None, None)
    assert test.p == pytest.approx(p)
    assert test.partial_eta2 == (None if p == 1.0 else pytest.approx(1.0))


def test_corners_are_differences_of_gains():
    """(Y_11 - Y_10) - (Y_01 - Y_00)."""
    cells = np.tile([[0.1, 0.2], [0.3, 0.9]], (3, 1, 1))
    (result,) = differences_in_differences(cells)
    assert result.mean == pytest.approx((0.9 - 0.3) - (0.2 - 0.1))
    assert result.interval.flag is Flag.ALL_EQUAL


def test_all_corners_are_tested_together():
    cells = _cells(effect=0.8)
    results = differences_in_differences(cells)
    joint = max_t(corner_contrasts(cells)[1])
    assert len(results) == 3 * 6
    assert tuple(result.p for result in results) == joint.p_step_down
    assert all(result.p >= result.p_raw for result in results)
    planted = [result for result in results if (result.levels_a[1], result.levels_b[1]) == (2, 3)]
    assert min(results, key=lambda result: result.p) in planted


def test_corners_of_clustered_cases_have_cluster_robust_intervals():
    cells, places = _cells(n=14), [index // 2 for index in range(14)]
    result = differences_in_differences(cells, clusters=places)[0]
    assert result.interval == cluster_interval(corner_contrasts(cells)[1][:, 0], places).interval


@pytest.mark.parametrize("clusters", [None, [index // 2 for index in range(14)]])
def test_simple_effects_are_gains_given_a_level(clusters):
    """Of the second factor given the first, and the other way round."""
    cells = _cells()
    gains = simple_effects(cells, of=1, clusters=clusters, draws=200)
    assert len(gains) == 3 * 6
    assert (gains[0].given, gains[0].levels) == (0, (0, 1))
    assert gains[0].mean == pytest.approx((cells[:, 0, 1] - cells[:, 0, 0]).mean())
    assert gains[0].interval.low < gains[0].mean < gains[0].interval.high
    assert len(simple_effects(cells, of=0, draws=64)) == 4 * 3
    with pytest.raises(ValueError, match=r"^'of' is 2; expected 0 .*"):
        simple_effects(cells, of=2)


def test_incomplete_cases_are_dropped_and_named():
    scores = np.arange(24.0).reshape(3, 2, 2, 2)
    scores[1, 0, 1, 1] = np.nan
    blocks = complete_blocks(scores, (0, 2))
    assert (blocks.kept, blocks.dropped) == ((0, 2), (1,))
    np.testing.assert_array_equal(blocks.cells, scores[[0, 2]].mean(axis=2))
    np.testing.assert_array_equal(complete_blocks(scores, (2, 0)).cells, blocks.cells.transpose(0, 2, 1))
    np.testing.assert_array_equal(complete_blocks(scores, (1,)).cells, scores[[0, 2]].mean(axis=(1, 3)))
    assert complete_blocks(np.full((2, 2, 2), np.nan), (0, 1)).cells.shape == (0, 2, 2)


@pytest.mark.parametrize("factors", [(), (0, 0), (3,), (0, 1, 2)])
def test_factors_that_are_none_are_refused(factors):
    with pytest.raises(
        ValueError, match=r"^'factors' is .*; expected one or two different ones from 0 to 2$"
    ):
        complete_blocks(np.zeros((3, 2, 2, 2)), factors)


REFUSED = [
    ("one level", np.zeros((5, 1, 2)), "'cells' has shape"),
    ("no case", np.zeros((0, 2, 2)), "'cells' has shape"),
    (
        "a hole",
        np.full((2, 2, 2), np.nan),
        "'cells' holds a number that is not finite; expected complete_blocks",
    ),
]


@pytest.mark.parametrize(("why", "cells", "message"), REFUSED, ids=[row[0] for row in REFUSED])
def test_cells_that_are_no_blocks_are_refused(why, cells, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        interaction(cells)
