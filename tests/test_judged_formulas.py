"""The arithmetic of judged metrics, apart from any judge."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.metrics.judged.citations.entailment import needed, to_ask
from ragproof.metrics.judged.context_precision import average_precision
from ragproof.metrics.judged.correctness import f_score, mixed_f1
from ragproof.metrics.judged.noise_sensitivity import noise

PRECISIONS = [
    ("the first", [1, 0], 1.0),
    ("the second", [0, 1], 0.5),
    ("first and third", [1, 0, 1], (1 + 2 / 3) / 2),
    ("none", [0, 0, 0], 0.0),
    ("no contexts", [], 0.0),
    ("all: exactly 1", [1] * 7, 1.0),
]


@pytest.mark.parametrize(("why", "useful", "expected"), PRECISIONS, ids=[row[0] for row in PRECISIONS])
def test_average_precision_is_the_mean_of_precision_at_useful_ranks(
    why: str, useful: list[int], expected: float
) -> None:
    """The denominator is how many are useful, and nothing is added to it."""
    assert average_precision([bool(each) for each in useful]) == expected, why


@given(st.lists(st.booleans(), min_size=1, max_size=12))
def test_average_precision_rises_when_a_useful_context_moves_up(useful: list[bool]) -> None:
    """The best order has all useful ones first, and scores 1."""
    best = sorted(useful, reverse=True)
    assert average_precision(best) == float(any(useful))
    assert average_precision(useful) <= average_precision(best)


SCORES = [
    # why, of the answer: entailed and all claims, of the reference alike, beta, precision and recall and F
    ("ten right claims, half of the reference", (10, 10), (1, 2), 1.0, (1.0, 0.5, 2 / 3)),
    ("all of both: exactly 1", (3, 3), (2, 2), 1.0, (1.0, 1.0, 1.0)),
    ("nothing of either", (0, 3), (0, 2), 1.0, (0.0, 0.0, 0.0)),
    ("no claims of the answer", (0, 0), (0, 2), 1.0, (0.0, 0.0, 0.0)),
    ("one side alone", (0, 3), (2, 2), 1.0, (0.0, 1.0, 0.0)),
    ("beta 2 leans to recall", (1, 2), (2, 2), 2.0, (0.5, 1.0, 5 * 0.5 / (4 * 0.5 + 1))),
]


@pytest.mark.parametrize(
    ("why", "answer", "reference", "beta", "expected"), SCORES, ids=[row[0] for row in SCORES]
)
def test_f_beta_of_claims(
    why: str,
    answer: tuple[int, int],
    reference: tuple[int, int],
    beta: float,
    expected: tuple[float, float, float],
) -> None:
    """Precision is over the answer's claims, recall over the reference's."""
    found = f_score(*answer, *reference, beta=beta)
    assert (found.precision, found.recall, found.value) == pytest.approx(expected, abs=1e-12), why


@pytest.mark.parametrize(
    ("why", "true", "claims", "missed", "expected"),
    [
        ("2 tp / (2 tp + fp + fn)", 3, 4, 2, 6 / (6 + 1 + 2)),
        ("detail outweighs what is missing", 10, 10, 1, 20 / 21),
        ("nothing true", 0, 3, 2, 0.0),
        ("nothing at all", 0, 0, 0, 0.0),
    ],
)
def test_the_mixed_f1_counts_claims_of_both_sides(
    why: str, true: int, claims: int, missed: int, expected: float
) -> None:
    """As RAGAS's factual correctness does, without its rounding."""
    assert mixed_f1(true, claims, missed) == pytest.approx(expected, abs=1e-12), why


def test_noise_is_its_relevant_and_irrelevant_parts_on_2000_random_matrices() -> None:
    """Against RAGAS's two modes, written out with matrices."""
    random = np.random.default_rng(6)
    for _ in range(2_000):
        claims, contexts = random.integers(1, 8), random.integers(0, 7)
        wrong = random.random(claims) < 0.5
        supported = random.random((claims, contexts)) < 0.4
        relevant = random.random(contexts) < 0.5
        found = noise(wrong.tolist(), [tuple(row) for row in supported.tolist()], tuple(relevant.tolist()))
        by_relevant = (supported & relevant).any(axis=1)
        by_irrelevant = (supported & ~relevant).any(axis=1) & ~by_relevant
        assert found.relevant == pytest.approx((by_relevant & wrong).mean(), abs=1e-12)
        assert found.irrelevant == pytest.approx((by_irrelevant & wrong).mean(), abs=1e-12)
        assert found.value == pytest.approx(found.relevant + found.irrelevant, abs=1e-12)


ASKED = [
    ("nothing cited", [], []),
    ("one: together is alone", [4], [{4}]),
    ("two: all but one is the other alone", [4, 2], [{2, 4}, {4}, {2}]),
    ("three", [1, 2, 3], [{1, 2, 3}, {1}, {2}, {3}, {2, 3}, {1, 3}, {1, 2}]),
]


@pytest.mark.parametrize(("why", "cited", "sets"), ASKED, ids=[row[0] for row in ASKED])
def test_every_set_that_decides_is_asked_about_once(why: str, cited: list[int], sets: list[set[int]]) -> None:
    """Together, each alone, and all but each."""
    assert list(to_ask(cited)) == sets, why


@given(
    st.integers(1, 5).flatmap(
        lambda n: st.tuples(
            st.just(list(range(1, n + 1))),
            st.lists(st.sets(st.integers(1, n), min_size=1), max_size=4),
        )
    )
)
def test_a_citation_is_needed_as_alce_says(drawn: tuple[list[int], list[set[int]]]) -> None:
    """Held against the definition, for judges by whom more sources never support less."""
    cited, minimal = drawn

    def supports(places: frozenset[int]) -> bool:
        assert places in asked
        return any(each <= places for each in minimal)

    asked = set(to_ask(cited))
    found = needed(cited, supports)
    whole = any(each <= set(cited) for each in minimal)
    for place in cited:
        rest = set(cited) - {place}
        alone = any(each <= {place} for each in minimal)
        rest_suffices = any(each <= rest for each in minimal)
        assert found[place] == (whole and (alone or not rest_suffices))
    if whole:
        assert any(found.values()) or all(
            any(each <= set(few) for each in minimal) for few in combinations(cited, len(cited) - 1)
        )
