"""Gate rules: bounds against the threshold, missing values at their worst, and no pass out of an error."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ragproof.statistics.gate_bounds import lowest_lower_bound, one_sided_bounds
from ragproof.statistics.gate_rules import drop_verdict, level_verdict
from ragproof.statistics.interval import Flag
from ragproof.statistics.proportions import wilson_interval
from ragproof.statistics.verdicts import Verdict

PASS, FAIL, INCONCLUSIVE = Verdict.PASS, Verdict.FAIL, Verdict.INCONCLUSIVE
UNIT = {"lowest": 0.0, "highest": 1.0}


def _runs(n=200, drop=0.0, seed=0):
    """A baseline of grades, and a candidate that changes a fifth of them and drops on average by `drop`."""
    rng = np.random.default_rng(seed)
    a = rng.choice([0.25, 0.5, 0.75], n)
    moved = rng.choice([-0.25, 0.0, 0.25], n, p=[0.1 + 2 * drop, 0.8 - 2 * drop, 0.1])
    return a.tolist(), (a + moved).tolist()


def test_the_bounds_are_those_of_two_one_sided_t_tests():
    d = np.random.default_rng(1).normal(0, 1, 30)
    bounds = one_sided_bounds(d)
    assert bounds.lower == pytest.approx(
        stats.ttest_1samp(d, 0, alternative="greater").confidence_interval().low
    )
    assert bounds.upper == pytest.approx(
        stats.ttest_1samp(d, 0, alternative="less").confidence_interval().high
    )


EQUAL = [
    ("500 equal values: at most .6 % are anything else", [0.0] * 500, (-1, 1), 0.05 ** (1 / 500)),
    ("10 perfect scores", [1.0] * 10, (0, 1), 0.05 ** (1 / 10)),
]


@pytest.mark.parametrize(("why", "d", "ends", "same"), EQUAL, ids=[row[0] for row in EQUAL])
def test_equal_values_have_the_bounds_that_they_carry(why, d, ends, same):
    bounds = one_sided_bounds(d, lowest=ends[0], highest=ends[1])
    assert bounds.lower == pytest.approx(d[0] * same + ends[0] * (1 - same))
    assert bounds.upper == pytest.approx(d[0] * same + ends[1] * (1 - same))
    assert bounds.flag is Flag.ALL_EQUAL
    assert one_sided_bounds(d).lower is None


MARGIN = 0.03
VERDICTS = [
    ("no drop: the bound clears the margin", {"drop": 0.0, "n": 500}, PASS),
    ("a drop of .11: the whole interval is beyond it", {"drop": 0.22, "n": 500}, FAIL),
    ("a drop as large as the margin", {"drop": 0.06, "n": 500}, INCONCLUSIVE),
    ("no drop, and too few cases to know", {"drop": 0.0, "n": 40}, INCONCLUSIVE),
]


@pytest.mark.parametrize(("why", "made", "verdict"), VERDICTS, ids=[row[0] for row in VERDICTS])
def test_a_drop_is_judged_against_its_margin(why, made, verdict):
    a, b = _runs(**made)
    test = drop_verdict(a, b, margin=MARGIN, **UNIT)
    assert test.verdict is verdict
    assert test.p == pytest.approx(
        stats.ttest_1samp(np.subtract(b, a), -MARGIN, alternative="greater").pvalue, rel=1e-9
    )
    assert drop_verdict(a, b, margin=MARGIN).verdict is verdict, "without a range too, nothing is missing"


def test_a_rise_of_a_lower_is_better_metric_is_the_regression():
    a, b = _runs(n=500, drop=0.22)
    assert drop_verdict(b, a, margin=MARGIN, higher_is_better=False, **UNIT).verdict is FAIL
    assert drop_verdict(a, b, margin=MARGIN, higher_is_better=False, **UNIT).verdict is PASS
    missing = [None, *b[1:]]
    held = drop_verdict(missing, a, margin=MARGIN, higher_is_better=False, **UNIT)
    turned = drop_verdict(
        [None if v is None else 1 - v for v in missing], [1 - v for v in a], margin=MARGIN, **UNIT
    )
    assert held.decisive == pytest.approx(turned.decisive)


def test_a_drop_under_the_noise_floor_never_fails():
    """It is no pass either."""
    a, b = _runs(n=500, drop=0.22)
    drop = np.subtract(a, b).mean()
    assert drop_verdict(a, b, margin=0.01, noise_floor=drop - 0.001, **UNIT).verdict is FAIL
    floored = drop_verdict(a, b, margin=0.01, noise_floor=drop + 0.001, **UNIT)
    assert (floored.verdict, "noise floor" in floored.reason) == (INCONCLUSIVE, True)


NEVER_PASS = [
    ("no overlap", [1.0, None], [None, 1.0], Flag.NO_CASE),
    ("one case", [0.5], [1.0], Flag.ONE_CASE),
    ("nothing differs", [0.5] * 500, [0.5] * 500, Flag.ALL_EQUAL),
    ("five differences", [0.0] * 500, [1.0] * 5 + [0.0] * 495, None),
    ("all better by the same", [0.0] * 5, [1.0] * 5, Flag.ALL_EQUAL),
]


@pytest.mark.parametrize(("why", "a", "b", "flag"), NEVER_PASS, ids=[row[0] for row in NEVER_PASS])
def test_data_that_can_show_nothing_are_inconclusive(why, a, b, flag):
    test = drop_verdict(a, b, margin=0.5, **UNIT)
    assert (test.verdict, test.flag) == (INCONCLUSIVE, flag)
    assert test.reason


def test_everything_lost_by_the_same_amount_fails():
    """No spread, and no doubt."""
    assert drop_verdict([1.0] * 100, [0.0] * 100, margin=0.05, **UNIT).verdict is FAIL
    assert drop_verdict([1.0] * 100, [0.0] * 100, margin=0.05).verdict is INCONCLUSIVE, "without a range"


def test_the_decisive_bound_is_the_smallest_over_every_assignment():
    """Of the missing values of either run, a case that both lack counting twice."""
    a, b = _runs(n=60)
    a[3], b[7], a[9], b[9] = None, None, None, None
    test = drop_verdict(a, b, margin=MARGIN, **UNIT)
    bounds = []
    for fill in itertools.product((0.0, 1.0), repeat=4):
        filled_a, filled_b = list(a), list(b)
        filled_a[3], filled_b[7], filled_a[9], filled_b[9] = fill
        bounds.append(one_sided_bounds(np.subtract(filled_b, filled_a)).lower)
    assert test.decisive == pytest.approx(min(bounds), abs=1e-12)
    assert (test.n, test.n_missing) == (57, 4)


def test_up_to_twelve_missing_values_can_pass_and_thirteen_cannot():
    a, b = _runs(n=3_000)
    for index in range(12):
        b[index] = None
    assert drop_verdict(a, b, margin=MARGIN, **UNIT).verdict is PASS
    b[12] = None
    beyond = drop_verdict(a, b, margin=MARGIN, **UNIT)
    assert (beyond.verdict, beyond.decisive) == (INCONCLUSIVE, None)
    assert beyond.reason == "13 values are missing, over 12"


def test_a_case_that_both_runs_lack_counts_twice():
    a, b = _runs(n=3_000)
    a[:6], b[:6] = [None] * 6, [None] * 6
    assert drop_verdict(a, b, margin=MARGIN, **UNIT).verdict is PASS
    a[6] = b[6] = None
    assert drop_verdict(a, b, margin=MARGIN, **UNIT).reason == "14 values are missing, over 12"


def test_a_binary_level_with_a_missing_value_is_wilsons_with_it_wrong():
    held = level_verdict([1.0] * 500 + [None], at_least=0.9, **UNIT)
    assert held.decisive == pytest.approx(wilson_interval(500, 501, confidence=0.9).low)


def test_a_regression_stays_one_however_many_values_are_missing():
    a, b = _runs(n=500, drop=0.22)
    b[:20] = [None] * 20
    assert drop_verdict(a, b, margin=MARGIN, **UNIT).verdict is FAIL


def test_a_missing_value_of_an_unbounded_metric_forbids_a_pass():
    a, b = _runs(n=3_000)
    b[0] = None
    test = drop_verdict(a, b, margin=MARGIN)
    assert (test.verdict, test.reason) == (
        INCONCLUSIVE,
        "a value is missing and the metric has no range to bound it",
    )


GRADES = st.sampled_from([0.0, 0.25, 0.5, 1.0])
OPTIONAL = st.one_of(GRADES, GRADES, GRADES, st.none())
PAIRS = st.tuples(OPTIONAL, OPTIONAL)


@st.composite
def _rows(draw):
    """A few kinds of row, each many times: verdicts of every sort, and samples without spread."""
    kinds = draw(st.lists(PAIRS, min_size=1, max_size=3))
    times = draw(st.lists(st.integers(1, 25), min_size=len(kinds), max_size=len(kinds)))
    return [kind for kind, count in zip(kinds, times, strict=True) for _ in range(count)]


@given(_rows(), st.sampled_from([0.0, 0.01, 0.05, 0.2, 0.5]), st.data())
@settings(max_examples=200, deadline=None)
def test_an_error_never_turns_a_drop_rule_into_a_pass(rows, margin, data):
    """Whichever scored value is lost."""
    index = data.draw(st.integers(0, len(rows) - 1))
    lost = data.draw(st.sampled_from([(None, rows[index][1]), (rows[index][0], None), (None, None)]))
    fewer = [*rows[:index], lost, *rows[index + 1 :]]
    before, after = (drop_verdict(*zip(*kept, strict=True), margin=margin, **UNIT) for kept in (rows, fewer))
    assert before.verdict is PASS or after.verdict is not PASS


@given(_rows(), st.sampled_from([0.05, 0.2497, 0.5, 0.7, 0.97, 0.998]), st.booleans(), st.data())
@settings(max_examples=200, deadline=None)
def test_an_error_never_turns_a_level_rule_into_a_pass(rows, threshold, least, data):
    values = [value for value, _ in rows]
    fewer = list(values)
    fewer[data.draw(st.integers(0, len(values) - 1))] = None
    rule = {"at_least": threshold} if least else {"at_most": 1 - threshold}
    before, after = (level_verdict(kept, **rule, **UNIT) for kept in (values, fewer))
    assert before.verdict is PASS or after.verdict is not PASS


def test_losing_one_of_equal_values_does_not_help():
    """Filled at the ends the sample has a small spread, and its t bound is above that of the equal values."""
    equal = [0.5] * 500
    held = level_verdict(equal, at_least=0.4, **UNIT).decisive
    assert level_verdict([None, *equal[1:]], at_least=0.4, **UNIT).decisive < held


LEVELS = [
    ("500 perfect scores clear .99", [1.0] * 500, {"at_least": 0.99}, PASS),
    ("but not .995: 1 - .05^(1/500) is .6 %", [1.0] * 500, {"at_least": 0.995}, INCONCLUSIVE),
    ("10 perfect scores do not clear .9", [1.0] * 10, {"at_least": 0.9}, INCONCLUSIVE),
    ("one fault in 500, t would say above .994", [1.0] * 499 + [0.0], {"at_least": 0.994}, INCONCLUSIVE),
    ("half right cannot be .9", [1.0, 0.0] * 100, {"at_least": 0.9}, FAIL),
    ("a rate of 0 in 500 is under .01", [0.0] * 500, {"at_most": 0.01}, PASS),
    ("a rate of .5 is over .1", [1.0, 0.0] * 100, {"at_most": 0.1}, FAIL),
    ("ten equal grades are not certain", [0.5] * 10, {"at_least": 0.45}, INCONCLUSIVE),
    ("five hundred are", [0.5] * 500, {"at_least": 0.45}, PASS),
    ("graded", [0.5, 0.75] * 100, {"at_least": 0.6}, PASS),
    ("one case", [1.0], {"at_least": 0.1}, INCONCLUSIVE),
    ("no case", [None], {"at_least": 0.1}, INCONCLUSIVE),
]


@pytest.mark.parametrize(("why", "values", "rule", "verdict"), LEVELS, ids=[row[0] for row in LEVELS])
def test_a_level_is_judged_against_its_threshold(why, values, rule, verdict):
    assert level_verdict(values, **rule, **UNIT).verdict is verdict


def test_a_max_rule_reports_in_the_metrics_own_direction():
    test = level_verdict([0.1, 0.2, 0.3] * 30, at_most=0.25, **UNIT)
    plain = one_sided_bounds([0.1, 0.2, 0.3] * 30)
    assert (test.mean, test.lower, test.upper) == pytest.approx((0.2, plain.lower, plain.upper))
    assert test.decisive == pytest.approx(plain.upper)
    assert test.t == pytest.approx((0.2 - 0.25) / (np.std([0.1, 0.2, 0.3] * 30, ddof=1) / math.sqrt(90)))
    assert test.p < 0.05


def test_latencies_have_no_range():
    """And pass as long as none is missing."""
    latencies = [900.0, 1_100.0] * 50
    assert level_verdict(latencies, at_most=1_050.0).verdict is PASS
    assert level_verdict([*latencies, None], at_most=1_050.0).verdict is INCONCLUSIVE


def test_the_lowest_bound_of_too_little_is_none():
    one, two = np.array([0.5]), np.array([0.5, 1.0])
    assert lowest_lower_bound(one, (), span=(0, 1)) is None
    assert lowest_lower_bound(two, [(0, 1)] * 13, span=(0, 1)) is None
    assert lowest_lower_bound(two, [(0, 1)], span=None) is None
    assert lowest_lower_bound(np.array([0.5, 0.5]), (), span=None) is None


REFUSED = [
    (
        "a margin of nothing",
        lambda: drop_verdict([1], [1], margin=math.nan),
        "'margin' is nan; expected a number",
    ),
    ("a negative margin", lambda: drop_verdict([1], [1], margin=-0.1), "'margin' is -0.1"),
    ("a noise floor", lambda: drop_verdict([1], [1], margin=0, noise_floor=-1), "'noise_floor' is -1"),
    ("other lengths", lambda: drop_verdict([1], [1, 1], margin=0), "'b' has 2 cases"),
    ("out of range", lambda: drop_verdict([2], [1], margin=0, **UNIT), "'baseline' holds 2.0"),
    ("no threshold", lambda: level_verdict([1]), "the thresholds are None and None"),
    ("two thresholds", lambda: level_verdict([1], at_least=0, at_most=1), "the thresholds are 0 and 1"),
    ("no number", lambda: level_verdict([1], at_least=math.nan), "the thresholds are nan and None"),
    (
        "a confidence of a half",
        lambda: drop_verdict([1], [1], margin=0, confidence=0.5),
        "'confidence' is 0.5",
    ),
    ("a level out of range", lambda: level_verdict([2], at_least=0.5, **UNIT), "'values' holds 2.0"),
]


@pytest.mark.parametrize(("why", "call", "message"), REFUSED, ids=[row[0] for row in REFUSED])
def test_a_rule_that_says_nothing_is_refused(why, call, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        call()
