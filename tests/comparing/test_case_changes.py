"""Which cases got worse and which better: shares of the range, averaged within families, then over them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import nan

import pytest

from ragproof.comparing.case_changes import CaseChanges, case_changes
from ragproof.comparing.metric_roles import family_of
from ragproof.comparing.paired_scores import paired_scores
from ragproof.comparing.pairing import pair
from ragproof.metric import Direction
from ragproof.scores import BUDGET_EXHAUSTED
from ragproof.summarising import NOT_REACHED
from tests.fakes.scored_runs import ERROR, Cell, scored_run

FAMILIES = {"r1": "retrieval", "r2": "retrieval", "a": "answer"}


def changes(before: Mapping[str, list[Cell]], after: Mapping[str, list[Cell]], **run: object) -> CaseChanges:
    """Compare two runs case by case."""
    both = pair(scored_run(before, **run), scored_run(after, **run))  # type: ignore[arg-type]
    scores = [paired_scores(both, key) for key in both.metrics]
    return case_changes(scores, lambda key: FAMILIES.get(key, key))


@pytest.mark.parametrize(
    ("why", "before", "after", "change"),
    [
        ("one metric is its own difference", {"a": [1.0]}, {"a": [0.75]}, -0.25),
        (
            "a family counts once",
            {"r1": [1.0], "r2": [0.5], "a": [0.0]},
            {"r1": [0.5], "r2": [0.5], "a": [1.0]},
            ((-0.5 + 0.0) / 2 + 1.0) / 2,
        ),
        ("a metric without a pair is left out", {"r1": [1.0], "a": [None]}, {"r1": [0.5], "a": [1.0]}, -0.5),
        ("nothing is paired", {"a": [None]}, {"a": [1.0]}, nan),
    ],
)
def test_a_change_is_a_mean_over_families(
    why: str, before: dict[str, list[Cell]], after: dict[str, list[Cell]], change: float
) -> None:
    """A reader can check it by hand."""
    assert changes(before, after).change == pytest.approx([change], nan_ok=True), why


def test_a_difference_is_a_share_of_the_range_and_oriented() -> None:
    """4 of 5 points fewer is better where less is."""
    found = changes(
        {"m": [5.0], "n": [0.5]},
        {"m": [1.0], "n": [0.5]},
        spans={"m": (0.0, 5.0)},
        directions={"m": Direction.LOWER},
    )
    assert found.shares.tolist() == [[4 / 5, 0.0]]


def test_metrics_without_a_range_or_a_direction_do_not_count() -> None:
    """Milliseconds and a share of judged documents are no part of how good a case is."""
    found = changes(
        {"a": [1.0], "latency": [5.0], "judged": [1.0]},
        {"a": [1.0], "latency": [9.0], "judged": [0.0]},
        spans={"latency": (0.0, None)},
        directions={"judged": Direction.NONE, "latency": Direction.LOWER},
    )
    assert found.metrics == ("a",)


def test_a_metric_without_a_range_counts_alone_in_its_own_unit() -> None:
    """It was asked about by name."""
    found = changes({"m": [5.0]}, {"m": [9.0]}, span=(0.0, None), directions={"m": Direction.LOWER})
    assert (found.metrics, found.change.tolist()) == (("m",), [-4.0])


def test_nothing_to_count_changes_nothing() -> None:
    """A run of metrics that describe."""
    found = changes({"m": [1.0]}, {"m": [0.0]}, directions={"m": Direction.NONE})
    assert (found.metrics, found.worse(), found.better()) == ((), [], [])


@pytest.mark.parametrize(
    ("why", "before", "after", "worse", "better"),
    [
        ("it fell", {"a": [1.0]}, {"a": [0.9]}, True, False),
        ("it rose", {"a": [0.9]}, {"a": [1.0]}, False, True),
        ("it is as it was", {"a": [1.0]}, {"a": [1.0]}, False, False),
        ("rounding is no change", {"a": [0.3 - 0.1]}, {"a": [0.2]}, False, False),
        (
            "one metric fell by more than half, and the other rose more",
            {"r1": [1.0], "a": [0.0]},
            {"r1": [0.4], "a": [1.0]},
            True,
            False,
        ),
        (
            "one fell by half, and the other rose more",
            {"r1": [1.0], "a": [0.0]},
            {"r1": [0.5], "a": [1.0]},
            False,
            True,
        ),
        ("a score was lost", {"a": [1.0]}, {"a": [ERROR]}, True, False),
        (
            "a score was lost beside one that rose",
            {"r1": [0.0], "a": [1.0]},
            {"r1": [1.0], "a": [ERROR]},
            True,
            False,
        ),
        ("a score was gained", {"a": [ERROR]}, {"a": [1.0]}, False, True),
        ("both erred", {"a": [ERROR]}, {"a": [ERROR]}, False, False),
        ("the metric has nothing to say any more", {"a": [1.0]}, {"a": [None]}, False, False),
    ],
)
def test_a_case_got_worse_or_better_or_neither(
    why: str, before: dict[str, list[Cell]], after: dict[str, list[Cell]], worse: bool, better: bool
) -> None:
    """Never both."""
    found = changes(before, after)
    assert (found.worse() == [0], found.better() == [0]) == (worse, better), why


@pytest.mark.parametrize("reason", [NOT_REACHED.reason, BUDGET_EXHAUSTED.reason])
def test_a_case_that_nobody_asked_did_not_get_worse(reason: str) -> None:
    """A run that was stopped early left it, and nothing broke."""
    first, second = scored_run({"a": [1.0, 1.0]}), scored_run({"a": [1.0, ERROR]})
    unasked = replace(second, scores={"a": replace(second.scores["a"], reasons=(None, reason))})
    found = case_changes([paired_scores(pair(first, unasked), "a")], family_of)
    assert found.worse() == []


def test_the_worst_come_first_then_the_lost() -> None:
    """And the best of the better; of equals the first in the dataset."""
    found = changes({"a": [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.5]}, {"a": [0.5, ERROR, 0.0, 0.5, 0.5, 1.0, 0.5]})
    assert found.worse() == [2, 0, 3, 1]
    assert found.better() == [5, 4]


@pytest.mark.parametrize(
    ("key", "family"),
    [("ndcg@7", "retrieval"), ("rouge_l", "answer"), ("own:metric", "user"), ("rubric:tone", "user")],
)
def test_a_metric_s_family_is_the_catalogue_s(key: str, family: str) -> None:
    """At any cutoff; one that is not known is people's own."""
    assert family_of(key) == family
