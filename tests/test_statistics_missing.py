"""Missing values: counted, bounded, and never filled in silence."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.statistics.missing import missingness

VALUES = st.lists(st.tuples(*[st.none() | st.sampled_from([0.0, 0.5, 1.0])] * 2), min_size=1, max_size=5)


@given(VALUES)
@settings(max_examples=80, deadline=None)
def test_the_bounds_are_the_corners_of_every_assignment(pairs):
    """By trying each missing value at each end of the range."""
    a, b = zip(*pairs, strict=True)
    result = missingness(a, b, lowest=0, highest=1)
    means = []
    for fill in itertools.product((0.0, 1.0), repeat=2 * len(pairs)):
        filled = [value if value is not None else end for value, end in zip([*a, *b], fill, strict=True)]
        means.append(np.subtract(filled[len(a) :], filled[: len(a)]).mean())
    assert result.lowest_mean_difference == pytest.approx(min(means), abs=1e-12)
    assert result.highest_mean_difference == pytest.approx(max(means), abs=1e-12)
    assert result.n_pairs + result.missing_a + result.missing_b - result.missing_both == result.n_total


def test_without_a_missing_value_the_bounds_are_the_difference():
    for ends in ({"lowest": 0, "highest": 1}, {}):
        result = missingness([0.0, 0.5], [1.0, 0.5], **ends)
        assert (
            result.lowest_mean_difference == result.mean_difference == result.highest_mean_difference == 0.5
        )
        assert result.p_missing == 1.0


def test_an_open_range_bounds_nothing():
    result = missingness([1.0, None], [2.0, 3.0])
    assert (result.lowest_mean_difference, result.highest_mean_difference) == (None, None)
    assert result.zero_filled_difference == pytest.approx((2 - 1 + 3 - 0) / 2)


def test_zero_outside_the_range_is_not_filled_in():
    assert missingness([1.0, None], [2.0, 3.0], lowest=1, highest=5).zero_filled_difference is None


def test_no_pair_has_no_difference():
    """NaN is missing too."""
    result = missingness([None, 1.0], [1.0, math.nan], lowest=0, highest=1)
    assert (result.n_pairs, result.mean_difference) == (0, None)


def test_one_run_that_misses_more_is_tested_exactly():
    """Six cases that B alone lacks: 2/2^6."""
    a, b = [1.0] * 20, [None] * 6 + [1.0] * 14
    assert missingness(a, b).p_missing == 2 / 2**6


def test_reasons_are_counted_by_run():
    result = missingness(
        [None, None, 1.0],
        [None, 1.0, 1.0],
        reasons_a=["timeout", "timeout", None],
        reasons_b=["refused", None, None],
    )
    assert (result.reasons_a, result.reasons_b) == ((("timeout", 2),), (("refused", 1),))


REFUSED = [
    ("other lengths", {"a": [1.0], "b": [1.0, 0.0]}, "'b' has 2 cases; expected the 1 of 'a'"),
    ("nothing", {"a": [], "b": []}, "'a' has shape"),
    (
        "outside the range",
        {"a": [1.0], "b": [1.5], "lowest": 0, "highest": 1},
        "'b' holds 1.5; expected values from 0.0",
    ),
    ("infinite", {"a": [math.inf], "b": [1.0]}, "'a' holds inf at 0; expected finite numbers, or None"),
    (
        "too few reasons",
        {"a": [1.0], "b": [1.0], "reasons_b": ["x", "y"]},
        "'reasons_b' has 2 entries; expected one",
    ),
]


@pytest.mark.parametrize(("why", "asked", "message"), REFUSED, ids=[row[0] for row in REFUSED])
def test_what_cannot_be_compared_is_refused(why, asked, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        missingness(**asked)
