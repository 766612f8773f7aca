"""How much variants differ from case to case: measured, bounded by one run, bounded by a range."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from ragproof.comparing.scored_run import MetricScores
from ragproof.planning.spread import Basis, Trials, of_one_run, of_range, of_two_runs
from ragproof.statistics.clusters import cluster_components
from ragproof.statistics.trials import paired_trial_variances
from tests.fakes.scored_runs import ERROR, NONE, Cell, scored_run

N = 8


def scores(values: Sequence[Cell], span: tuple[float | None, float | None] = (0.0, 1.0)) -> MetricScores:
    """One metric of a run."""
    return scored_run({"m": values}, span=span).scores["m"]


def test_two_runs_show_the_variance_of_their_differences() -> None:
    """Differences of 0.5 and 0.25 in turns: (1/8)^2 around their mean, times n / (n - 1)."""
    found = of_two_runs(scores([0.25] * N), scores([0.75, 0.5] * (N // 2)), None)
    assert found is not None
    assert found.variance == pytest.approx(0.125**2 * N / (N - 1))
    assert (found.basis, found.cases, found.differing) == (Basis.TWO_RUNS, N, N)
    assert (found.trials, found.discordant, found.correlation, found.is_bound) == (None, None, None, False)


def test_the_effect_that_two_runs_showed_is_not_planned_with() -> None:
    """A shift of all cases changes nothing: only the spread counts."""
    first = scores([0.0] * N)
    near = of_two_runs(first, scores([0.25, 0.5] * (N // 2)), None)
    far = of_two_runs(first, scores([0.75, 1.0] * (N // 2)), None)
    assert near is not None
    assert far is not None
    assert near.variance == pytest.approx(far.variance)


def test_only_cases_that_both_scored_count() -> None:
    """What is missing in either says nothing of the spread."""
    first = scores([0.0] * N + [ERROR, 1.0])
    second = scores([0.25, 0.5] * (N // 2) + [1.0, NONE])
    found = of_two_runs(first, second, None)
    assert found is not None
    assert found.cases == N


def test_a_binary_metric_is_planned_by_its_discordant_share() -> None:
    """Six of ten cases that one run alone got right."""
    found = of_two_runs(scores([0.0] * 4 + [1.0] * 6), scores([1.0] * 4 + [0.0] * 2 + [1.0] * 4), None)
    assert found is not None
    assert found.discordant == pytest.approx(6 / 10)
    asked_twice = of_two_runs(scores([(0.0, 0.0)] * 10), scores([(1.0, 1.0)] * 7 + [(0.0, 0.0)] * 3), None)
    assert asked_twice is not None
    assert asked_twice.discordant is None
    wider = of_two_runs(scores([0.0] * 10, (0.0, 5.0)), scores([1.0] * 7 + [0.0] * 3, (0.0, 5.0)), None)
    assert wider is not None
    assert wider.discordant is None


@pytest.mark.parametrize(
    ("why", "second"),
    [
        ("identical runs", [0.5] * 10),
        ("five differing cases, of which no test could tell anything", [1.0] * 5 + [0.5] * 5),
        ("a shift of all cases by the same", [0.75] * 10),
        ("no case in common", [ERROR] * 10),
    ],
)
def test_two_runs_that_hardly_differ_show_no_spread(why: str, second: list[Cell]) -> None:
    """None, and never 0: with 0 one case would be enough for any effect."""
    assert of_two_runs(scores([0.5] * 10), scores(second), None) is None, why


def test_repeated_trials_are_taken_apart() -> None:
    """By the library: what more trials would save, and what they would not."""
    rng = np.random.default_rng(0)
    a, b = (rng.choice([0.0, 0.5, 1.0], (20, 3)).tolist() for _ in range(2))
    found = of_two_runs(scores(a), scores(b), None)
    parts = paired_trial_variances(a, b)
    assert found is not None
    assert found.trials == Trials(parts.omega2, parts.sigma2_a, parts.sigma2_b)  # type: ignore[arg-type]


def test_one_run_bounds_the_spread_by_twice_its_own() -> None:
    """Var(B - A) = Var(A) + Var(B) when they have nothing to do with each other."""
    values = [0.25, 0.75] * (N // 2)
    found = of_one_run(scores(values), None)
    assert found is not None
    assert found.variance == pytest.approx(2 * 0.25**2 * N / (N - 1))
    assert (found.basis, found.is_bound, found.differing) == (Basis.ONE_RUN, True, None)
    binary = of_one_run(scores([1.0, 1.0, 1.0, 0.0]), None)
    assert binary is not None
    assert binary.discordant == pytest.approx(2 * 0.75 * 0.25)


def test_one_run_with_trials_bounds_both_parts() -> None:
    """Cases of 0.25 and 0.75 whose trials lie 0.25 around them: 2 trials vary by 0.125."""
    found = of_one_run(scores([(0.0, 0.5), (0.5, 1.0)] * 4), None)
    assert found is not None
    within = 2 * 0.25**2
    between = 0.25**2 * N / (N - 1) - within / 2
    assert found.trials is not None
    assert found.trials.between == pytest.approx(2 * between)
    assert (found.trials.within_a, found.trials.within_b) == pytest.approx((within, within))


@pytest.mark.parametrize(
    ("why", "values"),
    [("no case", [ERROR]), ("one case", [1.0, NONE]), ("equal cases", [0.5] * 9)],
)
def test_one_run_without_spread_bounds_nothing(why: str, values: list[Cell]) -> None:
    """None, never 0."""
    assert of_one_run(scores(values), None) is None, why


@pytest.mark.parametrize(
    ("why", "low", "high", "expected"),
    [
        ("a coin between 0 and 1 varies by 1/4, two by 1/2", 0.0, 1.0, 0.5),
        ("of any range", -1.0, 3.0, 16 / 2),
        ("an open range bounds nothing", 0.0, None, None),
        ("on either side", None, 1.0, None),
    ],
)
def test_a_range_bounds_the_spread(
    why: str, low: float | None, high: float | None, expected: float | None
) -> None:
    """When nothing was measured."""
    found = of_range(low, high)
    assert (None if found is None else found.variance) == expected, why


def test_the_correlation_inside_groups_is_that_of_the_differences() -> None:
    """Of cases that both scored; a single run's is that of its values."""
    groups = [0, 0, 1, 1, 2, 2, 3, 3, 4]
    second: list[Cell] = [0.5, 0.5, 0.25, 0.25, 1.0, 0.75, 0.1, 0.2, ERROR]
    found = of_two_runs(scores([0.0] * 9), scores(second), groups)
    assert found is not None
    expected = cluster_components(np.array(second[:8], dtype=float), groups[:8])
    assert found.correlation == pytest.approx(expected.intraclass_correlation)
    alone = of_one_run(scores(second), groups)
    assert alone is not None
    assert alone.correlation == pytest.approx(expected.intraclass_correlation)
