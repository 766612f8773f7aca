"""Which runs enter a leaderboard."""

from __future__ import annotations

from datetime import timedelta

import pytest
from pydantic import JsonValue

from ragproof.leaderboards.entrants import entrants
from ragproof.leaderboards.sweep_cells import factors_of, is_of_group
from ragproof.runs import CALIBRATION, RunRecord, RunStatus
from tests.fakes.scored_runs import AT


def run(
    name: str, pipeline: str = "bm25", at: int = 0, project: str = "p", dataset: str = "d", **fields: object
) -> RunRecord:
    """A completed run that started `at` minutes."""
    whole: dict[str, object] = {
        "id": name,
        "project": project,
        "pipeline": pipeline,
        "status": RunStatus.COMPLETED,
        "dataset_hash": dataset,
        "started_at": AT + timedelta(minutes=at),
    }
    return RunRecord.model_validate({**whole, **fields})


def cell(factors: dict[str, str], name: str = "grid", id: str = "s1") -> dict[str, JsonValue]:
    """What a sweep writes into the configuration of one of its runs."""
    return {"cell": {"sweep": id, "sweep_name": name, "factors": dict(factors), "max_cost_usd": None}}


@pytest.mark.parametrize(
    ("why", "runs", "asked", "expected"),
    [
        ("nothing enters where nothing is", [], {}, []),
        ("of a variant the latest run", [run("new", at=2), run("old", at=1)], {}, ["new"]),
        ("each variant has one", [run("a"), run("b", "dense", at=1)], {}, ["a", "b"]),
        ("all when asked for, in order of start", [run("b", at=2), run("a")], {"latest": False}, ["a", "b"]),
        (
            "the latest completed one: a failed one has no rank",
            [run("good"), run("bad", at=1, status=RunStatus.FAILED_PIPELINE)],
            {},
            ["good"],
        ),
        (
            "one that stopped early has no mean to rank by",
            [run("stopped", status=RunStatus.STOPPED_EARLY)],
            {},
            [],
        ),
        (
            "a variant is ranked on each dataset that it ran on",
            [run("a", dataset="d1"), run("b", dataset="d2", at=1)],
            {},
            ["a", "b"],
        ),
        ("one dataset's", [run("a"), run("b", dataset="e")], {"dataset_hash": "e"}, ["b"]),
        ("one project's", [run("a"), run("b", project="q")], {"project": "q"}, ["b"]),
        ("no calibration, which is no pipeline", [run("a", project=CALIBRATION)], {}, []),
        ("unless it is asked for", [run("a", project=CALIBRATION)], {"project": CALIBRATION}, ["a"]),
        ("a label is a group", [run("a", label="x"), run("b", "dense")], {"group": "x"}, ["a"]),
        ("and so is a sweep by its name", [run("a", config=cell({"k": "1"}))], {"group": "grid"}, ["a"]),
        ("or by its id", [run("a", config=cell({"k": "1"}))], {"group": "s1"}, ["a"]),
        ("another group's runs stay out", [run("a", config=cell({"k": "1"}))], {"group": "s2"}, []),
        (
            "cells of one pipeline are variants of their own",
            [run("a", config=cell({"k": "1"})), run("b", config=cell({"k": "2"}), at=1)],
            {},
            ["a", "b"],
        ),
    ],
)
def test_the_latest_completed_run_of_each_variant_enters(
    why: str, runs: list[RunRecord], asked: dict[str, str], expected: list[str]
) -> None:
    """In order of start, whatever order they come in."""
    assert [each.id for each in entrants(runs, **asked).runs] == expected, why  # type: ignore[arg-type]


def test_what_is_passed_over_is_counted() -> None:
    """Runs that did not complete by status, the most frequent first, and earlier runs of a variant."""
    failed = [run(f"f{n}", status=RunStatus.FAILED_JUDGE) for n in range(2)]
    found = entrants([run("a"), run("b", at=1), run("c", status=RunStatus.CANCELLED), *failed])
    assert found.unfinished == {"failed:judge": 2, "cancelled": 1}
    assert found.superseded == 1


@pytest.mark.parametrize(
    ("why", "config", "expected"),
    [
        ("a run of no sweep has no factors", {}, None),
        ("nor one whose configuration says so", {"cell": None}, None),
        ("a sweep's cell has its levels", cell({"reranker": "on"}), {"reranker": "on"}),
        ("a level that was written as a number is its text", {"cell": {"factors": {"k": 5}}}, {"k": "5"}),
        ("what is no mapping is no factor", {"cell": {"factors": ["k"]}}, None),
        ("nor is a cell that is none", {"cell": "x"}, None),
    ],
)
def test_factors_are_read_from_the_cell(
    why: str, config: dict[str, JsonValue], expected: dict[str, str] | None
) -> None:
    """And from nowhere else."""
    found = factors_of(run("a", config=config))
    assert (found if found is None else dict(found)) == expected, why
    assert not is_of_group(run("a", config=config), "elsewhere")
