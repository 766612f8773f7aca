"""Drift over nights: the CUSUM's path, its alarms and where a change began."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ragproof.statistics.drift import change_point, lower_cusum, trial_noise_z

PATHS = [
    ("on target the allowance keeps it at zero", [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
    ("a night two below adds 1.5", [-2.0, -2.0], [1.5, 3.0]),
    ("a good night takes off, never below zero", [-2.0, 1.0, 3.0, -1.0], [1.5, 0.0, 0.0, 0.5]),
]


@pytest.mark.parametrize(("why", "z", "path"), PATHS, ids=[row[0] for row in PATHS])
def test_the_path_adds_what_is_below_the_allowance(why, z, path):
    assert lower_cusum(z).path == tuple(path)


def test_a_slow_decline_alarms_though_no_night_is_unusual():
    """One standard error down: 0.5 a night, over 5 at the eleventh."""
    cusum = lower_cusum([0.0] * 6 + [-1.0] * 12)
    assert cusum.alarms == (16, 17)
    assert cusum.began == 6


def test_an_alarm_needs_more_than_the_threshold():
    assert lower_cusum([-5.5]).alarms == ()
    assert lower_cusum([-5.6]).alarms == (0,)
    assert lower_cusum([-5.6], threshold=6).began is None


def test_a_change_of_the_comparability_key_starts_again():
    """The nights of another judge or metric version are another series."""
    z = [-2.0, -2.0, -2.0, -2.0, -2.0]
    assert lower_cusum(z, keys=["a", "a", "b", "b", "b"]).path == (1.5, 3.0, 1.5, 3.0, 4.5)
    assert lower_cusum(z).alarms == (3, 4)
    assert lower_cusum([-6.0, -6.0], keys=["a", "b"]).began == 0


def test_z_is_in_units_of_trial_noise():
    """Variance .25 over 100 cases of 4 trials: a standard error of .025."""
    z = trial_noise_z([0.80, 0.75], reference=0.80, trial_variance=0.25, n_cases=100, trials=4)
    assert z == pytest.approx([0.0, -0.05 / math.sqrt(0.25 / 400)])


def test_the_change_is_where_the_deviations_turn():
    """Two levels: the split, and 3 nights times their half distance."""
    found = change_point([1.0, 1.0, 1.0, 0.0, 0.0, 0.0])
    assert (found.last_before, found.mean_before, found.mean_after) == (2, 1.0, 0.0)
    assert found.max_abs_cusum == pytest.approx(3 * 0.5)
    assert change_point([0.5, 0.5]).max_abs_cusum == 0.0


@pytest.mark.parametrize("values", [[0.0, 1.0, 1.0], [3.0, 1.0], [0.1] * 3, [0.7] * 6])
def test_there_are_nights_on_both_sides_of_a_change(values):
    found = change_point(values)
    assert 0 <= found.last_before < len(values) - 1
    assert not np.isnan(found.mean_after)


REFUSED = [
    ("one night", lambda: change_point([1.0]), "'values' has 1 night; expected at least 2"),
    (
        "keys of other nights",
        lambda: lower_cusum([1.0], keys=[]),
        "'keys' has 0 entries; expected one a night, 1",
    ),
    ("no threshold", lambda: lower_cusum([1.0], threshold=0), "'allowance' is 0.5 and 'threshold' 0"),
    (
        "no noise",
        lambda: trial_noise_z([1.0], reference=1, trial_variance=0, n_cases=5),
        "'trial_variance' is 0; expected a number over 0",
    ),
]


@pytest.mark.parametrize(("why", "call", "message"), REFUSED, ids=[row[0] for row in REFUSED])
def test_a_series_that_means_nothing_is_refused(why, call, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        call()
