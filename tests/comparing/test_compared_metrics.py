"""One metric of two runs: the library's numbers, oriented, and a verdict that minds the metrics beside it."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.comparing.clustering import clusters_of
from ragproof.comparing.flipping import flips_of
from ragproof.comparing.metric_comparison import Degenerate, MetricComparison, Unit, Verdict
from ragproof.comparing.paired_scores import paired_scores
from ragproof.comparing.pairing import pair
from ragproof.comparing.testing import MANY_CASES, columns_to_test, compare_metrics
from ragproof.errors import ConfigurationError
from ragproof.metric import Direction
from ragproof.statistics.clusters import cluster_interval, cluster_sign_flip
from ragproof.statistics.effects import effect_sizes
from ragproof.statistics.interval import Flag
from ragproof.statistics.multiplicity import benjamini_hochberg, holm
from ragproof.statistics.paired_proportions import mcnemar, newcombe_interval
from ragproof.statistics.power import detectable_effect
from ragproof.statistics.power_binary import detectable_binary_difference
from ragproof.statistics.sign_flip import sign_flip
from ragproof.statistics.student import paired_t
from ragproof.statistics.studentised import studentised_interval
from tests.fakes.scored_runs import ERROR, Cell, scored_run

GRADED_A = [
    0.31,
    0.2,
    0.55,
    0.4,
    0.62,
    0.1,
    0.83,
    0.44,
    0.27,
    0.9,
    0.38,
    0.71,
    0.05,
    0.66,
    0.5,
    0.12,
    0.77,
    0.3,
]
GRADED_B = [
    0.42,
    0.33,
    0.5,
    0.61,
    0.8,
    0.22,
    0.85,
    0.6,
    0.35,
    0.92,
    0.49,
    0.78,
    0.2,
    0.7,
    0.55,
    0.31,
    0.8,
    0.47,
]
D = np.array(GRADED_B) - np.array(GRADED_A)


def compared(
    before: dict[str, list[Cell]], after: dict[str, list[Cell]], seed: int = 0, **run: object
) -> dict[str, MetricComparison]:
    """Compare two runs on every metric."""
    both = pair(scored_run(before, **run), scored_run(after, **run))  # type: ignore[arg-type]
    scores = [paired_scores(both, key) for key in both.metrics]
    flips = flips_of(columns_to_test(scores), clusters_of(both.cases), seed=seed)
    return {each.key: each for each in compare_metrics(scores, both.cases, flips, seed=seed)}


def test_a_graded_metric_has_the_library_s_numbers() -> None:
    """Sign flip, t, studentised bootstrap, effect sizes and detectable effect, each from its own function."""
    found = compared({"m": [*GRADED_A]}, {"m": [*GRADED_B]}, seed=7)["m"]
    assert found.tested is not None
    assert found.tested.sign_flip == sign_flip(D, seed=7)
    student = paired_t(D)
    assert (found.tested.t, found.tested.t_p) == pytest.approx((student.t, student.p))
    assert found.interval == studentised_interval(D, lowest=-1.0, highest=1.0, seed=7)
    assert found.effects == effect_sizes(D)
    assert found.detectable == pytest.approx(detectable_effect(18, float(D.std(ddof=1))))
    assert found.pair_means == pytest.approx((np.mean(GRADED_A), np.mean(GRADED_B)))
    assert found.difference == pytest.approx(float(D.mean()))
    assert (found.n_pairs, found.unit, found.n_units) == (18, Unit.CASE, 18)
    assert (found.risk_difference, found.degenerate) == (None, None)
    assert found.verdict is Verdict.BETTER


def test_a_metric_of_0_and_1_has_mcnemar_s_test_and_newcombe_s_interval() -> None:
    """8 cases gained, 1 lost, 5 right in both, 2 in neither."""
    before: list[Cell] = [0.0] * 8 + [1.0] + [1.0] * 5 + [0.0] * 2
    after: list[Cell] = [1.0] * 8 + [0.0] + [1.0] * 5 + [0.0] * 2
    found = compared({"m": before}, {"m": after})["m"]
    exact = mcnemar(5, 8, 1, 2)
    assert found.tested is not None
    assert found.tested.sign_flip.p == pytest.approx(exact.p)
    assert found.tested.sign_flip.mid_p == pytest.approx(exact.mid_p)
    assert found.interval == newcombe_interval(5, 8, 1, 2)
    assert found.risk_difference == pytest.approx((8 - 1) / 16)
    assert found.detectable == detectable_binary_difference(16, 9 / 16)


@pytest.mark.parametrize(
    ("why", "before", "after"),
    [("graded", GRADED_A, GRADED_B), ("of 0 and 1", [0.0] * 9 + [1.0] * 3, [1.0] * 8 + [0.0] + [1.0] * 3)],
)
def test_a_metric_where_less_is_better_is_turned(why: str, before: list[Cell], after: list[Cell]) -> None:
    """The same cases, named the other way round: every sign is, and nothing else."""
    more = compared({"m": [*before]}, {"m": [*after]})["m"]
    less = compared({"m": [*before]}, {"m": [*after]}, directions={"m": Direction.LOWER})["m"]
    assert less.difference is not None
    assert more.difference == pytest.approx(-less.difference), why
    assert less.verdict is Verdict.WORSE, why
    assert more.verdict is Verdict.BETTER, why
    assert less.pair_means == more.pair_means, "means stay as they were measured"
    assert more.interval is not None
    assert less.interval is not None
    assert more.interval.low is not None
    assert less.interval.high == pytest.approx(-more.interval.low), why
    assert more.tested is not None
    assert less.tested is not None
    assert less.tested.sign_flip.p == more.tested.sign_flip.p, why
    assert (less.effects and less.effects.wins) == (more.effects and more.effects.losses), why


def test_cases_of_one_group_are_tested_together() -> None:
    """By the library's cluster tests, on the groups among the pairs."""
    groups = [f"g{place // 3}" for place in range(18)]
    found = compared({"m": [*GRADED_A]}, {"m": [*GRADED_B]}, groups=groups)["m"]
    clustered = cluster_interval(D, groups, lowest=-1.0, highest=1.0)
    assert found.tested is not None
    assert found.tested.sign_flip.p == cluster_sign_flip(D, groups).p
    assert found.interval == clustered.interval
    assert (found.tested.t, found.tested.t_p) == (clustered.t, clustered.p)
    assert found.tested.design_effect == clustered.design_effect
    assert (found.unit, found.n_units, found.n_pairs) == (Unit.GROUP, 6, 18)


def test_a_case_without_a_group_is_its_own() -> None:
    """And a metric on which no group repeats is tested by case, though groups repeat elsewhere."""
    groups = ["g", "g", *[None] * 16]
    cells: list[Cell] = [None, *GRADED_A[1:]]
    found = compared(
        {"all": [*GRADED_A], "some": cells}, {"all": [*GRADED_B], "some": [*GRADED_B]}, groups=groups
    )
    assert (found["all"].unit, found["all"].n_units) == (Unit.GROUP, 17)
    assert (found["some"].unit, found["some"].n_units) == (Unit.CASE, 17)


def test_groups_raise_what_can_be_detected() -> None:
    """By the root of the design effect; a design effect under 1 is not counted on."""
    groups = [f"g{place % 6}" for place in range(18)]
    before: list[Cell] = [0.5] * 18
    together: list[Cell] = [0.5 + 0.05 * (place % 6) for place in range(18)]
    apart: list[Cell] = [0.5 + 0.05 * (place // 6) + 0.01 * (place % 4) for place in range(18)]
    for after, inflated in ((together, True), (apart, False)):
        alone = compared({"m": before}, {"m": after})["m"].detectable
        by_group = compared({"m": before}, {"m": after}, groups=groups)["m"]
        grouped = by_group.detectable
        assert by_group.tested is not None
        assert by_group.tested.design_effect is not None
        assert alone is not None
        assert grouped is not None
        assert (grouped > alone) is inflated
        assert grouped >= alone


def test_claims_are_adjusted_for_the_metrics_tested() -> None:
    """One that would pass alone does not among twenty that show nothing; those that describe do not count."""
    before: dict[str, list[Cell]] = {"m": [0.0] * 7 + [1.0] * 9}
    after: dict[str, list[Cell]] = {"m": [1.0] * 7 + [1.0] * 9}
    assert compared(before, after)["m"].verdict is Verdict.BETTER
    many = {f"n{number}": [0.0, 1.0] * 8 for number in range(20)}
    found = compared(
        {**before, **many, "d": [0.0] * 16},
        {**after, **{key: cells[::-1] for key, cells in many.items()}, "d": [1.0] * 16},
        directions={"d": Direction.NONE},
    )
    assert found["m"].verdict is Verdict.NO_DIFFERENCE_SHOWN
    tests = [each.tested for each in found.values() if each.tested]
    assert len(tests) == 21
    p = [each.sign_flip.p for each in tests]
    assert [each.p_holm for each in tests] == list(holm(p))
    assert [each.p_bh for each in tests] == list(benjamini_hochberg(p))


@pytest.mark.parametrize(
    ("why", "before", "after", "verdict"),
    [
        ("six gains and no loss", [0.0] * 6, [1.0] * 6, Verdict.BETTER),
        ("six losses and no gain", [1.0] * 6, [0.0] * 6, Verdict.WORSE),
        ("five gains and no loss could never show", [0.0] * 5 + [1.0], [1.0] * 6, Verdict.UNRESOLVABLE),
        ("as many either way", [0.0, 1.0] * 4, [1.0, 0.0] * 4, Verdict.NO_DIFFERENCE_SHOWN),
        ("nothing differs", [1.0] * 8, [1.0] * 8, Verdict.UNRESOLVABLE),
        ("rounding is no difference", [0.3 - 0.1] * 8, [0.2] * 8, Verdict.UNRESOLVABLE),
        ("one case", [0.0], [1.0], Verdict.UNRESOLVABLE),
        ("no pair", [None, 1.0], [1.0, ERROR], Verdict.UNRESOLVABLE),
    ],
)
def test_the_verdict_is_one_of_four_words(
    why: str, before: list[Cell], after: list[Cell], verdict: Verdict
) -> None:
    """Five or fewer differences resolve nothing, however they lie."""
    assert compared({"m": before}, {"m": after})["m"].verdict is verdict, why


@pytest.mark.parametrize(
    ("why", "before", "after", "degenerate"),
    [
        ("no case in both", [1.0, None], [None, 1.0], Degenerate.NO_PAIR),
        ("one case in both", [1.0, None], [0.5, 1.0], Degenerate.ONE_PAIR),
        ("the same on every case", [0.5] * 9, [0.5] * 9, Degenerate.SAME),
        ("shifted by as much on every case", [0.25] * 9, [0.5] * 9, Degenerate.SHIFTED),
        ("neither", [0.25] * 8, [0.5] * 7 + [0.25], None),
    ],
)
def test_data_that_carry_no_test_are_flagged(
    why: str, before: list[Cell], after: list[Cell], degenerate: Degenerate | None
) -> None:
    """In words, and never by an interval of no width."""
    found = compared({"m": before}, {"m": after})["m"]
    assert found.degenerate is degenerate, why
    if found.interval is not None and found.interval.low is not None and found.interval.high is not None:
        assert found.interval.high > found.interval.low, why


def test_one_case_has_no_interval() -> None:
    """The range of the metric is nothing that was measured."""
    for cells in ([1.0], [0.5]):
        interval = compared({"m": [0.0]}, {"m": [*cells]})["m"].interval
        assert interval is not None
        assert (interval.low, interval.high, interval.flag) == (None, None, Flag.ONE_CASE)


def test_a_metric_that_describes_is_shown_and_not_tested() -> None:
    """Its difference is the candidate's minus the baseline's."""
    found = compared({"m": [0.5] * 9}, {"m": [1.0] * 9}, directions={"m": Direction.NONE})["m"]
    assert (found.difference, found.verdict) == (0.5, None)
    assert (found.tested, found.interval, found.effects, found.detectable) == (None, None, None, None)


def test_missing_cases_are_counted_by_arm_and_bounded() -> None:
    """The bounds fill the range's ends; the absent are in no bound and no pair."""
    before: list[Cell] = [1.0, 1.0, 0.5, ERROR, None, 1.0]
    after: list[Cell] = [1.0, ERROR, 1.0, 0.5, 1.0, None]
    found = compared({"m": before}, {"m": after})["m"]
    first, second = found.first, found.second
    assert (first.scored, first.missing, first.absent, first.expected) == (4, 1, 1, 5)
    assert (second.scored, second.missing, second.absent) == (4, 1, 1)
    assert first.missing_reasons == {"timeout: no answer in time": 1}
    assert second.absent_reasons == {"the answer declines": 1}
    assert (found.n_pairs, found.difference) == (2, (0.0 + 0.5) / 2)
    assert found.missing is not None
    assert (found.missing.n_total, found.missing.missing_a, found.missing.missing_b) == (4, 1, 1)
    assert found.missing.lowest_mean_difference == pytest.approx((0.0 + (0 - 1) + 0.5 + (0.5 - 1)) / 4)
    assert found.missing.highest_mean_difference == pytest.approx((0.0 + (1 - 1) + 0.5 + (0.5 - 0)) / 4)


def test_bounds_are_oriented_too() -> None:
    """Where less is better, a missing value of the candidate hurts most at the high end."""
    found = compared(
        {"m": [0.5, 0.5]}, {"m": [0.5, ERROR]}, directions={"m": Direction.LOWER}, span=(0.0, 4.0)
    )["m"]
    assert found.missing is not None
    assert found.missing.lowest_mean_difference == pytest.approx((0.0 + (0.5 - 4.0)) / 2)
    assert found.missing.highest_mean_difference == pytest.approx((0.0 + (0.5 - 0.0)) / 2)


def test_an_open_range_bounds_nothing() -> None:
    """A missing latency could be anything."""
    found = compared({"m": [5.0, 6.0]}, {"m": [5.0, ERROR]}, span=(0.0, None))["m"]
    assert found.missing is not None
    assert found.missing.lowest_mean_difference is None
    assert found.span is None


@given(
    st.lists(st.sampled_from([0.0, 0.5, 1.0, ERROR, None]), min_size=1, max_size=12),
    st.data(),
)
def test_the_bounds_hold_whatever_the_missing_values_were(cells: list[Cell], data: st.DataObject) -> None:
    """No assignment of values to the missing cases leaves them."""
    other = data.draw(
        st.lists(st.sampled_from([0.0, 0.5, 1.0, ERROR]), min_size=len(cells), max_size=len(cells))
    )
    missing = compared({"m": cells}, {"m": other})["m"].missing
    filled = [
        [data.draw(st.sampled_from([0.0, 0.5, 1.0])) if cell == ERROR else cell for cell in column]
        for column in (cells, other)
    ]
    differences = [b - a for a, b in zip(*filled, strict=True) if a is not None and b is not None]  # type: ignore[operator]
    if missing is None:
        assert not differences
    else:
        low, high = missing.lowest_mean_difference, missing.highest_mean_difference
        assert low is not None
        assert high is not None
        assert low - 1e-9 <= sum(differences) / len(differences) <= high + 1e-9


def test_the_seed_alone_decides_the_draws() -> None:
    """Not the metrics beside it."""
    rest = {"n": [*GRADED_B], "o": [None, *GRADED_A[1:]]}
    alone = compared({"m": [*GRADED_A]}, {"m": [*GRADED_B]}, seed=3)["m"]
    beside = compared({"m": [*GRADED_A], **rest}, {"m": [*GRADED_B], **rest}, seed=3)["m"]
    assert alone.tested is not None
    assert beside.tested is not None
    assert alone.tested.sign_flip == beside.tested.sign_flip
    assert alone.interval is not None
    assert beside.interval is not None
    ends = [(each.low, each.high) for each in (alone.interval, beside.interval)]
    assert ends[0] == pytest.approx(ends[1], rel=1e-12)


def test_many_cases_are_told_by_the_normal_formula() -> None:
    """It is right to a thousandth, and spares loading a library."""
    drawn = np.random.default_rng(0)
    a, b = drawn.normal(0.4, 0.1, MANY_CASES), drawn.normal(0.5, 0.1, MANY_CASES)
    found = compared({"m": a.tolist()}, {"m": b.tolist()}, span=(None, None))["m"]
    assert found.detectable == pytest.approx(
        detectable_effect(MANY_CASES, float((b - a).std(ddof=1))), rel=2e-3
    )
    assert found.interval is not None
    assert found.interval.low is not None
    half = 1.96 * float((b - a).std(ddof=1)) / sqrt(MANY_CASES)
    assert found.interval.low == pytest.approx(float((b - a).mean()) - half, abs=0.1 * half)


def test_a_value_outside_the_range_is_refused() -> None:
    """A bound computed from that range would be wrong."""
    with pytest.raises(ConfigurationError, match="holds 7 for metric 'm'; expected values from 0 to 1"):
        compared({"m": [1.0, 0.0]}, {"m": [7.0, 0.0]})


def test_a_range_that_one_run_alone_knows_is_known() -> None:
    """A function that is gone since leaves the range to the file that was exported before."""
    both = pair(scored_run({"m": [1.0]}), scored_run({"m": [1.0]}, span=(None, None)))
    assert paired_scores(both, "m").span == (0.0, 1.0)
