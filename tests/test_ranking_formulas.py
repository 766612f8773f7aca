"""Ranking formulas of source B: a row for each sentence of their definitions, and the matrix beside them."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.ranking import formulas
from ragproof.ranking.evaluation import Options
from ragproof.ranking.judged import judged
from ragproof.ranking.matrix import UNJUDGED, GainMatrix
from ragproof.ranking.measures import NAMES, Measure

Gains = tuple[int | None, ...]
U = None  # unjudged

NDCG = [
    # why, gains of the ranking, judged gains, k, value
    ("the best order is 1", (3, 2, 1), (1, 2, 3), 3, 1.0),
    ("gains are linear", (1, 3), (3, 1), 2, (1 + 3 / log2(3)) / (3 + 1 / log2(3))),
    ("a gain at rank 3 is divided by log2(4)", (U, 0, 2), (2, 0), 10, (2 / log2(4)) / 2),
    ("the ideal is over all judged documents", (1,), (1, 5), 10, 1 / (5 + 1 / log2(3))),
    ("the ideal is cut at k", (1, U), (1, 1, 1), 2, 1 / (1 + 1 / log2(3))),
    ("nothing below k counts", (U, 1), (1,), 1, 0.0),
    ("a negative gain is 0", (-2, 1), (1, -2), 2, (1 / log2(3)) / 1),
    ("no gain above 0 scores 0", (0, -1), (0, -1), 2, 0.0),
    ("nothing retrieved scores 0", (), (1,), 10, 0.0),
    ("without a cutoff the whole list counts", (U,) * 20 + (1,), (1,), None, 1 / log2(22)),
]


@pytest.mark.parametrize(("why", "gains", "known", "k", "value"), NDCG, ids=lambda each: str(each))
def test_ndcg_is_graded(why: str, gains: Gains, known: tuple[int, ...], k: int | None, value: float) -> None:
    """Each row is one sentence of the definition."""
    assert formulas.ndcg(gains, known, k) == pytest.approx(value, abs=1e-12), why


BINARY = [
    # why, gains, R, k, level, precision, recall, f1, mrr, map, hit rate, R-precision, complete recall
    ("all in front", (1, 1, 0), 2, 4, 1, 2 / 4, 2 / 2, 2 * 2 / 6, 1.0, (1 / 1 + 2 / 2) / 2, 1.0, 2 / 2, 1.0),
    ("the first hit at rank 2", (0, 1), 1, 2, 1, 1 / 2, 1.0, 2 / 3, 1 / 2, 1 / 2, 1.0, 0.0, 1.0),
    ("precision divides by k on short lists", (1,), 1, 5, 1, 1 / 5, 1.0, 2 / 6, 1.0, 1.0, 1.0, 1.0, 1.0),
    ("map divides by R, not by the hits", (1,), 3, 5, 1, 1 / 5, 1 / 3, 2 / 8, 1.0, 1 / 3, 1.0, 1 / 3, 0.0),
    ("nor by k", (1, 1), 5, 2, 1, 2 / 2, 2 / 5, 4 / 7, 1.0, (1 + 1) / 5, 1.0, 2 / 5, 0.0),
    (
        "R-precision looks at R places",
        (0, 1, 1),
        2,
        3,
        1,
        2 / 3,
        1.0,
        4 / 5,
        1 / 2,
        (1 / 2 + 2 / 3) / 2,
        1.0,
        1 / 2,
        1.0,
    ),
    ("and at no more than k of them", (1, 1, 1), 3, 2, 1, 1.0, 2 / 3, 4 / 5, 1.0, 2 / 3, 1.0, 2 / 3, 0.0),
    ("a hit below k counts for nothing", (U, U, 1), 1, 2, 1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    ("unjudged and negative are not relevant", (U, -1), 1, 2, 1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    ("below the level is not relevant", (1, 2), 1, 2, 2, 1 / 2, 1.0, 2 / 3, 1 / 2, 1 / 2, 1.0, 0.0, 1.0),
    ("nothing relevant scores 0", (0, 0), 0, 2, 1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    ("nothing retrieved scores 0", (), 2, 2, 1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
]


@pytest.mark.parametrize(
    (
        "why",
        "gains",
        "relevant",
        "k",
        "level",
        "precision",
        "recall",
        "f1",
        "mrr",
        "ap",
        "hit",
        "rprec",
        "complete",
    ),
    BINARY,
    ids=lambda each: str(each),
)
def test_the_binary_measures_give_the_known_answers(
    why: str,
    gains: Gains,
    relevant: int,
    k: int,
    level: int,
    precision: float,
    recall: float,
    f1: float,
    mrr: float,
    ap: float,
    hit: float,
    rprec: float,
    complete: float,
) -> None:
    """Each row is one sentence of the definitions."""
    given_back = (
        formulas.precision(gains, k, level),
        formulas.recall(gains, relevant, k, level),
        formulas.f1(gains, relevant, k, level),
        formulas.mrr(gains, k, level),
        formulas.average_precision(gains, relevant, k, level),
        formulas.hit_rate(gains, k, level),
        formulas.r_precision(gains, relevant, k, level),
        formulas.complete_recall(gains, relevant, k, level),
    )
    assert given_back == pytest.approx((precision, recall, f1, mrr, ap, hit, rprec, complete), abs=1e-12), why


@pytest.mark.parametrize(
    ("why", "gains", "k", "share"),
    [
        ("judged irrelevant is judged", (0, -1, 1, U), 4, 3 / 4),
        ("the divisor is what was retrieved, up to k", (1, U), 10, 1 / 2),
        ("below k is not looked at", (U, U, 1), 2, 0.0),
        ("of nothing there is no share", (), 10, None),
    ],
)
def test_the_judged_share_is_of_what_was_retrieved(
    why: str, gains: Gains, k: int, share: float | None
) -> None:
    """It describes the labels, and has no value where nothing was retrieved."""
    assert formulas.judged_share(gains, k) == share, why


def test_without_a_cutoff_the_whole_list_counts() -> None:
    """For the measures that trec_eval has without one."""
    gains = (*(U,) * 20, 1)
    assert formulas.mrr(gains) == 1 / 21
    assert formulas.average_precision(gains, 2) == (1 / 21) / 2
    assert formulas.recall(gains, 1) == 1.0
    assert formulas.r_precision((0, 1), 2) == 1 / 2


def plain(measure: Measure, gains: Gains, known: list[int], level: int) -> float | None:
    """Return a measure by its plain formula."""
    relevant, k = sum(gain >= level for gain in known), measure.k
    match measure.name:
        case "ndcg":
            return formulas.ndcg(gains, known, k)
        case "precision":
            return formulas.precision(gains, k or 0, level)
        case "f1":
            return formulas.f1(gains, relevant, k or 0, level)
        case "judged":
            return formulas.judged_share(gains, k)
        case "mrr":
            return formulas.mrr(gains, k, level)
        case "hit_rate":
            return formulas.hit_rate(gains, k, level)
        case "map":
            return formulas.average_precision(gains, relevant, k, level)
        case "recall":
            return formulas.recall(gains, relevant, k, level)
        case "r_precision":
            return formulas.r_precision(gains, relevant, k, level)
        case _:
            return formulas.complete_recall(gains, relevant, k, level)


QUERIES = st.lists(
    st.tuples(
        st.lists(st.none() | st.integers(-2, 4), max_size=30).map(tuple),
        st.lists(st.integers(-2, 4), max_size=10),
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=200, deadline=None)
@given(queries=QUERIES, level=st.integers(1, 3), k=st.integers(1, 40), whole=st.booleans())
def test_the_matrix_gives_what_the_formulas_give(
    queries: list[tuple[Gains, list[int]]], level: int, k: int, whole: bool
) -> None:
    """To the last bit, for one query or several, with and without a cutoff."""
    # What was ranked and judged is among what was judged.
    known = [[*more, *(gain for gain in gains if gain is not None), 0] for gains, more in queries]
    names = [name for name in NAMES if not (whole and name in ("precision", "f1"))]
    measures = tuple(Measure(name, None if whole else k) for name in names)
    options = Options(measures, level)
    depth = max(len(gains) for gains, _ in queries) if whole else k
    rows = [[UNJUDGED if gain is None else gain for gain in gains[:depth]] for gains, _ in queries]
    width = max(map(len, rows))
    matrix = GainMatrix(
        np.array([[*row, *[UNJUDGED] * (width - len(row))] for row in rows], dtype=np.int64).reshape(
            len(rows), width
        ),
        np.array([len(gains) for gains, _ in queries]),
        judged(np.concatenate([np.array(each) for each in known]), np.array(list(map(len, known))), options),
    )
    for measure in measures:
        expected = [
            plain(measure, gains, each, level) for (gains, _), each in zip(queries, known, strict=True)
        ]
        actual = [None if value != value else value for value in matrix.values(measure, level).tolist()]
        assert actual == expected, measure
