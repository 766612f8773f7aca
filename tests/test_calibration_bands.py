"""Bands, kappa and shares: what agreement is counted in."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa

from ragproof.judge.calibration.bands import BANDS, band_of
from ragproof.judge.calibration.kappa import counted, quadratic_kappa
from ragproof.judge.calibration.shares import share
from ragproof.statistics.proportions import wilson_interval

OF_SCORES = [
    # why, score, band
    ("nothing", 0.0, 0.0),
    ("one of five is nearest to none", 1 / 5, 0.0),
    ("just under a quarter", 0.2499999, 0.0),
    ("a quarter is as near to either, and not nothing", 1 / 4, 0.5),
    ("one of three", 1 / 3, 0.5),
    ("a half", 0.5, 0.5),
    ("two of three", 2 / 3, 0.5),
    ("three quarters are as near to either, and not all", 3 / 4, 0.5),
    ("just over three quarters", 0.7500001, 1.0),
    ("four of five are nearest to all", 4 / 5, 1.0),
    ("all", 1.0, 1.0),
]


@pytest.mark.parametrize(("why", "score", "band"), OF_SCORES, ids=[row[0] for row in OF_SCORES])
def test_a_score_is_in_the_nearest_band(why: str, score: float, band: float) -> None:
    """Halfway is the middle one."""
    assert BANDS[band_of(score)] == band


@given(st.integers(0, 60), st.integers(1, 60))
def test_turning_the_scale_round_turns_the_bands_round(part: int, whole: int) -> None:
    """So "supported" and "unsupported" are treated alike; in exact shares, as claims are counted."""
    part = min(part, whole)
    assert band_of(part / whole) + band_of((whole - part) / whole) == 2
    nearest = min((abs(Fraction(part, whole) - Fraction(band)), -i) for i, band in enumerate(BANDS))
    assert abs(Fraction(part, whole) - Fraction(BANDS[band_of(part / whole)])) == nearest[0]


@pytest.mark.parametrize("score", [-0.1, 1.0000001, float("nan"), float("inf")])
def test_what_is_no_share_is_in_no_band(score: float) -> None:
    """A number out of range is a mistake, not the nearest band."""
    with pytest.raises(ValueError, match="in no band; expected a number from 0 to 1"):
        band_of(score)


OF_TABLES = [
    # why, a table with the first rater in rows, kappa
    ("all equal, in more than one band", ((3, 0, 0), (0, 2, 0), (0, 0, 5)), 1.0),
    ("all as far apart as can be, evenly", ((0, 0, 4), (0, 0, 0), (4, 0, 0)), -1.0),
    ("as chance would have it", ((1, 0, 1), (0, 0, 0), (1, 0, 1)), 0.0),
    (
        "two bands: the plain kappa, (po - pe) / (1 - pe)",
        ((20, 0, 5), (0, 0, 0), (10, 0, 15)),
        (0.7 - 0.5) / 0.5,
    ),
    (
        "one step costs a quarter of two",
        ((1, 1, 0), (0, 0, 0), (0, 0, 1)),
        1 - (1 * 3) / (2 * 1 * 1 + 2 * 4 + 1 * 4 + 1 * 1),
    ),
    ("one band alone leaves nothing for chance", ((0, 0, 0), (0, 0, 0), (0, 0, 9)), None),
    ("no pair", ((0, 0, 0), (0, 0, 0), (0, 0, 0)), None),
    (
        "the judge says one thing, the labels do not: no better than chance",
        ((0, 0, 3), (0, 0, 1), (0, 0, 4)),
        0.0,
    ),
]


@pytest.mark.parametrize(("why", "counts", "kappa"), OF_TABLES, ids=[row[0] for row in OF_TABLES])
def test_kappa_of_a_table(why: str, counts: tuple[tuple[int, ...], ...], kappa: float | None) -> None:
    """By hand."""
    assert quadratic_kappa(counts) == (None if kappa is None else pytest.approx(kappa, abs=1e-12))


@given(st.lists(st.lists(st.integers(0, 30), min_size=3, max_size=3), min_size=3, max_size=3))
def test_kappa_is_that_of_statsmodels(counts: list[list[int]]) -> None:
    """Quadratic weights, on tables that have a kappa."""
    ours = quadratic_kappa(counts)
    if ours is not None:
        theirs = cohens_kappa(counts, wt="quadratic", return_results=False)
        assert ours == pytest.approx(float(theirs), abs=1e-9)
        assert -1 - 1e-9 <= ours <= 1
        assert ours == pytest.approx(quadratic_kappa(list(zip(*counts, strict=True))), abs=1e-9)


def test_pairs_are_counted_by_row_and_column() -> None:
    """The first rater chooses the row."""
    assert counted([(0, 2), (0, 2), (1, 1), (2, 0)]) == ((0, 0, 2), (0, 1, 0), (1, 0, 0))


def test_a_share_has_wilsons_interval() -> None:
    """And none of no cases: never 0."""
    interval = wilson_interval(9, 12)
    found = share(9, 12)
    assert (found.value, found.low, found.high) == (9 / 12, interval.low, interval.high)
    empty = share(0, 0)
    assert (empty.value, empty.low, empty.high) == (None, None, None)
    assert found.reaches(0.75)
    assert not found.reaches(0.76)
    assert not empty.reaches(0.0)


def test_a_share_reaches_the_share_it_is() -> None:
    """Whatever floats make of it: 55 of 100 is at least .55."""
    assert all(share(count, 100).reaches(float(f"0.{count:02d}")) for count in range(100))
