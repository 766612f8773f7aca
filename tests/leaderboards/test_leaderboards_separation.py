"""Who is told apart on a leaderboard, by how much, and with what interval."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.comparing.scored_run import Traits
from ragproof.leaderboards.complete_cases import CompleteCases, complete_cases
from ragproof.leaderboards.intervals import difference_intervals, mean_intervals
from ragproof.leaderboards.separation import in_rank_order, separate
from ragproof.metric import Direction
from ragproof.statistics.clusters import cluster_interval
from ragproof.statistics.paired_proportions import newcombe_interval
from ragproof.statistics.proportions import wilson_interval
from ragproof.statistics.studentised import studentised_interval
from tests.fakes.scored_runs import ERROR, Cell, scored_run

HIGHER = Traits(Direction.HIGHER, 0.0, 1.0, 1)
LOWER = Traits(Direction.LOWER, 0.0, 1.0, 1)


def cases_of(*values: Sequence[Cell], direction: Direction = Direction.HIGHER) -> CompleteCases:
    """The complete cases of runs, a sequence each."""
    return complete_cases([scored_run({"m": each}, directions={"m": direction}) for each in values], "m")


@pytest.mark.parametrize(
    ("why", "values", "direction", "order", "ranks"),
    [
        ("the higher mean first", [[0.1], [0.9], [0.5]], Direction.HIGHER, (1, 2, 0), (1, 2, 3)),
        ("the lower, where that is better", [[0.1], [0.9], [0.5]], Direction.LOWER, (0, 2, 1), (1, 2, 3)),
        ("equal means share a rank", [[0.5], [0.9], [0.5]], Direction.HIGHER, (1, 2, 0), (1, 2, 2)),
        ("and the next one is skipped", [[0.9], [0.9], [0.5]], Direction.HIGHER, (1, 0, 2), (1, 1, 3)),
        ("rounding is no difference", [[0.3, 0.0], [0.1, 0.2]], Direction.HIGHER, (1, 0), (1, 1)),
        ("one run is first", [[0.0]], Direction.HIGHER, (0,), (1,)),
    ],
)
def test_runs_are_ranked_by_their_mean(
    why: str,
    values: list[list[float]],
    direction: Direction,
    order: tuple[int, ...],
    ranks: tuple[int, ...],
) -> None:
    """Over the complete cases."""
    assert in_rank_order(cases_of(*values, direction=direction)) == (order, ranks), why


def separated(cases: CompleteCases, clusters: Sequence[int] | None = None) -> list[tuple[int, int, bool]]:
    """Pairs in order of rank, and whether they are told apart."""
    order, _ = in_rank_order(cases)
    found = separate(cases, order, clusters, seed=0)
    return [(pair.better, pair.worse, pair.separated) for pair in found.pairs]


def test_the_exact_p_of_one_pair_is_the_sign_flip() -> None:
    """Ten cases, always won: 2 of the 2^10 sign assignments are as extreme."""
    cases = cases_of([0.0] * 10, [0.5] * 10)
    pair = separate(cases, (1, 0), None, seed=0).pairs[0]
    assert pair.p == pair.p_raw == pytest.approx(2 / 2**10)
    assert pair.difference == pytest.approx(0.5)
    assert (pair.better, pair.worse, pair.n_nonzero, pair.separated) == (1, 0, 10, True)


@pytest.mark.parametrize(("differing", "resolvable"), [(0, False), (5, False), (6, True)])
def test_five_differing_cases_separate_nobody(differing: int, resolvable: bool) -> None:
    """2 / 2^5 is over 0.05, whatever they show; 2 / 2^6 is not."""
    cases = cases_of([0.0] * 20, [1.0] * differing + [0.0] * (20 - differing))
    pair = separate(cases, (1, 0), None, seed=0).pairs[0]
    assert (pair.unresolvable, pair.separated) == (not resolvable, resolvable)


def test_a_pair_is_told_apart_by_the_p_of_all_pairs() -> None:
    """Two runs that lead a third on six cases each, others: 2/2^6 alone, over twice that less overlap."""
    cases = cases_of([0.0] * 12, [1.0] * 6 + [0.0] * 6, [0.0] * 6 + [1.0] * 6)
    for pair in separate(cases, (2, 1, 0), None, seed=0).pairs[1:]:
        assert pair.p_raw == pytest.approx(2 / 2**6)
        assert pair.p >= 1 - (1 - 2 / 2**6) ** 2
        assert not pair.separated


def test_a_metric_that_is_better_when_lower_leads_by_less() -> None:
    """The difference is what `better` leads by, so never under 0."""
    pair = separate(cases_of([0.1] * 8, [0.4] * 8, direction=Direction.LOWER), (0, 1), None, seed=0).pairs[0]
    assert pair.difference == pytest.approx(0.3)
    assert pair.separated


def test_two_share_a_letter_exactly_when_they_are_not_told_apart() -> None:
    """The middle one is as good as both, and the outer two are not as good as each other."""
    best = [1.0] * 12
    middle = [1.0] * 7 + [0.0] * 5
    worst = [0.0] * 2 + [1.0] * 2 + [0.0] * 8
    cases = cases_of(worst, middle, best)
    assert separated(cases) == [(2, 1, False), (2, 0, True), (1, 0, False)]
    assert separate(cases, (2, 1, 0), None, seed=0).groups.letters == ("a", "ab", "b")


def test_questions_on_one_document_are_one_vote() -> None:
    """Ten cases of five documents cannot reach 0.05, though ten independent ones do."""
    cases = cases_of([0.0] * 10, [0.5] * 10)
    assert separated(cases) == [(1, 0, True)]
    clusters = [case // 2 for case in range(10)]
    pair = separate(cases, (1, 0), clusters, seed=0).pairs[0]
    assert (pair.p, pair.n_nonzero, pair.unresolvable) == (pytest.approx(2 / 2**5), 5, True)


@pytest.mark.parametrize(
    ("why", "lost", "expected"),
    [("nothing is missing", 0, False), ("one value cannot turn it", 1, False), ("ten can", 10, True)],
)
def test_a_separation_that_missing_values_could_turn_is_marked(why: str, lost: int, expected: bool) -> None:
    """Ten cases are led by 0.6 each, 6 in all; where a value is missing the other run has 0.8."""
    cases = cases_of([0.2] * 10 + [0.8] * lost, [0.8] * 10 + [ERROR] * lost)
    pair = separate(cases, (1, 0), None, seed=0).pairs[0]
    assert pair.separated
    assert pair.could_turn is expected, why


def test_one_run_is_held_against_nobody() -> None:
    """No pair, no test."""
    found = separate(cases_of([1.0, 0.0]), (0,), None, seed=0)
    assert (found.pairs, found.exact) == ((), None)


@given(st.lists(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=9, max_size=9), min_size=2, max_size=5))
def test_letters_say_what_the_pairs_say(values: list[list[float]]) -> None:
    """Whatever the scores; and the order of the runs changes nobody's p."""
    cases = cases_of(*values)
    order, ranks = in_rank_order(cases)
    found = separate(cases, order, None, seed=0)
    letters = dict(zip(order, found.groups.letters, strict=True))
    for pair in found.pairs:
        assert pair.difference >= -1e-12
        assert bool(set(letters[pair.better]) & set(letters[pair.worse])) is not pair.separated
    turned = separate(cases, order[::-1], None, seed=0)
    assert {frozenset((pair.better, pair.worse)): pair.separated for pair in turned.pairs} == {
        frozenset((pair.better, pair.worse)): pair.separated for pair in found.pairs
    }
    assert list(ranks) == sorted(ranks)


VALUES = np.array([0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.25, 0.5])
BITS = np.array([0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0])
OTHER = np.array([0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 1.0])
CLUSTERS = [0, 0, 1, 1, 2, 2, 3, 3]


def test_the_interval_of_a_mean_fits_the_data() -> None:
    """Wilson for a metric of 0 and 1, the studentised bootstrap for others, CR1 for documents."""
    table = np.column_stack([BITS, OTHER])
    assert mean_intervals(table, HIGHER, None, seed=0) == (wilson_interval(6, 8), wilson_interval(4, 8))
    assert mean_intervals(VALUES[:, None], HIGHER, None, seed=3) == (
        studentised_interval(VALUES, lowest=0.0, highest=1.0, seed=3),
    )
    assert mean_intervals(VALUES[:, None], HIGHER, CLUSTERS, seed=0) == (
        cluster_interval(VALUES, CLUSTERS, lowest=0.0, highest=1.0).interval,
    )
    open_range = Traits(Direction.LOWER, 0.0, None, 1)
    assert mean_intervals(BITS[:, None], open_range, None, seed=0)[0].method != "Wilson"


@pytest.mark.parametrize(
    ("why", "traits", "counts"),
    [("more is better", HIGHER, (4, 0, 2, 2)), ("less is better: turned", LOWER, (4, 2, 0, 2))],
)
def test_the_interval_of_a_binary_difference_is_newcombes(
    why: str, traits: Traits, counts: tuple[int, int, int, int]
) -> None:
    """Both right, the better alone, the worse alone, neither: `OTHER` held against `BITS`."""
    found = difference_intervals(BITS, OTHER[:, None], traits, None, seed=0)
    assert found == (newcombe_interval(*counts),), why


def test_the_interval_of_a_difference_is_of_the_paired_differences() -> None:
    """Clipped to what a difference can be; of documents where there are some; none for no other run."""
    d = VALUES - BITS
    assert difference_intervals(BITS, VALUES[:, None], HIGHER, None, seed=2) == (
        studentised_interval(d, lowest=-1.0, highest=1.0, seed=2),
    )
    assert difference_intervals(BITS, VALUES[:, None], LOWER, CLUSTERS, seed=0) == (
        cluster_interval(-d, CLUSTERS, lowest=-1.0, highest=1.0).interval,
    )
