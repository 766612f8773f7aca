"""Which cases went worst: a rule that can be checked by hand."""

from __future__ import annotations

from itertools import permutations

import pytest

from ragproof.metric import Direction, Metric, Range
from ragproof.reports.worst import rank


def metric(
    key: str,
    family: str = "answer",
    direction: Direction = Direction.HIGHER,
    range: Range = Range(),  # noqa: B008 - frozen
) -> Metric:
    """Return a metric that is never computed here."""
    return Metric(key, key, family, lambda evidence: 0.0, direction, range)


METRICS = {
    each.key: each
    for each in (
        metric("good"),
        metric("bad", direction=Direction.LOWER),
        metric("describes", direction=Direction.NONE),
        metric("latency_ms", direction=Direction.LOWER, range=Range(0.0, None)),
        metric("stars", range=Range(1.0, 5.0)),
        metric("recall", "retrieval"),
        metric("precision", "retrieval"),
        metric("mrr", "retrieval"),
        metric("injection", "robustness"),
    )
}


def scores(**values: dict[str, float]) -> list[tuple[str, str, float]]:
    """Return case, metric and value from `case={metric: value}`."""
    return [(case, key, value) for case, found in values.items() for key, value in found.items()]


@pytest.mark.parametrize(
    ("why", "found", "order"),
    [
        ("the lower value is worse", scores(a={"good": 0.9}, b={"good": 0.1}), ["b"]),
        ("for some metrics the higher one is", scores(a={"bad": 0.9}, b={"bad": 0.1}), ["a"]),
        ("a metric that describes ranks nothing", scores(a={"describes": 0.0}, b={"describes": 1.0}), []),
        (
            "a metric without bounds cannot be scaled",
            scores(a={"latency_ms": 9e9}, b={"latency_ms": 0.0}),
            [],
        ),
        ("an unknown metric says nothing", scores(a={"gone": 0.0}, b={"gone": 1.0}), []),
        (
            "another range is scaled to the same: 2 of 1..5 is 0.25, better than 0.2",
            scores(a={"stars": 2.0}, b={"good": 0.2}, c={"stars": 5.0, "good": 1.0}),
            ["b", "a"],
        ),
        ("all cases at the bad end are all bad", scores(a={"good": 0.0}, b={"good": 0.0}), ["a", "b"]),
        ("all cases equal and not at the bad end are not", scores(a={"good": 0.4}, b={"good": 0.4}), []),
        (
            "three retrieval metrics do not outvote one injection: a stands at (1+0)/2, b at 2/3",
            scores(
                a={"recall": 1.0, "precision": 1.0, "mrr": 1.0, "injection": 0.0},
                b={"recall": 0.5, "precision": 0.0, "mrr": 0.5, "injection": 1.0},
            ),
            ["a", "b"],
        ),
        (
            "of two that stand alike, the one with more bad values is worse",
            scores(
                a={"recall": 0.0, "mrr": 1.0},
                b={"recall": 0.5, "mrr": 0.5},
                c={"recall": 1.0, "mrr": 1.0},
                d={"recall": 1.0, "mrr": 1.0},
            ),
            ["b", "a"],
        ),
        ("no scores, no worst", [], []),
    ],
)
def test_cases_are_ordered_from_the_worst(
    why: str, found: list[tuple[str, str, float]], order: list[str]
) -> None:
    """The rule of the module, a sentence a row."""
    assert [case for case, _ in rank(found, METRICS, 20)] == order, why


def test_bad_scores_are_told_with_the_worst_first() -> None:
    """0 of 0..1 is worse than 0.9 of a metric where lower is better, which is 0.1."""
    found = scores(a={"bad": 0.9, "good": 0.0}, b={"bad": 0.0, "good": 1.0})
    ((case, bad),) = rank(found, METRICS, 20)
    assert case == "a"
    assert [(each.metric, each.value, each.direction) for each in bad] == [
        ("good", 0.0, Direction.HIGHER),
        ("bad", 0.9, Direction.LOWER),
    ]


def test_a_value_at_the_run_s_mean_is_not_bad() -> None:
    """Only what is worse than the mean, or at the end of the range, is shown."""
    found = scores(a={"good": 0.2}, b={"good": 0.5}, c={"good": 0.8})
    assert [case for case, _ in rank(found, METRICS, 20)] == ["a"]


def test_trials_of_a_case_count_as_their_mean() -> None:
    """0.0 and 1.0 are 0.5, better than 0.4."""
    trials = [("a", "good", 0.0), ("a", "good", 1.0)]
    ((case, _),) = rank([*trials, *scores(b={"good": 0.4})], METRICS, 20)
    assert case == "b"


def test_what_has_no_number_is_not_held_against_a_case() -> None:
    """A skipped metric is neither good nor bad: with it, a would stand lower than b."""
    found = scores(a={"good": 0.2}, b={"good": 0.3, "injection": 0.0}, c={"good": 1.0, "injection": 1.0})
    assert [case for case, _ in rank(found, METRICS, 20)] == ["b", "a"]


def test_no_more_than_the_limit_are_listed() -> None:
    """The worst of them."""
    found = scores(**{f"q{n}": {"good": n / 10} for n in range(10)})
    assert [case for case, _ in rank(found, METRICS, 2)] == ["q0", "q1"]
    assert rank(found, METRICS, 0) == ()


def test_the_order_of_the_scores_changes_nothing() -> None:
    """The store may return them as it likes."""
    found = scores(a={"good": 0.1, "recall": 0.0}, b={"good": 0.1, "recall": 0.0})
    assert len({rank(order, METRICS, 20) for order in permutations(found)}) == 1
