"""Intervals: the numbers of the libraries, never of zero width, and a flag when the data carry none."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from ragproof.statistics.bca import bca_interval, bca_intervals
from ragproof.statistics.bootstrap import resample
from ragproof.statistics.bootstrap_intervals import bootstrap_intervals
from ragproof.statistics.interval import Flag, share_elsewhere
from ragproof.statistics.proportions import clopper_pearson_interval, wilson_interval
from ragproof.statistics.resampled_mean import drawn_resampled_mean, exact_resampled_mean
from ragproof.statistics.student import paired_t
from ragproof.statistics.studentised import studentised_interval, studentised_intervals

GRADED = np.array([0.5, 0.0, -0.5, 1.0, 0.5, 0.0, 0.0, 0.5, -0.5, 0.5, 1.0, 0.0, -1.0, 0.5, 0.5, 0.0])


def _continuous(n=80, seed=1):
    return np.random.default_rng(seed).gamma(2.0, 0.2, n) - 0.3


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
def test_student_agrees_with_scipy(confidence):
    d = _continuous()
    test, oracle = paired_t(d, confidence=confidence), stats.ttest_1samp(d, 0.0)
    low, high = oracle.confidence_interval(confidence)
    assert (test.t, test.p, test.df) == pytest.approx((oracle.statistic, oracle.pvalue, 79), rel=1e-12)
    assert (test.interval.low, test.interval.high) == pytest.approx((low, high), rel=1e-12)


FLAT = [
    ("equal and bounded: the rest of the range is not excluded", [0.0] * 500, -1, 1, Flag.ALL_EQUAL),
    ("equal at the end of the range: it opens to one side", [1.0] * 10, 0, 1, Flag.ALL_EQUAL),
    ("equal but for rounding", [0.3 - 0.1, 0.7 - 0.5, 0.9 - 0.7], -1, 1, Flag.ALL_EQUAL),
    ("one case", [0.5], -1, 1, Flag.ONE_CASE),
]


@pytest.mark.parametrize(("why", "d", "lowest", "highest", "flag"), FLAT, ids=[row[0] for row in FLAT])
@pytest.mark.parametrize(
    "interval_of", [studentised_interval, lambda d, **ends: paired_t(d, **ends).interval]
)
def test_data_without_spread_get_a_flag_and_the_bound_of_n_equal_values(
    interval_of, why, d, lowest, highest, flag
):
    interval = interval_of(d, lowest=lowest, highest=highest)
    share = 1 - 0.05 ** (1 / len(d))
    assert interval.flag is flag
    assert interval.low == pytest.approx(d[0] - share * (d[0] - lowest))
    assert interval.high == pytest.approx(d[0] + share * (highest - d[0]))
    assert interval.high - interval.low > 0


@pytest.mark.parametrize("d", [[0.1] * 6, [0.5]])
def test_without_a_range_data_without_spread_have_no_interval(d):
    assert studentised_interval(d).low is None
    assert studentised_interval(d).flag in (Flag.ALL_EQUAL, Flag.ONE_CASE)
    assert bca_interval(d).bca.low is None
    assert bca_interval(d).percentile.flag is bca_interval(d).bca.flag
    test = paired_t(d)
    assert (test.t, test.p, test.standard_error) == (None, None, None)


def test_the_bound_of_n_equal_values_is_clopper_and_pearsons():
    """Of none in n, one-sided."""
    upper = stats.binomtest(0, 40).proportion_ci(0.90, method="exact").high
    assert share_elsewhere(40, 0.95) == pytest.approx(upper)


def test_the_studentised_bootstrap_agrees_with_a_plain_loop():
    """Written again from the textbook on the resamples themselves."""
    d = _continuous(30)
    rng = np.random.default_rng(0)
    resamples = d[rng.integers(0, 30, (40_000, 30))]
    errors = resamples.std(axis=1, ddof=1) / math.sqrt(30)
    q = np.quantile(np.abs(resamples.mean(axis=1) - d.mean()) / errors, 0.95)
    half = q * d.std(ddof=1) / math.sqrt(30)
    interval = studentised_interval(d, draws=40_000)
    assert interval.low == pytest.approx(d.mean() - half, abs=0.02 * half)
    assert interval.high == pytest.approx(d.mean() + half, abs=0.02 * half)
    assert interval.flag is None


def test_the_studentised_bootstrap_is_clipped_to_the_range():
    values = [1.0] * 18 + [0.0, 0.5, 0.0, 0.5]
    assert studentised_interval(values).high > 1
    clipped = studentised_interval(values, lowest=0, highest=1)
    assert (clipped.high, clipped.low) == (1.0, studentised_interval(values).low)


def test_when_most_resamples_would_miss_what_varies_students_t_is_shown_and_flagged():
    """One case in 500 differs: a third of the resamples are flat."""
    d = [0.0] * 499 + [1.0]
    interval = studentised_interval(d, lowest=-1, highest=1, draws=999)
    plain = paired_t(d, lowest=-1, highest=1).interval
    assert interval.flag is Flag.SPARSE
    assert (interval.low, interval.high, interval.method) == (plain.low, plain.high, "Student's t")


def test_a_resample_that_says_nothing_counts_as_if_the_mean_could_be_anywhere():
    """All zeros around a mean of zero, or no case of the contrast at all: 0/0."""
    level = [1.0, -1.0] + [0.0] * 38
    few = [0.2, 0.5, 0.9] + [math.nan] * 37
    for interval in studentised_intervals(np.column_stack([level, few]), draws=999):
        assert interval.flag is Flag.SPARSE


@pytest.mark.parametrize("intervals", [studentised_intervals, bca_intervals])
def test_the_same_seed_gives_the_same_interval_at_any_batch_size(intervals):
    table = np.column_stack([_continuous(seed=seed) for seed in range(3)])
    first = intervals(table, draws=500, seed=2)
    for batch in (1, 64, 333, 5_000):
        for one, other in zip(first, intervals(table, draws=500, seed=2, batch=batch), strict=True):
            _same(one, other)
    _same(first[1], intervals(table[:, 1:2], draws=500, seed=2)[0])


def _same(one, other):
    one, other = (getattr(result, "bca", result) for result in (one, other))
    assert (one.low, one.high) == pytest.approx((other.low, other.high), rel=1e-12)


@pytest.mark.parametrize("intervals", [studentised_intervals, bca_intervals])
def test_a_contrast_that_lacks_cases_is_as_wide_as_on_its_own_cases(intervals):
    """Resampled with the others, so equal up to the draws."""
    d = _continuous(200)
    partial = np.where(np.arange(200) % 2 == 0, d, np.nan)
    beside, alone = intervals(np.column_stack([d, partial]))[1], intervals(d[::2, None])[0]
    beside, alone = (getattr(result, "bca", result) for result in (beside, alone))
    width = alone.high - alone.low
    assert (beside.low, beside.high) == pytest.approx((alone.low, alone.high), abs=0.06 * width)


def test_asking_for_both_intervals_gives_what_asking_twice_gives():
    """On a lattice, without spread, with missing cases and without a range too."""
    table = np.column_stack([_continuous(80), np.resize(GRADED, 80), np.full(80, 0.5), _continuous(80, 2)])
    table[:7, 3] = np.nan
    both = bootstrap_intervals(table, [(-1, 1), (-1, 1), (-1, 1), None], draws=400)
    bounded, free = (
        studentised_intervals(table, lowest=-1, highest=1, draws=400),
        studentised_intervals(table, draws=400),
    )
    assert tuple(one.studentised for one in both) == (*bounded[:3], free[3])
    assert tuple(one.bootstrap for one in both) == bca_intervals(table, draws=400)
    with pytest.raises(ValueError, match=r"^'ranges' has 1 entries; expected one a column, 4$"):
        bootstrap_intervals(table, [None])


def test_bca_agrees_with_scipy_on_continuous_data():
    """Up to the draws of either."""
    d = _continuous(120)
    ours = bca_interval(d, draws=40_000)
    theirs = stats.bootstrap((d,), np.mean, n_resamples=40_000, method="BCa", rng=1).confidence_interval
    width = theirs.high - theirs.low
    assert not ours.exact
    assert (ours.bca.low, ours.bca.high) == pytest.approx((theirs.low, theirs.high), abs=0.015 * width)


def test_on_a_lattice_the_bootstrap_is_exact():
    """The Fourier power agrees with convolving the distribution n times, and draws come close."""
    exact = exact_resampled_mean(GRADED)
    chance = np.array([1.0])
    for _ in GRADED:
        chance = np.convolve(chance, np.bincount((GRADED * 2 + 2).astype(int)) / GRADED.size)
    np.testing.assert_allclose(exact.cumulative, np.cumsum(chance), atol=1e-12)
    place = int(GRADED.sum() * 2) + 2 * GRADED.size
    assert exact.below(float(GRADED.mean()), 1e-9) == pytest.approx(chance[:place].sum() + chance[place] / 2)
    shifts = resample(GRADED[:, None], draws=20_000, seed=0, batch=512, with_errors=False).shift[:, 0]
    mean = float(GRADED.mean())
    drawn = drawn_resampled_mean(mean, shifts)
    for p in (0.1, 0.5, 0.9):
        assert drawn.quantile(p) == pytest.approx(exact.quantile(p), abs=0.5 / GRADED.size)
    assert drawn.below(mean, 1e-9) == pytest.approx(exact.below(mean, 1e-9), abs=0.02)
    assert bca_interval(GRADED).exact


def test_an_end_at_zero_is_zero_and_not_rounding():
    """Or an interval that reaches zero would exclude it."""
    ends = [bca_interval([0.1] * wins + [0.0] * (47 - wins)).bca.low for wins in range(1, 7)]
    assert 0.0 in ends
    assert all(end == 0.0 or end > 1e-3 for end in ends)


def test_a_lattice_too_fine_or_too_long_is_resampled():
    assert exact_resampled_mean(_continuous()) is None
    assert exact_resampled_mean(np.tile([0.0, 1000.0], 600)) is None


SHOWN = [
    ("100 cases, 30 of them different", [1.0] * 15 + [-0.5] * 15 + [0.0] * 70, True),
    ("99 cases", [1.0] * 15 + [-0.5] * 15 + [0.0] * 69, False),
    ("29 different", [1.0] * 15 + [-0.5] * 14 + [0.0] * 71, False),
]


@pytest.mark.parametrize(("why", "d", "shown"), SHOWN, ids=[row[0] for row in SHOWN])
def test_bca_is_shown_only_where_it_can_be_trusted(why, d, shown):
    result = bca_interval(d)
    assert result.shown is shown
    assert (result.bca.flag is Flag.FEW_FOR_BCA) is not shown


@pytest.mark.parametrize(("successes", "n"), [(0, 7), (7, 7), (3, 7), (450, 500), (1, 2)])
@pytest.mark.parametrize("confidence", [0.9, 0.95])
def test_proportions_agree_with_statsmodels(successes, n, confidence):
    for ours, method in ((wilson_interval, "wilson"), (clopper_pearson_interval, "beta")):
        oracle = proportion_confint(successes, n, alpha=1 - confidence, method=method)
        interval = ours(successes, n, confidence=confidence)
        assert (interval.low, interval.high) == pytest.approx(oracle, rel=1e-10, abs=1e-15)
        assert interval.low < interval.high


@pytest.mark.parametrize("interval_of", [wilson_interval, clopper_pearson_interval])
def test_a_proportion_of_nothing_has_no_interval(interval_of):
    assert (interval_of(0, 0).low, interval_of(0, 0).flag) == (None, Flag.NO_CASE)
    with pytest.raises(ValueError, match=r"^'successes' is 3 of 2; expected a whole number from 0 to 2"):
        interval_of(3, 2)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95, math.nan])
def test_a_confidence_that_is_none_is_refused(confidence):
    for call in (paired_t, studentised_interval, bca_interval):
        with pytest.raises(ValueError, match=r"'confidence' is .*; expected a number between 0 and 1"):
            call(GRADED, confidence=confidence)


@pytest.mark.parametrize(("lowest", "highest"), [(1, 0), (0, 0), (0, math.inf)])
def test_a_range_that_is_none_is_refused(lowest, highest):
    with pytest.raises(ValueError, match=r"^the range is .*; expected two finite ends, the lower one first"):
        studentised_interval(GRADED, lowest=lowest, highest=highest)
