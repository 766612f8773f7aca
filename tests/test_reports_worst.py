"""Which cases went worst: a rule that can be checked by hand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import permutations
from statistics import fmean
from weakref import WeakSet

import pytest

from ragproof.metric import Direction, Metric, Range
from ragproof.reports.worst import BadScore, rank


def metric(
    key: str,
    family: str = "answer",
    direction: Direction = Direction.HIGHER,
    range: Range = Range(),  # noqa: B008 - frozen
) -> Metric:
    """Return a metric that is never computed here."""
    return Metric(key, key, family, lambda evidence: 0.0, direction=direction, range=range)


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


Cases = list[tuple[str, list[tuple[str, float]]]]


def scores(**values: dict[str, float]) -> Cases:
    """Return cases with their values from `case={metric: value}`."""
    return [(case, [*found.items()]) for case, found in values.items()]


def ranked(cases: Cases, limit: int = 20) -> tuple[tuple[str, tuple[BadScore, ...]], ...]:
    """Rank cases against the means that a run of them has: a case's trials count as one."""
    found: dict[str, list[float]] = defaultdict(list)
    for _, values in cases:
        for key in dict.fromkeys(key for key, _ in values):
            found[key].append(fmean(value for each, value in values if each == key))
    return rank(cases, METRICS, {key: fmean(each) for key, each in found.items()}, limit)


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
def test_cases_are_ordered_from_the_worst(why: str, found: Cases, order: list[str]) -> None:
    """The rule of the module, a sentence a row."""
    assert [case for case, _ in ranked(found)] == order, why


def test_bad_scores_are_told_with_the_worst_first() -> None:
    """0 of 0..1 is worse than 0.9 of a metric where lower is better, which is 0.1."""
    found = scores(a={"bad": 0.9, "good": 0.0}, b={"bad": 0.0, "good": 1.0})
    ((case, bad),) = ranked(found)
    assert case == "a"
    assert [(each.metric, each.value, each.direction) for each in bad] == [
        ("good", 0.0, Direction.HIGHER),
        ("bad", 0.9, Direction.LOWER),
    ]


def test_a_value_at_the_run_s_mean_is_not_bad() -> None:
    """Only what is worse than the mean, or at the end of the range, is shown."""
    found = scores(a={"good": 0.2}, b={"good": 0.5}, c={"good": 0.8})
    assert [case for case, _ in ranked(found)] == ["a"]


def test_trials_of_a_case_count_as_their_mean() -> None:
    """0.0 and 1.0 are 0.5, better than 0.4."""
    trials = ("a", [("good", 0.0), ("good", 1.0)])
    ((case, _),) = ranked([trials, *scores(b={"good": 0.4})])
    assert case == "b"


def test_what_has_no_number_is_not_held_against_a_case() -> None:
    """A skipped metric is neither good nor bad: with it, a would stand lower than b."""
    found = scores(a={"good": 0.2}, b={"good": 0.3, "injection": 0.0}, c={"good": 1.0, "injection": 1.0})
    assert [case for case, _ in ranked(found)] == ["b", "a"]


def test_no_more_than_the_limit_are_listed() -> None:
    """The worst of them."""
    found = scores(**{f"q{n}": {"good": n / 10} for n in range(10)})
    assert [case for case, _ in ranked(found, 2)] == ["q0", "q1"]
    assert ranked(found, 0) == ()


def test_the_order_of_the_scores_changes_nothing() -> None:
    """The store may return them as it likes, cases and values alike."""
    found = scores(a={"good": 0.1, "recall": 0.0}, b={"good": 0.1, "recall": 0.0})
    backwards = [(case, values[::-1]) for case, values in found]
    assert len({ranked(order) for each in (found, backwards) for order in map(list, permutations(each))}) == 1


def test_a_metric_without_a_mean_is_bad_at_its_bad_end_alone() -> None:
    """A run that was never summarised has no means to be worse than."""
    found = scores(a={"good": 0.0}, b={"good": 0.1}, c={"good": 0.9})
    assert [case for case, _ in rank(found, METRICS, {}, 20)] == ["a"]


def test_of_cases_that_are_not_listed_nothing_is_kept() -> None:
    """A run of any length is ranked in the memory of the cases it lists."""
    alive: WeakSet[Watched] = WeakSet()

    class Watched(list[tuple[str, float]]):
        """Values that can be watched."""

        __hash__ = object.__hash__  # type: ignore[assignment]

    def cases() -> Iterator[tuple[str, list[tuple[str, float]]]]:
        for n in range(500):
            values = Watched([("good", n / 1000)])
            alive.add(values)
            assert len(alive) < 10
            yield f"q{n}", values

    assert [case for case, _ in rank(cases(), METRICS, {"good": 1.0}, 2)] == ["q0", "q1"]
