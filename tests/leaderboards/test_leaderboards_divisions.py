"""Which runs may be ranked together."""

from __future__ import annotations

from datetime import timedelta

import pytest

from ragproof.comparing.scored_run import ScoredRun
from ragproof.leaderboards.divisions import CASES, divide
from tests.fakes.scored_runs import AT, scored_run

JUDGE = {"model": "m", "base_url": "b"}


def run(name: str, at: int = 0, cases: int = 10, served: tuple[str, ...] = (), **fields: object) -> ScoredRun:
    """A run that started `at` minutes."""
    meaning = fields.pop("meaning", {})
    return scored_run(
        {"m": [1.0] * cases},
        id=name,
        fields=meaning,  # type: ignore[arg-type]
        served=served,
        started_at=AT + timedelta(minutes=at),
        **{"dataset_hash": "d", **fields},  # type: ignore[arg-type]
    )


def ids(runs: list[ScoredRun], *, mixed: bool = False) -> list[list[str]]:
    """The divisions by id."""
    return [[run.record.id for run in each.runs] for each in divide(runs, allow_mixed_judges=mixed)]


@pytest.mark.parametrize(
    ("why", "runs", "expected"),
    [
        ("no run, no division", [], []),
        ("comparable runs are one", [run("a"), run("b", 1)], [["a", "b"]]),
        (
            "another meaning is another, and the most runs come first",
            [run("a", meaning={"k": 3}), run("b", 1), run("c", 2)],
            [["b", "c"], ["a"]],
        ),
        ("of as many, the latest come first", [run("a"), run("b", 1, meaning={"k": 3})], [["b"], ["a"]]),
        ("another dataset", [run("a"), run("b", 1, dataset_hash="e")], [["b"], ["a"]]),
        ("another project", [run("a"), run("b", 1, project="q")], [["b"], ["a"]]),
        (
            "the dataset of the latest run comes first, however few runs it has",
            [run("a"), run("b"), run("c", 1, dataset_hash="e")],
            [["c"], ["a", "b"]],
        ),
        (
            "a metric that one run alone measured holds nobody apart",
            [run("a"), run("b", meaning={"metrics": {"m": 1, "n": 1}})],
            [["a", "b"]],
        ),
        (
            "another version of one metric does",
            [run("a", meaning={"metrics": {"m": 1}}), run("b", 1, meaning={"metrics": {"m": 2}})],
            [["b"], ["a"]],
        ),
        (
            "the judge's model is the one that served",
            [
                run("a", meaning={"judge": JUDGE}, served=("x",)),
                run("b", 1, meaning={"judge": JUDGE}, served=("y",)),
            ],
            [["b"], ["a"]],
        ),
        ("at 0.8 of the cases they are together", [run("a", cases=10), run("b", 1, cases=8)], [["a", "b"]]),
        (
            "a run of few cases would cut all others down to its own",
            [run("a", cases=10), run("b", 1, cases=7)],
            [["b"], ["a"]],
        ),
    ],
)
def test_a_division_holds_what_can_be_held_against_each_other(
    why: str, runs: list[ScoredRun], expected: list[list[str]]
) -> None:
    """Greedy in order of start."""
    assert ids(runs) == expected, why


def test_every_member_is_comparable_with_every_other() -> None:
    """Being comparable is not transitive: b lacks the metric on which a and c disagree."""
    runs = [
        run("a", meaning={"metrics": {"m": 1, "n": 1}}),
        run("b", 1),
        run("c", 2, meaning={"metrics": {"m": 1, "n": 2}}),
    ]
    assert ids(runs) == [["a", "b"], ["c"]]


def test_what_splits_divisions_is_told_with_both_values() -> None:
    """The first division's value first."""
    first, second = divide([run("a"), run("b"), run("c", 2, meaning={"k": 3})])
    assert first.apart == ()
    assert [(each.field, each.first, each.second) for each in second.apart] == [("k", "5", "3")]
    _, few = divide([run("a"), run("b"), run("c", 1, cases=2)])
    assert [(each.field, each.first, each.second) for each in few.apart] == [(CASES, "10", "2")]


def test_the_judge_alone_may_be_let_differ() -> None:
    """What was lifted is told; k still holds apart."""
    runs = [
        run("a", meaning={"judge": JUDGE}),
        run("b", 1, meaning={"judge": {**JUDGE, "model": "other"}}),
        run("c", 2, meaning={"judge": JUDGE, "k": 3}),
    ]
    assert ids(runs) == [["c"], ["b"], ["a"]]
    assert ids(runs, mixed=True) == [["a", "b"], ["c"]]
    found = divide(runs, allow_mixed_judges=True)[0]
    assert [(each.field, each.first, each.second) for each in found.lifted] == [
        ("judge.model", '"m"', '"other"')
    ]
