"""The order of a ranking: trec_eval 9.0.8's, which sees float32 and breaks ties by id."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.ranking.order import NOWHERE, Indexes, first_places, least_scores
from tests.fakes.rankings import IDS, SCORES

INF = float("inf")

ORDERS = [
    # why, documents with their scores, depth, documents in order
    ("descending", {"a": 1.0, "b": 3.0, "c": 2.0}, None, "bca"),
    ("already in order", {"a": 3.0, "b": 2.0, "c": 1.0}, None, "abc"),
    ("turned round", {"a": 1.0, "b": 2.0, "c": 3.0}, None, "cba"),
    ("ties by id, descending", {"a": 1.0, "c": 1.0, "b": 1.0}, None, "cba"),
    ("a tie where the cut falls", {"a": 2.0, "b": 1.0, "d": 1.0, "c": 1.0}, 2, "ad"),
    ("a tie below the cut changes nothing", {"a": 2.0, "b": 1.0, "c": 0.0, "d": 0.0}, 2, "ab"),
    ("capitals come before small letters", {"a": 1.0, "Z": 1.0}, None, "aZ"),
    ("scores that differ below float32 are a tie", {"a": 0.5 + 1e-9, "b": 0.5}, None, "ba"),
    ("and those that differ in it are none", {"a": 0.5 + 1e-7, "b": 0.5}, None, "ab"),
    ("what float32 can not hold is infinite", {"a": 1e300, "b": 1e39}, None, "ba"),
    ("infinity is a score", {"a": -INF, "b": 0.0, "c": INF}, None, "cba"),
    ("0 and -0 are a tie", {"a": 0.0, "b": -0.0}, None, "ba"),
    ("code points, not UTF-16", {"\uffff": 1.0, "\U00010000": 1.0}, None, "\U00010000\uffff"),
    ("a list shorter than the depth", {"a": 1.0, "b": 2.0}, 10, "ba"),
    ("nothing found", {}, 10, ""),
]


@pytest.mark.parametrize(("why", "scores", "depth", "order"), ORDERS, ids=lambda each: str(each)[:40])
def test_a_ranking_is_ordered(why: str, scores: dict[str, float], depth: int | None, order: str) -> None:
    """Each row is one rule."""
    assert ordered([scores], depth) == [list(order)], why


def ordered(rankings: Sequence[dict[str, float]], depth: int | None) -> list[list[str]]:
    """Return the first documents of each ranking."""
    ids = [list(ranking) for ranking in rankings]

    def ids_at(row: int, columns: Indexes) -> list[str]:
        return [ids[row][column] for column in columns]

    places = first_places(*flat(rankings), depth, ids_at)
    return [
        [ids[row][column] for column in columns if column != NOWHERE] for row, columns in enumerate(places)
    ]


def flat(rankings: Sequence[dict[str, float]]) -> tuple[np.ndarray, np.ndarray]:
    """Return the scores of all rankings, and how many each has."""
    with np.errstate(over="ignore"):
        scores = np.array([score for ranking in rankings for score in ranking.values()]).astype(np.float32)
    return scores, np.array([len(ranking) for ranking in rankings], dtype=np.int64)


RANKINGS = st.lists(st.dictionaries(st.sampled_from(IDS), SCORES, max_size=25), min_size=1, max_size=6)


@settings(max_examples=300, deadline=None)
@given(rankings=RANKINGS, depth=st.none() | st.integers(1, 30))
def test_many_rankings_are_ordered_as_each_alone(rankings: list[dict[str, float]], depth: int | None) -> None:
    """Of any lengths, and as python sorts them by two keys."""
    with np.errstate(over="ignore"):
        expected = [
            [
                document
                for document, _ in sorted(
                    ranking.items(), key=lambda each: (float(np.float32(each[1])), each[0]), reverse=True
                )
            ][:depth]
            for ranking in rankings
        ]
    assert ordered(rankings, depth) == expected


@settings(max_examples=100, deadline=None)
@given(rankings=RANKINGS, depth=st.integers(1, 30))
def test_the_least_score_is_that_of_the_last_place(rankings: list[dict[str, float]], depth: int) -> None:
    """So that whatever is below it can be left out."""
    scores, lengths = flat(rankings)
    rows = np.split(scores, np.cumsum(lengths)[:-1])
    expected = [np.sort(row)[::-1][:depth][-1] if len(row) else np.float32(INF) for row in rows]
    assert least_scores(scores, lengths, depth).tolist() == expected


def test_ids_are_asked_for_where_scores_tie_alone() -> None:
    """The ids of everything else stay where they are."""
    asked: list[int] = []

    def ids_at(row: int, columns: Indexes) -> list[str]:
        asked.append(row)
        return ["ab"[column] for column in columns]

    scores = np.array([1, 2, 1, 1, 2, 1], dtype=np.float32)
    places = first_places(scores, np.array([2, 2, 2]), 10, ids_at)
    assert places.tolist() == [[1, 0], [1, 0], [0, 1]]
    assert asked == [1]
