"""Sample sizes: what is asked for is reached, and asking back gives the question."""

from __future__ import annotations

import math

import numpy as np
import pytest
from statsmodels.stats.power import TTestPower

from ragproof.statistics.paired_proportions import mcnemar
from ragproof.statistics.power import (
    _integrated_power,
    cases_for_effect,
    detectable_effect,
    power_of_paired_t,
)
from ragproof.statistics.power_binary import (
    cases_for_mcnemar,
    detectable_binary_difference,
    power_of_mcnemar,
)
from ragproof.statistics.power_trials import cases_for_trials, detectable_effect_with_trials
from ragproof.statistics.student import paired_t


@pytest.mark.parametrize("d_z", [0.05, 0.2, 0.5, 1.0, 3.0])
def test_the_cases_asked_for_reach_the_power_and_one_less_does_not(d_z):
    n = cases_for_effect(d_z).n
    assert power_of_paired_t(d_z, n) >= 0.8
    assert n == 2 or power_of_paired_t(d_z, n - 1) < 0.8
    assert cases_for_effect(-d_z) == cases_for_effect(d_z)


def test_the_power_is_the_share_of_samples_that_are_significant():
    rng = np.random.default_rng(0)
    seen = np.mean([paired_t(rng.normal(0.5, 1.0, 20)).p <= 0.05 for _ in range(800)])
    assert power_of_paired_t(0.5, 20) == pytest.approx(seen, abs=4 * math.sqrt(0.25 / 800))
    assert power_of_paired_t(0.0, 20) == pytest.approx(0.05)


@pytest.mark.parametrize("deff", [1.0, 2.44])
def test_the_detectable_effect_is_the_effect_that_needs_these_cases(deff):
    effect = detectable_effect(300, 0.4, design_effect=deff)
    assert cases_for_effect(effect / 0.4, design_effect=deff).n_exact == pytest.approx(300, rel=1e-6)


def test_clusters_multiply_the_cases():
    """198.15 at d_z = .2, twice that rounded up."""
    assert cases_for_effect(0.2, design_effect=2.0).n == math.ceil(2 * cases_for_effect(0.2).n_exact) == 397


def test_an_effect_that_two_cases_show_needs_two_cases():
    assert (cases_for_effect(80.0).n, cases_for_effect(80.0).n_exact) == (2, 2.0)


@pytest.mark.parametrize(("d_z", "n"), [(0.2, 100), (0.5, 33.4), (1.0, 9.9), (3.0, 3.1), (0.0, 12)])
def test_where_statsmodels_has_no_number_the_integral_is_the_same(d_z, n):
    """Shown where both have one; far out (d_z of 8 at n = 2) only the integral has."""
    assert _integrated_power(d_z * math.sqrt(n), n - 1, 0.05) == pytest.approx(
        TTestPower().power(d_z, n, 0.05), abs=1e-9
    )
    assert power_of_paired_t(8.0, 2) == pytest.approx(0.6252781277, abs=1e-9)


@pytest.mark.parametrize("alpha", [0.05, 1e-6])
@pytest.mark.parametrize("d_z", [5.0, 8.0, 20.0])
def test_a_huge_effect_needs_few_cases_at_any_level(alpha, d_z):
    n = cases_for_effect(d_z, alpha=alpha).n
    assert power_of_paired_t(d_z, n, alpha=alpha) >= 0.8
    assert n == 2 or power_of_paired_t(d_z, n - 1, alpha=alpha) < 0.8


def test_under_two_effective_cases_nothing_is_detectable():
    assert detectable_effect(3, 1.0, design_effect=2.0) is None
    assert detectable_effect(4, 1.0, design_effect=2.0) > 0


REFUSED = [
    ("no effect", lambda: cases_for_effect(0.0), "'d_z' is 0.0; expected an effect other than 0"),
    (
        "no chance",
        lambda: cases_for_effect(0.2, power=0.05),
        "'power' is 0.05; expected more than alpha, 0.05",
    ),
    ("no spread", lambda: detectable_effect(5, 0.0), "'standard_deviation' is 0.0; expected a number over 0"),
    ("one case", lambda: power_of_paired_t(0.5, 1), "'n' is 1; expected more than one case"),
    ("no alpha", lambda: cases_for_effect(0.2, alpha=5), "'alpha' is 5; expected a number between 0 and 1"),
    ("chances over one", lambda: power_of_mcnemar(9, 0.6, 0.6), "'p_only_b' is 0.6 and 'p_only_a' 0.6"),
    ("no case", lambda: power_of_mcnemar(0, 0.1, 0.2), "'n' is 0; expected at least one case"),
    ("no difference", lambda: cases_for_mcnemar(0.1, 0.1), "'p_only_b' and 'p_only_a' are both 0.1"),
    ("too small", lambda: cases_for_mcnemar(0.1, 0.0999), "over 1000000 cases would be needed"),
    ("no share", lambda: detectable_binary_difference(9, 0.0), "'discordant' is 0.0; expected a share"),
    ("no delta", lambda: cases_for_trials(0.0, omega2=1, sigma2_a=1, sigma2_b=1), "'delta' is 0.0"),
    ("negative", lambda: cases_for_trials(0.1, omega2=-1, sigma2_a=1, sigma2_b=1), "'omega2' is -1"),
    (
        "no trial",
        lambda: cases_for_trials(0.1, omega2=1, sigma2_a=1, sigma2_b=1, trials_b=0),
        "'trials_b' is 0; expected at least 1 trial a case",
    ),
    (
        "no case of trials",
        lambda: detectable_effect_with_trials(0, omega2=1, sigma2_a=1, sigma2_b=1),
        "'n' is 0; expected at least one case",
    ),
]


@pytest.mark.parametrize(("why", "call", "message"), REFUSED, ids=[row[0] for row in REFUSED])
def test_a_design_that_makes_no_sense_is_refused(why, call, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        call()


def _enumerated(n, p_only_b, p_only_a):
    """The power by summing over every pair of discordant counts."""
    same, total = 1 - p_only_b - p_only_a, 0.0
    for b in range(n + 1):
        for a in range(n + 1 - b):
            if mcnemar(n - a - b, b, a, 0).p <= 0.05:
                ways = math.comb(n, b) * math.comb(n - b, a)
                total += ways * p_only_b**b * p_only_a**a * same ** (n - a - b)
    return total


@pytest.mark.parametrize(("p_only_b", "p_only_a"), [(0.5, 0.1), (0.3, 0.0), (0.2, 0.2), (0.9, 0.1)])
def test_the_binary_power_is_the_sum_over_every_outcome(p_only_b, p_only_a):
    for n in (1, 5, 6, 17, 30):
        assert power_of_mcnemar(n, p_only_b, p_only_a) == pytest.approx(
            _enumerated(n, p_only_b, p_only_a), abs=1e-12
        )


def test_nothing_discordant_shows_nothing():
    assert power_of_mcnemar(100, 0.0, 0.0) == 0.0


@pytest.mark.parametrize(("p_only_b", "p_only_a"), [(0.12, 0.06), (0.3, 0.0), (0.05, 0.2)])
def test_the_cases_for_a_binary_metric_reach_the_power_and_keep_it(p_only_b, p_only_a):
    """Also over the next teeth of the saw; the normal approximation is near."""
    size = cases_for_mcnemar(p_only_b, p_only_a)
    assert all(power_of_mcnemar(size.n + more, p_only_b, p_only_a) >= 0.8 for more in range(40))
    assert power_of_mcnemar(size.n - 1, p_only_b, p_only_a) < 0.8
    assert size.n_normal == pytest.approx(size.n, rel=0.35)


def test_the_detectable_binary_difference_is_just_seen():
    difference = detectable_binary_difference(400, 0.2)
    assert power_of_mcnemar(400, 0.1 + difference / 2, 0.1 - difference / 2) == pytest.approx(0.8, abs=1e-3)
    assert detectable_binary_difference(5, 0.2) is None
    assert detectable_binary_difference(400, 0.2, design_effect=2.0) > difference


def test_trials_shrink_their_own_noise_alone():
    """With z = 1.96 + 0.84: n is proportional to omega2 + sigma2/K."""
    asked = {"omega2": 1.0, "sigma2_a": 2.0, "sigma2_b": 4.0}
    one = cases_for_trials(0.1, **asked).n_exact
    assert cases_for_trials(0.1, **asked, trials_a=2, trials_b=4).n_exact == pytest.approx(one * 3 / 7)
    assert cases_for_trials(0.1, **asked, trials_a=math.inf).n_exact == pytest.approx(one / 7)
    assert cases_for_trials(0.1, **asked, design_effect=2.0).n_exact == pytest.approx(one * 2)


def test_the_effect_that_trials_can_see_is_the_effect_that_needs_these_cases():
    asked = {"omega2": 0.1, "sigma2_a": 0.2, "sigma2_b": 0.1, "trials_a": 3}
    delta = detectable_effect_with_trials(250, **asked)
    assert cases_for_trials(delta, **asked).n_exact == pytest.approx(250)
