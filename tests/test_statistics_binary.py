"""A binary metric on two variants: the exact test, its mid-p and Newcombe's interval."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar as oracle

from ragproof.statistics.interval import Flag
from ragproof.statistics.paired_proportions import PairedTable, mcnemar, newcombe_interval, paired_table
from ragproof.statistics.sign_flip import sign_flip

COUNTS = st.integers(0, 30)


@given(COUNTS, COUNTS, COUNTS, COUNTS)
@settings(max_examples=60, deadline=None)
def test_the_exact_test_agrees_with_statsmodels_and_the_sign_flip(both, first, second, neither):
    test = mcnemar(both, first, second, neither)
    assert test.p == pytest.approx(oracle([[both, first], [second, neither]], exact=True).pvalue, rel=1e-10)
    flip = sign_flip([1.0] * first + [-1.0] * second + [0.0] * (both + neither + 1))
    assert (test.p, test.mid_p) == pytest.approx((flip.p, flip.mid_p), rel=1e-10)


@given(COUNTS, COUNTS, COUNTS, COUNTS)
@settings(max_examples=100, deadline=None)
def test_newcombes_interval_contains_the_difference_and_turns_with_the_variants(both, first, second, neither):
    n = both + first + second + neither
    interval = newcombe_interval(both, first, second, neither)
    if n == 0:
        assert interval.flag is Flag.NO_CASE
        return
    turned = newcombe_interval(both, second, first, neither)
    assert -1 <= interval.low <= (first - second) / n <= interval.high <= 1
    assert interval.low < interval.high
    assert (interval.low, interval.high) == pytest.approx((-turned.high, -turned.low), abs=1e-12)


def test_newcombes_example_is_the_published_one():
    """36, 12, 2 and 0 of 50: 0.0569 to 0.3404 (Newcombe 1998, table II, method 10)."""
    interval = newcombe_interval(36, 12, 2, 0)
    assert (round(interval.low, 4), round(interval.high, 4)) == (0.0569, 0.3404)


def test_thousands_of_discordant_cases_do_not_overflow():
    test = mcnemar(0, 3_100, 2_900, 0)
    z = (3_100 - 2_900 - 1) / math.sqrt(6_000)
    assert test.p == pytest.approx(math.erfc(z / math.sqrt(2)), rel=0.01)


def test_without_a_case_nothing_is_measured():
    test = mcnemar(0, 0, 0, 0)
    assert (test.p, test.risk_difference, test.standard_error, test.conditional_odds_ratio) == (
        1,
        None,
        None,
        None,
    )


def test_the_odds_ratio_is_absent_when_the_second_never_wins_alone():
    assert mcnemar(1, 4, 0, 1).conditional_odds_ratio is None
    assert mcnemar(1, 4, 2, 1).conditional_odds_ratio == 4 / 2


def test_a_table_is_counted_from_the_scores():
    assert paired_table([1, 1, 0, 0, 1], [1, 0, 1, 0, 0]) == PairedTable(1, 2, 1, 1)
    assert paired_table(np.array([True]), np.array([False])).only_first == 1


REFUSED = [
    (
        "graded",
        [0.5, 1.0],
        [1, 1],
        "'first' holds 0.5; expected 0 or 1, and sign_flip[(][)] for a graded metric",
    ),
    ("other lengths", [1, 0], [1], "'second' has 1 cases; expected the 2 of 'first'"),
]


@pytest.mark.parametrize(("why", "first", "second", "message"), REFUSED, ids=[row[0] for row in REFUSED])
def test_scores_that_are_not_binary_pairs_are_refused(why, first, second, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        paired_table(first, second)


def test_a_negative_count_is_refused():
    with pytest.raises(ValueError, match=r"^'neither' is -1; expected a count of at least 0$"):
        mcnemar(1, 1, 1, -1)
