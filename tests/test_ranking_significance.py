"""Runs tested against each other: worked by hand, by listing every sign, and whatever they are called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from math import isclose, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.errors import ConfigurationError
from ragproof.ranking.contrasts import Contrast, Degenerate, degenerate
from ragproof.ranking.evaluation import Evaluation
from ragproof.ranking.shared_queries import on_shared_queries
from ragproof.ranking.significance import RunTest, compare_runs
from ragproof.statistics.interval import Flag
from ragproof.statistics.multiplicity import holm

EVEN = (0.5,) * 6
BETTER = (1.0,) * 6
MOSTLY_BETTER = (1.0,) * 5 + (0.25,)
SCORES = st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 1.0])


def scored(values: Sequence[float] | Mapping[str, float], **others: Sequence[float]) -> Evaluation:
    """A run with these values of `mrr@10`, and of other measures; queries are numbered or named."""
    queries = tuple(values) if isinstance(values, Mapping) else tuple(f"{at:03}" for at in range(len(values)))
    column = list(values.values()) if isinstance(values, Mapping) else values
    measures = {"mrr@10": column, **others, "judged@10": [1.0] * len(column)}
    return Evaluation(queries, {key: np.array(each) for key, each in measures.items()}, 1, False, (), ())


def contrast(test: RunTest, run: str, against: str, measure: int = 0) -> Contrast:
    """One contrast of a test."""
    (found,) = (
        each for each in test.measures[measure].contrasts if (each.run, each.against) == (run, against)
    )
    return found


def test_six_queries_against_a_baseline_by_hand() -> None:
    """Of 64 sign assignments two reach a sum of 3 on the one, and four a sum of 2.25 on the other."""
    test = compare_runs(
        {"even": scored(EVEN), "better": scored(BETTER), "mostly": scored(MOSTLY_BETTER)}, baseline="even"
    )
    (measure,) = test.measures
    assert (measure.measure, measure.exact, measure.assignments) == ("mrr@10", True, 64)
    better, mostly = contrast(test, "better", "even"), contrast(test, "mostly", "even")
    assert (better.effects.mean_difference, mostly.effects.mean_difference) == (0.5, 2.25 / 6)
    assert (better.p_raw, better.p) == (2 / 64, 2 / 64)
    assert (mostly.p_raw, mostly.p) == (4 / 64, 4 / 64)
    assert (better.separated, mostly.separated) == (True, False)
    assert (mostly.effects.wins, mostly.effects.ties, mostly.effects.losses) == (5, 0, 1)
    assert better.degenerate is Degenerate.SHIFTED
    assert better.interval.flag is Flag.ALL_EQUAL
    assert measure.letters is None
    assert better.p_over_measures is None


def step_down_by_listing(table: Sequence[Sequence[float]]) -> list[float]:
    """Westfall and Young's step-down p by their definition, every sign assignment in turn."""
    columns = list(zip(*table, strict=True))
    norms = [sqrt(sum(value**2 for value in column)) or 1.0 for column in columns]

    def sizes(signs: Sequence[float]) -> list[float]:
        return [
            abs(sum(sign * value for sign, value in zip(signs, column, strict=True))) / norm
            for column, norm in zip(columns, norms, strict=True)
        ]

    observed = sizes([1.0] * len(table))
    flipped = [sizes(signs) for signs in product((1.0, -1.0), repeat=len(table))]
    order = sorted(range(len(columns)), key=lambda at: -observed[at])
    p = [0.0] * len(columns)
    least = 0.0
    for step, at in enumerate(order):
        reached = sum(max(row[other] for other in order[step:]) >= observed[at] - 1e-9 for row in flipped)
        p[at] = least = max(least, reached / len(flipped))
    return p


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(SCORES, SCORES, SCORES), min_size=2, max_size=7))
def test_p_is_what_listing_every_sign_gives(table: list[tuple[float, float, float]]) -> None:
    """All pairs of three runs, the later against the earlier, adjusted over the three."""
    names = ["one", "two", "three"]
    test = compare_runs(
        {name: scored(column) for name, column in zip(names, zip(*table, strict=True), strict=True)}
    )
    pairs = list(combinations(range(3), 2))
    expected = step_down_by_listing([[row[j] - row[i] for i, j in pairs] for row in table])
    for (i, j), p in zip(pairs, expected, strict=True):
        assert isclose(contrast(test, names[j], names[i]).p, p, abs_tol=1e-12)


def noisy(queries: int, lift: float, seed: int) -> list[float]:
    """Values between 0 and 1 that share their queries' difficulty."""
    difficulty = np.random.default_rng(0).random(queries)
    noise = np.random.default_rng(seed).normal(lift, 0.15, queries)
    return [float(value) for value in np.clip(difficulty + noise, 0.0, 1.0)]


@pytest.mark.parametrize(
    ("why", "baseline", "order"),
    [
        ("all pairs, reversed", None, (3, 2, 1, 0)),
        ("all pairs, shuffled", None, (2, 0, 3, 1)),
        ("a baseline given last", 0, (1, 2, 3, 0)),
        ("a baseline among the others", 1, (3, 1, 0, 2)),
    ],
)
@pytest.mark.parametrize("queries", [12, 60])
def test_names_and_order_change_no_p(
    why: str, baseline: int | None, order: tuple[int, ...], queries: int
) -> None:
    """Exact or of random signs: a contrast has its p, and its interval turned round at most."""
    values = [noisy(queries, lift, seed) for seed, lift in enumerate((0.0, 0.02, 0.05, 0.05))]
    first = compare_runs(
        {f"r{at}": scored(each) for at, each in enumerate(values)},
        baseline=None if baseline is None else f"r{baseline}",
    )
    again = compare_runs(
        {f"another {at}": scored(values[at]) for at in order},
        baseline=None if baseline is None else f"another {baseline}",
    )

    def told(test: RunTest) -> dict[tuple[str, ...], tuple[float, ...]]:
        return {
            tuple(sorted((each.run[-1], each.against[-1]))): (
                each.p,
                each.p_raw,
                round(abs(each.effects.mean_difference), 12),
                round((each.interval.high or 0.0) - (each.interval.low or 0.0), 9),
            )
            for each in test.measures[0].contrasts
        }

    assert told(first) == told(again), why


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(SCORES, SCORES), min_size=1, max_size=30), st.integers(0, 5))
def test_a_run_is_never_told_apart_from_itself(table: list[tuple[float, float]], seed: int) -> None:
    """Whatever else it is held against: p is 1, the two share their letters, and nothing is of zero width."""
    one, two = zip(*table, strict=True)
    runs = {"one": scored(one), "two": scored(two), "one again": scored(one)}
    test = compare_runs(runs, seed=seed, draws=99)
    itself = contrast(test, "one again", "one")
    assert (itself.p, itself.p_raw, itself.separated, itself.unresolvable) == (1.0, 1.0, False, True)
    assert itself.degenerate in {Degenerate.SAME, Degenerate.ONE_QUERY}
    letters = test.measures[0].letters
    assert letters is not None
    assert letters[0] == letters[2]
    for each in test.measures[0].contrasts:
        low, high = each.interval.low, each.interval.high
        assert (low is None) == (high is None) == (len(table) == 1)
        assert low is None or high is None or low < high


def test_the_same_seed_gives_the_same_p_and_another_seed_another() -> None:
    """Over 16 queries differ, so signs are random."""
    runs = {"one": scored(noisy(60, 0.0, 1)), "two": scored(noisy(60, 0.03, 2))}
    (one,), (again,), (other,) = (compare_runs(runs, seed=seed).measures[0].contrasts for seed in (3, 3, 4))
    assert one == again
    assert one.p != other.p
    assert compare_runs(runs, draws=999).measures[0].assignments == 999


def test_five_differing_queries_are_never_told_apart() -> None:
    """Though a few random signs give them, by luck, a p that no listing would."""
    runs = {
        "even": scored([0.5] * 30),
        "far": scored([0.6 + at / 100 for at in range(30)]),
        "five": scored([1.0] * 5 + [0.5] * 25),
    }
    tests = [compare_runs(runs, baseline="even", seed=seed, draws=20) for seed in range(10)]
    found = [contrast(test, "five", "even") for test in tests]
    assert min(each.p for each in found) == 1 / 21
    assert {(each.nonzero, each.unresolvable, each.separated) for each in found} == {(5, True, False)}


def test_letters_follow_the_tests_and_not_the_ranks() -> None:
    """The best has an `a`; two share a letter exactly when their contrast is not separated."""
    runs = {f"r{lift}": scored(noisy(80, lift / 100, lift)) for lift in (9, 0, 4, 30)}
    test = compare_runs(runs)
    letters = dict(zip(test.runs, test.measures[0].letters or (), strict=True))
    assert "a" in letters["r30"]
    assert {each.separated for each in test.measures[0].contrasts} == {True, False}
    for each in test.measures[0].contrasts:
        assert each.separated == (not set(letters[each.run]) & set(letters[each.against]))


def test_several_measures_are_adjusted_by_holm_for_each_contrast() -> None:
    """The order of the measures is kept, and `judged` is none of them."""
    rest = {"ndcg@10": noisy(40, 0.02, 5), "map": noisy(40, 0.0, 6)}
    runs = {
        "one": scored(noisy(40, 0.0, 1), **rest),
        "two": scored(noisy(40, 0.06, 2), **{key: noisy(40, 0.05, 7) for key in rest}),
    }
    test = compare_runs(runs)
    assert [each.measure for each in test.measures] == ["mrr@10", "ndcg@10", "map"]
    found = [contrast(test, "two", "one", at) for at in range(3)]
    assert [each.p_over_measures for each in found] == list(holm([each.p for each in found]))


def test_values_of_0_and_1_have_newcombe_s_interval() -> None:
    """A share right, paired; any other measure has the studentised bootstrap's."""
    one = scored([0.0, 1.0] * 10, map=noisy(20, 0.0, 1))
    two = scored([1.0, 1.0, 0.0, 1.0] * 5, map=noisy(20, 0.1, 2))
    methods = [each.contrasts[0].interval.method for each in compare_runs({"one": one, "two": two}).measures]
    assert methods == ["Newcombe 10", "studentised bootstrap"]


@pytest.mark.parametrize(
    ("why", "differences", "expected"),
    [
        ("one query has no spread", [0.3], Degenerate.ONE_QUERY),
        ("no query differs", [0.0, 0.0], Degenerate.SAME),
        ("but for the last bit of a sum", [0.3 - 0.1 - 0.2, 0.0], Degenerate.SAME),
        ("all differ alike", [0.3 - 0.1, 0.7 - 0.5], Degenerate.SHIFTED),
        ("something varies", [0.1, 0.2], None),
    ],
)
def test_differences_without_spread_have_a_reason(
    why: str, differences: list[float], expected: Degenerate | None
) -> None:
    """And those with spread have none."""
    assert degenerate(np.array(differences)) is expected, why


def test_runs_are_tested_on_the_queries_they_share() -> None:
    """Means, too; what only some have is left out by name."""
    runs = {
        "one": scored({"a": 0.0, "b": 0.5, "c": 1.0}),
        "two": scored({"b": 1.0, "c": 1.0, "d": 0.0}),
    }
    shared = on_shared_queries(runs)
    assert (shared.queries, shared.left_out) == (("b", "c"), ("a", "d"))
    assert [each.means["mrr@10"] for each in shared.evaluations.values()] == [0.75, 1.0]
    (found,) = compare_runs(runs).measures[0].contrasts
    assert (found.effects.n, found.effects.mean_difference) == (2, 0.25)


def test_runs_without_a_query_in_common_are_refused() -> None:
    """With what each has, and what to do."""
    runs = {"one": scored({"a": 0.0}), "two": scored({"a": 0.0, "b": 1.0}), "three": scored({"b": 1.0})}
    with pytest.raises(ConfigurationError) as refused:
        compare_runs(runs)
    assert str(refused.value) == (
        "no query is scored in all 3 runs: 'one' is scored on 'a'; 'two' is scored on 'a', 'b'; 'three' is"
        " scored on 'b'; expected some in common; --complete (complete=True) counts a judged query that a run"
        " lacks as 0"
    )


@pytest.mark.parametrize(
    ("why", "runs", "baseline"),
    [
        ("one run alone", ["one"], None),
        ("a baseline that is none of them", ["one", "two"], "three"),
    ],
)
def test_what_cannot_be_tested_is_refused(why: str, runs: list[str], baseline: str | None) -> None:
    """A caller's mistake, not a file's."""
    with pytest.raises(ValueError, match="expected two runs"):
        compare_runs({name: scored(EVEN) for name in runs}, baseline=baseline)


def test_the_share_of_judged_documents_is_not_tested() -> None:
    """It describes the labels, and no run is better by it."""
    judged = Evaluation(("a",), {"judged@10": np.array([1.0])}, 1, False, (), ())
    with pytest.raises(ValueError, match="expected a measure that ranks"):
        compare_runs({"one": judged, "two": judged})
