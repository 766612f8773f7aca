"""Many variants and many metrics: the joint sign flip, Holm and Benjamini-Hochberg, groups and letters."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from ragproof.statistics.groups import indistinguishable_groups
from ragproof.statistics.max_t import all_pairs, max_t
from ragproof.statistics.multiplicity import benjamini_hochberg, holm
from ragproof.statistics.sign_flip import sign_flip


def _stepped_down(d):
    """Westfall and Young's algorithm by plain loops over every sign assignment."""
    norm = np.sqrt((d**2).sum(axis=0))
    observed = np.abs(d.sum(axis=0)) / norm
    order = sorted(range(d.shape[1]), key=lambda column: -observed[column])
    draws = [np.abs(np.array(s) @ d) / norm for s in itertools.product((1, -1), repeat=len(d))]
    p, floor = [0.0] * d.shape[1], 0.0
    for rank, column in enumerate(order):
        rest = order[rank:]
        floor = max(floor, np.mean([max(draw[rest]) >= observed[column] - 1e-9 for draw in draws]))
        p[column] = floor
    return p


@pytest.mark.parametrize("seed", range(4))
def test_the_exact_joint_test_agrees_with_plain_loops(seed):
    d = np.random.default_rng(seed).integers(-4, 6, (9, 4)) / 4
    result = max_t(d)
    assert result.exact
    assert result.p_step_down == pytest.approx(_stepped_down(d), rel=1e-12)


def _table(n=40, m=5, seed=0):
    return np.random.default_rng(seed).normal([0.0, 0.1, 0.3, 0.5, 0.8], 1.0, (n, m))


def test_step_down_lies_between_raw_and_single_step():
    result = max_t(_table(), draws=2_000)
    assert not result.exact
    for raw, step, single in zip(result.p_raw, result.p_step_down, result.p_single_step, strict=True):
        assert raw <= step <= single
    order = np.argsort([-value for value in result.statistic])
    assert (np.diff(np.array(result.p_step_down)[order]) >= 0).all()


def test_the_raw_p_is_that_of_the_sign_flip():
    """The mean square is the same under every flip, so the statistic orders the flips as the mean does."""
    table = _table()
    raw = max_t(table, draws=500, seed=3).p_raw
    assert raw == pytest.approx([sign_flip(column, draws=500, seed=3).p for column in table.T])


def test_the_same_seed_gives_the_same_p_at_any_batch_size_and_column_order():
    table = _table()
    first = max_t(table, draws=700, seed=1)
    for batch in (1, 64, 300, 9_000):
        assert max_t(table, draws=700, seed=1, batch=batch) == first
    turned = max_t(table[:, ::-1], draws=700, seed=1)
    assert turned.p_step_down == pytest.approx(first.p_step_down[::-1])


def test_a_contrast_in_which_nothing_differs_separates_nothing():
    result = max_t(np.column_stack([_table()[:, 4], np.zeros(40)]), draws=300)
    assert (result.p_step_down[1], result.statistic[1]) == (1.0, 0.0)


def test_one_contrast_needs_no_adjustment():
    result = max_t(_table()[:, :1], draws=300)
    assert result.p_step_down == result.p_raw == result.p_single_step


def test_a_copy_of_a_contrast_costs_nothing():
    """Bonferroni would double p; the joint test knows that it is the same question."""
    table = _table()[:, 4:]
    assert max_t(np.hstack([table, table]), draws=900).p_step_down[0] == max_t(table, draws=900).p_raw[0]


def test_a_missing_case_is_out_of_its_contrast_alone():
    table = _table()
    table[:10, 2] = np.nan
    result = max_t(table, draws=300)
    present = table[10:, 2]
    assert result.statistic[2] == pytest.approx(abs(present.mean()) / np.sqrt((present**2).mean()))
    assert result.statistic[0] == max_t(_table(), draws=1).statistic[0]


def test_all_pairs_are_formed_once_each():
    pairs, d = all_pairs([[1.0, 2.0, 4.0], [0.0, np.nan, 1.0]])
    assert pairs == ((0, 1), (0, 2), (1, 2))
    np.testing.assert_array_equal(d, [[1.0, 3.0, 2.0], [np.nan, 1.0, np.nan]])
    with pytest.raises(ValueError, match=r"^'scores' has 1 variant; expected at least 2 columns$"):
        all_pairs([[1.0]])


@given(st.lists(st.integers(0, 1_000).map(lambda thousandths: thousandths / 1_000), max_size=12))
@settings(max_examples=60, deadline=None)
def test_adjusted_p_agree_with_statsmodels(p):
    for ours, method in ((holm, "holm"), (benjamini_hochberg, "fdr_bh")):
        oracle = multipletests(p, method=method)[1] if p else []
        assert ours(p) == pytest.approx(tuple(oracle), rel=1e-12)


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
@pytest.mark.parametrize("odd", [-0.1, 1.1, float("nan")])
def test_what_is_no_p_is_refused(adjust, odd):
    with pytest.raises(ValueError, match=r"^'p' holds .*; expected numbers from 0 to 1$"):
        adjust([0.5, odd])
    with pytest.raises(ValueError, match=r"^'p' has shape \(1, 1\); expected one p value a test$"):
        adjust([[0.5]])


GROUPS = [
    ("nothing separated: one group", "abc", [], ["abc"], "a a a", "abc"),
    ("all separated: everyone alone", "abc", ["ab", "ac", "bc"], ["a", "b", "c"], "a b c", "a"),
    ("the middle is tied with both", "abc", ["ac"], ["ab", "bc"], "a ab b", "ab"),
    ("a noisy fourth is tied with the first", "abcd", ["ac"], ["abd", "bcd"], "a ab b ab", "abd"),
    ("two pairs apart", "abcd", ["ab", "ac", "bd", "cd"], ["ad", "bc"], "a b b a", "ad"),
    ("the order of a pair does not matter", "ab", ["ba"], ["a", "b"], "a b", "a"),
    ("one variant", "a", [], ["a"], "a", "a"),
    ("none", "", [], [], "", ""),
]


@pytest.mark.parametrize(
    ("why", "systems", "separated", "groups", "letters", "best"), GROUPS, ids=[row[0] for row in GROUPS]
)
def test_groups_are_the_maximal_sets_not_separated(why, systems, separated, groups, letters, best):
    result = indistinguishable_groups(list(systems), [tuple(pair) for pair in separated])
    assert result.groups == tuple(tuple(group) for group in groups)
    assert result.letters == tuple(letters.split())
    assert result.tied_with_best == tuple(best)


@given(st.integers(1, 8), st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7))))
@settings(max_examples=120, deadline=None)
def test_two_variants_share_a_letter_exactly_when_not_separated(n, pairs):
    """And no group is a part of another."""
    systems = [f"s{index}" for index in range(n)]
    separated = [(f"s{i}", f"s{j}") for i, j in pairs if i < j < n]
    result = indistinguishable_groups(systems, separated)
    for i, j in itertools.combinations(range(n), 2):
        shared = set(result.letters[i]) & set(result.letters[j])
        assert bool(shared) is ((f"s{i}", f"s{j}") not in separated)
    sets = [set(group) for group in result.groups]
    assert not any(one < other for one, other in itertools.permutations(sets, 2))
    assert result.groups[0][0] == "s0"


def test_after_z_the_letters_carry_a_number():
    """So that two letters are always two groups."""
    systems = [f"s{index:02}" for index in range(28)]
    letters = indistinguishable_groups(systems, list(itertools.combinations(systems, 2))).letters
    assert letters[25:] == ("z", "a1", "b1")


@pytest.mark.parametrize(
    ("systems", "pairs", "message"),
    [
        (["a", "a"], [], r"'systems' holds a name twice"),
        (["a", "b"], [("a", "c")], r"'separated_pairs' holds \('a', 'c'\)"),
        (["a", "b"], [("a", "a")], r"'separated_pairs' holds \('a', 'a'\)"),
    ],
)
def test_names_that_do_not_fit_are_refused(systems, pairs, message):
    with pytest.raises(ValueError, match=message):
        indistinguishable_groups(systems, pairs)
