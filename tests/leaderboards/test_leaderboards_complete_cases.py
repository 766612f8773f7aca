"""The cases that all runs have scored, and what is said of the others."""

from __future__ import annotations

import pytest

from ragproof.comparing.scored_run import Standing
from ragproof.leaderboards.complete_cases import Dropped, complete_cases, oriented_span
from ragproof.leaderboards.shared_cases import documents_of, on_shared_cases
from ragproof.metric import Direction
from tests.fakes.scored_runs import ERROR, NONE, Cell, scored_run

TIMEOUT, DECLINES = "timeout: no answer in time", "the answer declines"


def test_only_cases_that_all_have_scored_are_kept() -> None:
    """Trials are averaged in the case first; the rest is counted by run, standing and reason."""
    runs = [
        scored_run({"m": [1.0, (0.0, 1.0), ERROR, NONE, 0.25]}),
        scored_run({"m": [0.0, 1.0, 1.0, NONE, ERROR]}),
    ]
    found = complete_cases(runs, "m")
    assert found.table.tolist() == [[1.0, 0.0], [0.5, 1.0]]
    assert found.complete.tolist() == [True, True, False, False, False]
    assert found.dropped == (
        Dropped(0, Standing.MISSING, TIMEOUT, 1),
        Dropped(0, Standing.ABSENT, DECLINES, 1),
        Dropped(1, Standing.ABSENT, DECLINES, 1),
        Dropped(1, Standing.MISSING, TIMEOUT, 1),
    )


def test_a_case_with_a_trial_that_erred_has_no_value() -> None:
    """The mean of the trials that are left would be a guess."""
    found = complete_cases([scored_run({"m": [(1.0, ERROR), (1.0, 0.0)]})], "m")
    assert found.table.tolist() == [[0.5]]


@pytest.mark.parametrize(
    ("why", "first", "second", "span", "expected"),
    [
        ("nothing missing needs no bounds", [1.0, 0.0], [1.0, 1.0], (0.0, 1.0), None),
        (
            "a missing value could be either end",
            [1.0, ERROR, 1.0, 0.0],
            [1.0, 1.0, 1.0, 1.0],
            (0.0, 1.0),
            (2 / 4, 3 / 4),
        ),
        ("of any range", [1.0, ERROR], [1.0, 1.0], (-1.0, 3.0), ((1 - 1) / 2, (1 + 3) / 2)),
        ("of an open one it could be anything", [1.0, ERROR], [1.0, 1.0], (0.0, None), None),
        (
            "what another run has nothing to say of is out of play for all",
            [1.0, ERROR, ERROR],
            [1.0, 1.0, NONE],
            (0.0, 1.0),
            (1 / 2, 2 / 2),
        ),
        (
            "what another run lost stays in play",
            [1.0, ERROR, 0.5],
            [1.0, 1.0, ERROR],
            (0.0, 1.0),
            (1.5 / 3, 2.5 / 3),
        ),
    ],
)
def test_missing_values_bound_the_mean(
    why: str,
    first: list[Cell],
    second: list[Cell],
    span: tuple[float | None, float | None],
    expected: tuple[float, float] | None,
) -> None:
    """They are never filled in."""
    runs = [scored_run({"m": values}, span=span) for values in (first, second)]
    found = complete_cases(runs, "m").bounds(0)
    assert found == (expected if expected is None else pytest.approx(expected)), why


def test_a_metric_that_is_better_when_lower_is_turned() -> None:
    """So that more is better, in its range too."""
    run = scored_run({"m": [0.25]}, directions={"m": Direction.LOWER}, span=(0.0, 2.0))
    found = complete_cases([run], "m")
    assert found.table.tolist() == [[0.25]]
    assert found.oriented.tolist() == [[-0.25]]
    assert oriented_span(found.traits) == (-2.0, 0.0)
    open_above = scored_run({"m": [0.25]}, directions={"m": Direction.LOWER}, span=(0.0, None))
    assert oriented_span(complete_cases([open_above], "m").traits) == (None, 0.0)


def test_runs_share_the_cases_of_one_content() -> None:
    """In the order of the first, whatever the order of the second; a case that was changed is neither."""
    first = scored_run({"m": [0.1, 0.2, 0.3]}, cases=("a", "b", "c"), contents={"b": "old b"})
    second = scored_run({"m": [0.6, 0.5, 0.4]}, cases=("c", "b", "a"), contents={"b": "new b"})
    found = on_shared_cases([first, second])
    assert [[case.id for case in run.cases] for run in found] == [["a", "c"], ["a", "c"]]
    assert [run.scores["m"].values().tolist() for run in found] == [[0.1, 0.3], [0.4, 0.6]]


@pytest.mark.parametrize(
    ("why", "groups", "expected"),
    [
        ("no group, no cluster", [None, None], None),
        ("a group of one is none", ["x", "y"], None),
        ("a group that repeats is one, a case without one its own", ["x", None, "x"], [0, 1, 0]),
        ("a group of a case's id is not that case", ["c1", None, "c1"], [0, 1, 0]),
    ],
)
def test_cases_of_a_repeated_group_are_clusters(
    why: str, groups: list[str | None], expected: list[int] | None
) -> None:
    """By where the cluster first stands."""
    found = documents_of(scored_run({"m": [1.0] * len(groups)}, groups=groups).cases)
    places = None if found is None else [found.index(each) for each in found]
    assert places == expected, why
