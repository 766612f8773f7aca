"""Cases for an effect, and the effect for cases, by the test that fits."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.errors import ConfigurationError
from ragproof.planning.question import Question
from ragproof.planning.sample_size import Method, cases_needed, effect_seen, method_of
from ragproof.planning.spread import Basis, Spread, Trials
from ragproof.statistics.distributions import normal_quantile
from ragproof.statistics.power import cases_for_effect, power_of_paired_t
from ragproof.statistics.power_binary import power_of_mcnemar

Z = normal_quantile(0.975) + normal_quantile(0.8)


def spread(variance: float = 0.01, **fields: object) -> Spread:
    """A spread between two runs."""
    return Spread(Basis.TWO_RUNS, variance, **fields)  # type: ignore[arg-type]


def test_a_metric_of_many_values_is_planned_for_the_paired_t_test() -> None:
    """d_z = 0.05 / 0.1: 33.4 cases, as the tables say, so 34; one fewer has too little power."""
    question = Question(effect=0.05)
    assert cases_needed(spread(), question, 1.0) == 34
    assert power_of_paired_t(0.5, 34) >= 0.8 > power_of_paired_t(0.5, 33)
    assert method_of(spread()) is Method.T


def test_a_binary_metric_is_planned_for_mcnemars_exact_test() -> None:
    """Of 0.2 discordant cases 0.15 are won and 0.05 lost."""
    found = spread(discordant=0.2)
    n = cases_needed(found, Question(effect=0.1), 1.0)
    assert power_of_mcnemar(n, 0.15, 0.05) >= 0.8 > power_of_mcnemar(n - 1, 0.15, 0.05)
    assert method_of(found) is Method.MCNEMAR


def test_an_effect_over_the_discordant_share_takes_that_many_discordant_cases() -> None:
    """All of them won."""
    n = cases_needed(spread(discordant=0.2), Question(effect=0.5), 1.0)
    assert power_of_mcnemar(n, 0.5, 0.0) >= 0.8 > power_of_mcnemar(n - 1, 0.5, 0.0)


def test_an_effect_of_one_in_ten_thousand_is_planned_too() -> None:
    """Where the exact power takes too long and the t test's is the same."""
    n = cases_needed(spread(discordant=0.2), Question(effect=1e-4), 1.0)
    assert n == pytest.approx(Z**2 * 0.2 / 1e-8, rel=1e-3)


def test_repeated_trials_are_planned_by_the_normal_formula() -> None:
    """(z + z)^2 (omega2 + sigma2_A/K + sigma2_B/K) / delta^2."""
    found = spread(trials=Trials(0.01, 0.02, 0.04))
    for repeats in (1, 3):
        question = Question(effect=0.05, repeats=repeats)
        expected = math.ceil(Z**2 * (0.01 + 0.06 / repeats) / 0.05**2)
        assert cases_needed(found, question, 1.0) == expected
    seen = effect_seen(found, 100, Question(repeats=3), 1.0)
    assert seen == pytest.approx(Z * math.sqrt((0.01 + 0.06 / 3) / 100))
    assert method_of(found) is Method.TRIALS


def test_groups_multiply_the_cases() -> None:
    """By the design effect, before rounding up."""
    exact = cases_for_effect(0.5).n_exact
    assert cases_needed(spread(), Question(effect=0.05), 1.8) == math.ceil(1.8 * exact)


def test_as_many_cases_as_any_p_takes() -> None:
    """Where one case in twenty differs, six that do need 120, however large their differences."""
    found = spread(variance=1e-6, cases=200, differing=10)
    assert cases_needed(found, Question(effect=0.05), 1.0) == 120
    assert cases_needed(spread(variance=1e-6), Question(effect=0.05), 1.0) < 10


@pytest.mark.parametrize(
    ("why", "cases", "expected"),
    [("no case sees nothing", 0, None), ("nor does one", 1, None), ("two see something", 2, "some")],
)
def test_too_few_cases_see_nothing(why: str, cases: int, expected: str | None) -> None:
    """None, never 0."""
    assert (effect_seen(spread(), cases, Question(), 1.0) is None) == (expected is None), why


def test_few_cases_of_a_binary_metric_see_only_what_nearly_all_of_them_show() -> None:
    """More must differ than ever did: then all of them won. Five can show nothing at all."""
    found = spread(discordant=0.1)
    seen = effect_seen(found, 20, Question(), 1.0)
    assert seen is not None
    assert seen > 0.1
    assert power_of_mcnemar(20, seen, 0.0) == pytest.approx(0.8, abs=1e-6)
    assert effect_seen(found, 5, Question(), 1.0) is None


@given(
    variance=st.floats(0.001, 0.5),
    effect=st.floats(0.01, 0.5),
    power=st.sampled_from([0.5, 0.8, 0.95]),
    design_effect=st.floats(1.0, 3.0),
)
def test_the_cases_that_an_effect_needs_see_it(
    variance: float, effect: float, power: float, design_effect: float
) -> None:
    """And no more than it is seen by one more: the two questions are each other's answer."""
    question = Question(effect=effect, power=power)
    n = cases_needed(spread(variance), question, design_effect)
    seen = effect_seen(spread(variance), n, question, design_effect)
    assert seen is None or seen <= effect * (1 + 1e-6) or n / design_effect < 3


NAN, INF = math.nan, math.inf


@pytest.mark.parametrize(
    ("why", "fields", "places"),
    [
        ("no effect cannot be seen", {"effect": 0.0}, ["--effect"]),
        ("nor can one under 0: a change is seen in both directions", {"effect": -0.1}, ["--effect"]),
        ("nor can no number", {"effect": NAN}, ["--effect"]),
        ("nor an infinite one", {"effect": INF}, ["--effect"]),
        ("nor one that floating point loses", {"effect": 1e-300}, ["--effect"]),
        ("power is a chance", {"power": 1.0}, ["--power"]),
        ("over 0", {"power": 0.0}, ["--power"]),
        ("and a number", {"power": NAN}, ["--power"]),
        ("alpha is a chance", {"alpha": 0.0}, ["--alpha"]),
        ("under 1", {"alpha": 1.0}, ["--alpha"]),
        ("power not over alpha is had without looking", {"power": 0.05, "alpha": 0.05}, ["--power"]),
        ("a case is asked once at least", {"repeats": 0}, ["--repeats"]),
        ("and not without end", {"repeats": 101}, ["--repeats"]),
        (
            "every fault at once",
            {"effect": NAN, "power": 2.0, "repeats": -1},
            ["--effect", "--power", "--repeats"],
        ),
    ],
)
def test_a_question_that_asks_nothing_is_refused(
    why: str, fields: dict[str, float], places: list[str]
) -> None:
    """With the option it was given by."""
    with pytest.raises(ConfigurationError) as caught:
        Question(**fields).check()  # type: ignore[arg-type]
    assert [fault.place for fault in caught.value.faults] == places, why


def test_the_usual_question_is_none_of_these() -> None:
    """Nor are the ends of what is allowed."""
    Question().check()
    Question(effect=1e-9, power=0.999999, alpha=0.000001, repeats=100).check()
