"""Bounds of a mean over cases in groups: CR1, and the worst of every filling of what is missing."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.gating.cluster_bound import cluster_bounds
from ragproof.statistics.clusters import cluster_interval

UNIT = (0.0, 1.0)
CONFIDENCE = 0.95


def bounds(values, groups, span=UNIT, confidence=CONFIDENCE):
    array = np.array([np.nan if value is None else value for value in values])
    ends = np.tile(np.array(span or (np.nan, np.nan)), (array.size, 1))
    return cluster_bounds(array, ends, np.array(groups), span=span, confidence=confidence)


def interval(values, groups, span=UNIT):
    """The library's, at twice the error: each of its ends is a one-sided bound."""
    low, high = span or (None, None)
    found = cluster_interval(values, groups, confidence=2 * CONFIDENCE - 1, lowest=low, highest=high)
    return found.interval


SAMPLE = [1.0, 0.5, 0.0, 1.0, 0.75, 0.25, 0.5, 1.0, 0.0, 0.5]
GROUPS = [0, 0, 0, 1, 1, 2, 3, 3, 4, 4]


def test_without_anything_missing_both_bounds_are_the_cluster_robust_ones():
    found, expected = bounds(SAMPLE, GROUPS), interval(SAMPLE, GROUPS)
    assert found.lower == pytest.approx(expected.low, abs=1e-12)
    assert found.upper == pytest.approx(expected.high, abs=1e-12)
    assert found.groups == 5


@pytest.mark.parametrize("gone", [(0,), (3, 4), (1, 5, 8), (0, 1, 2)])
def test_with_values_missing_the_bound_is_the_least_of_every_filling(gone):
    """One by one, by the library."""
    values = [None if place in gone else value for place, value in enumerate(SAMPLE)]
    fillings = [
        [filled[gone.index(place)] if place in gone else value for place, value in enumerate(SAMPLE)]
        for filled in itertools.product(UNIT, repeat=len(gone))
    ]
    lowest = min(cluster_interval(each, GROUPS, confidence=0.9).interval.low for each in fillings)
    assert bounds(values, GROUPS).lower == pytest.approx(lowest, abs=1e-12)


ABSENT = [
    # why, values, groups, span
    ("one group is one observation", SAMPLE, [0] * 10, UNIT),
    ("an open range bounds no missing value", [None, *SAMPLE[1:]], GROUPS, None),
    ("equal values of an open range", [0.5] * 10, GROUPS, None),
    ("thirteen are missing", [None] * 13 + SAMPLE, [*range(13), *GROUPS], UNIT),
    ("nothing is there", [None] * 10, GROUPS, UNIT),
]


@pytest.mark.parametrize(("why", "values", "groups", "span"), ABSENT, ids=[row[0] for row in ABSENT])
def test_what_carries_no_bound_has_none(why, values, groups, span):
    assert bounds(values, groups, span).lower is None


def test_equal_values_carry_what_so_many_groups_do():
    """80 perfect cases of 10 documents are 10 observations: at most 1 - .05^(1/10) are anything else."""
    found = bounds([1.0] * 80, [place // 8 for place in range(80)])
    assert found.lower == pytest.approx(0.05 ** (1 / 10))


def test_equal_values_look_no_better_once_one_is_lost():
    """Whatever fills the gap gives the sample a spread, and Student's bound may be the narrower one."""
    groups = [place // 2 for place in range(40)]
    whole = bounds([0.9] * 40, groups).lower
    assert whole is not None
    for gone in (0, 39):
        values = [None if place == gone else 0.9 for place in range(40)]
        assert bounds(values, groups).lower <= whole


@given(
    st.lists(
        st.tuples(st.sampled_from([None, 0.0, 0.25, 0.5, 0.9, 1.0]), st.integers(0, 6)),
        min_size=2,
        max_size=14,
    ),
    st.data(),
)
def test_losing_a_value_never_raises_the_bound(cases, data):
    values, groups = [value for value, _ in cases], [group for _, group in cases]
    here = [place for place, value in enumerate(values) if value is not None]
    if not here:
        return
    before = bounds(values, groups).lower
    gone = data.draw(st.sampled_from(here))
    after = bounds([None if place == gone else value for place, value in enumerate(values)], groups).lower
    assert after is None or (before is not None and after <= before + 1e-12)


def test_groups_keep_the_error_rate():
    """10 documents of 5, the true mean at the threshold: about 5 % are over it, and 21.7 % by naive t."""
    draws = np.random.default_rng(7)
    repetitions, over = 2_000, 0
    groups = np.repeat(np.arange(10), 5)
    for _ in range(repetitions):
        values = np.repeat(draws.normal(0.0, 1.0, 10), 5) + draws.normal(0.0, 0.5, 50)
        found = cluster_bounds(values, np.full((50, 2), np.nan), groups, span=None, confidence=CONFIDENCE)
        over += found.lower is not None and found.lower > 0.0
    assert over / repetitions == pytest.approx(0.05, abs=0.015)
