"""The betting e-process, and the fail-fast run that ends in a fixed-size test."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ragproof.statistics.gate_bounds import one_sided_bounds
from ragproof.statistics.sequential import Side, betting_e_process, fail_fast


def _bet(d, margin, alpha, n_planned, side):
    """The same bets case by case, as a gambler would keep the book."""
    x, m = [(value + 1) / 2 for value in d], (1 - margin) / 2
    log_wealth, seen, variance, squares = 0.0, 0.5, 0.25, 0.25
    path = []
    for t, value in enumerate(x, 1):
        cap = 0.5 / (1 - m) if side is Side.FAIL else 0.5 / m
        bet = min(math.sqrt(2 * math.log(1 / alpha) / (variance * n_planned)), cap)
        gain = (m - value) if side is Side.FAIL else (value - m)
        log_wealth += math.log(1 + bet * gain)
        path.append(log_wealth)
        seen += value
        squares += (value - seen / (t + 1)) ** 2
        variance = squares / (t + 1)
    return path


def _differences(n=300, drop=0.0, seed=0):
    p = [0.1 + drop, 0.8 - drop, 0.1]
    return np.random.default_rng(seed).choice([-1.0, 0.0, 1.0], n, p=p)


@pytest.mark.parametrize("side", Side)
def test_the_wealth_is_that_of_betting_case_by_case(side):
    d = _differences()
    process = betting_e_process(d, margin=0.03, n_planned=300, alpha=0.05, side=side)
    assert process.log_wealth == pytest.approx(_bet(d, 0.03, 0.05, 300, side), rel=1e-10)


def test_it_stops_where_the_wealth_first_reaches_one_over_alpha():
    process = betting_e_process(_differences(drop=0.2), margin=0.03, n_planned=300, alpha=0.05)
    wealth = np.array(process.log_wealth)
    assert (wealth[: process.stop_at - 1] < math.log(20)).all()
    assert wealth[process.stop_at - 1] >= math.log(20)


def test_looking_early_changes_nothing():
    """The wealth after a case depends on the cases up to it alone, so one may look at any time."""
    d = _differences()
    whole = betting_e_process(d, margin=0.03, n_planned=300)
    assert betting_e_process(d[:50], margin=0.03, n_planned=300).log_wealth == whole.log_wealth[:50]


def test_a_range_of_another_width_is_the_same_bet():
    """Grades of 0 to 10 and a margin of .3."""
    d = _differences()
    tenfold = betting_e_process(10 * d, margin=0.3, n_planned=300, lowest=-10, highest=10)
    assert tenfold.log_wealth == pytest.approx(betting_e_process(d, margin=0.03, n_planned=300).log_wealth)


def test_a_fair_gamble_on_the_null_gains_nothing():
    """At exactly the margin the mean wealth stays 1, and it reaches 20 in at most 5 %."""
    rng = np.random.default_rng(4)
    p = [0.115, 0.8, 0.085]
    runs = [
        betting_e_process(rng.choice([-1.0, 0.0, 1.0], 200, p=p), margin=0.03, n_planned=200, alpha=0.05)
        for _ in range(600)
    ]
    wealth = np.exp([run.log_wealth[50] for run in runs])
    assert wealth.mean() == pytest.approx(1.0, abs=4 * wealth.std() / math.sqrt(600))
    assert np.mean([run.stop_at is not None for run in runs]) <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 600)


def test_a_sure_regression_stops_the_run():
    run = fail_fast(_differences(drop=0.3), margin=0.03, n_planned=300)
    assert run.stopped_at is not None
    assert run.stopped_at < 300
    assert (run.fails, run.final) == (True, None)


def test_a_run_that_is_not_complete_is_not_judged():
    run = fail_fast(_differences()[:100], margin=0.03, n_planned=300)
    assert (run.stopped_at, run.fails, run.final) == (None, None, None)


@pytest.mark.parametrize(("drop", "fails"), [(0.0, False), (0.1, True)])
def test_a_complete_run_is_tested_at_what_is_left_of_the_error(drop, fails):
    """0.04 after 0.01."""
    d = _differences(drop=drop, seed=3)
    run = fail_fast(d, margin=0.03, n_planned=300)
    assert run.stopped_at is None
    assert run.final == one_sided_bounds(d, confidence=0.96, lowest=-1, highest=1)
    assert run.fails is fails
    assert run.fails is (run.final.upper < -0.03)


REFUSED = [
    ("out of range", {"d": [1.5]}, r"'d' goes from 1.5 to 1.5; expected -1.0 to 1.0"),
    ("more than planned", {"d": [0.0] * 11}, r"'n_planned' is 10; expected at least the 11 cases so far"),
    ("a margin as wide as the range", {"margin": 1.0}, r"'margin' is 1.0; expected a number from 0"),
    ("no margin", {"margin": math.nan}, r"'margin' is nan"),
    ("no alpha", {"alpha": 0.0}, r"'alpha' is 0.0"),
    ("everything on one case", {"truncation": 1.0}, r"'truncation' is 1.0"),
]


@pytest.mark.parametrize(("why", "changed", "message"), REFUSED, ids=[row[0] for row in REFUSED])
def test_a_bet_that_means_nothing_is_refused(why, changed, message):
    asked = {"d": [0.0], "margin": 0.03, "n_planned": 10, **changed}
    with pytest.raises(ValueError, match=f"^{message}"):
        betting_e_process(asked.pop("d"), **asked)
