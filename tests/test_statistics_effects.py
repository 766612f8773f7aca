"""Effect sizes of paired differences."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

from ragproof.statistics.effects import effect_sizes, hedges_factor


def test_the_effect_sizes_of_a_small_sample():
    """Differences 2, 1, 0 and -1: mean 1/2, standard deviation sqrt(5/3), ranks 3, 1.5 and 1.5."""
    sizes = effect_sizes([2.0, 1.0, 0.0, -1.0])
    d_z = 0.5 / math.sqrt(5 / 3)
    assert (sizes.mean_difference, sizes.n) == (0.5, 4)
    assert (sizes.wins, sizes.ties, sizes.losses) == (2, 1, 1)
    assert sizes.d_z == pytest.approx(d_z)
    # df = 3: gamma(3/2) / (sqrt(3/2) gamma(1)), and gamma(3/2) is sqrt(pi)/2.
    assert sizes.g_z == pytest.approx(d_z * math.sqrt(math.pi) / 2 / math.sqrt(3 / 2))
    assert sizes.rank_biserial == pytest.approx((3 + 1.5 - 1.5) / (3 + 1.5 + 1.5))


EDGES = [
    ("one case does not vary", [0.5], None, None, 1.0),
    ("equal differences do not vary", [0.1, 0.3 - 0.2, 0.1], None, None, 1.0),
    ("nothing differs: no rank either", [0.0, 0.0], None, None, None),
    ("two cases have a d_z, and no finite correction", [1.0, 0.0], 0.5 / math.sqrt(0.5), None, 1.0),
    ("a tie that rounding hides", [0.3 - 0.1, 0.5 - 0.7], 0.0, None, 0.0),
]


@pytest.mark.parametrize(("why", "d", "d_z", "g_z", "rank"), EDGES, ids=[row[0] for row in EDGES])
def test_what_cannot_be_computed_is_absent(why, d, d_z, g_z, rank):
    sizes = effect_sizes(d)
    assert sizes.d_z == (None if d_z is None else pytest.approx(d_z, abs=1e-12))
    assert (sizes.g_z, sizes.rank_biserial) == (g_z, rank)


def test_hedges_factor_is_close_to_its_usual_approximation():
    """1 - 3/(4 df - 1), to three digits from 10 degrees of freedom on."""
    for df in (10, 30, 300, 5_000):
        assert hedges_factor(df) == pytest.approx(1 - 3 / (4 * df - 1), abs=5e-4)
    with pytest.raises(ValueError, match=r"^'df' is 1; expected at least 2, that is three cases$"):
        hedges_factor(1)


@given(st.lists(st.integers(-8, 8).map(lambda units: units / 8), min_size=1, max_size=60))
@settings(max_examples=60, deadline=None)
def test_the_rank_biserial_agrees_with_scipys_ranks(d):
    """And changes its sign when the variants are swapped."""
    moving = np.array([value for value in d if value])
    sizes = effect_sizes(d)
    if moving.size == 0:
        assert sizes.rank_biserial is None
        return
    ranks = rankdata(np.abs(moving))
    assert sizes.rank_biserial == pytest.approx((ranks * np.sign(moving)).sum() / ranks.sum(), abs=1e-12)
    assert effect_sizes([-value for value in d]).rank_biserial == pytest.approx(
        -sizes.rank_biserial, abs=1e-12
    )
