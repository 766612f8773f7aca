"""What runs cost beside their quality, and which of them nobody beats in everything."""

from __future__ import annotations

import pytest

from ragproof.comparing.scored_run import ScoredRun
from ragproof.leaderboards.expenses import COST, LATENCY, expenses
from ragproof.leaderboards.front import Point, front
from ragproof.runs import Spend
from tests.fakes.scored_runs import ERROR, NONE, Cell, scored_run

OPEN = (0.0, None)


def run(costs: list[Cell], latencies: list[Cell], **fields: object) -> ScoredRun:
    """A run that reports what its cases cost and took."""
    return scored_run({COST: costs, LATENCY: latencies}, span=OPEN, **fields)  # type: ignore[arg-type]


def test_cost_and_latency_are_of_the_pipeline_a_case() -> None:
    """A mean for dollars, nearest ranks for milliseconds."""
    found = expenses([run([0.1, 0.3, 0.2, 0.2], [40.0, 10.0, 30.0, 20.0])])[0]
    assert (found.usd_a_case, found.p50_ms, found.p95_ms) == (pytest.approx(0.2), 20.0, 40.0)


def test_a_run_that_failed_on_the_slow_cases_does_not_look_fast() -> None:
    """Both are over the cases that both have."""
    slow, lucky = expenses(
        [run([0.1, 0.1, 0.1], [10.0, 20.0, 900.0]), run([0.1, 0.1, 0.9], [10.0, 20.0, ERROR])]
    )
    assert (slow.p95_ms, lucky.p95_ms) == (20.0, 20.0)


def test_what_is_not_known_is_none_and_shortens_nobody_elses() -> None:
    """A run without prices has no cost, and is not 0; the others keep all their cases."""
    known, unknown = expenses([run([0.1, 0.3], [10.0, 10.0]), scored_run({"m": [1.0, 1.0]})])
    assert known.usd_a_case == pytest.approx(0.2)
    assert (unknown.usd_a_case, unknown.p50_ms, unknown.p95_ms) == (None, None, None)
    assert expenses([run([NONE], [NONE])])[0].usd_a_case is None


def test_the_judges_cost_is_told_apart() -> None:
    """Of a run without one there is none to tell; of one without a price it is not known."""
    spend = Spend(eval_cost_usd=None, eval_llm_calls=7)
    found = expenses([run([0.1], [1.0]), run([0.1], [1.0], spend=spend, fields={"judge": {"model": "m"}})])
    assert [(each.judged, each.judge_calls, each.judge_usd) for each in found] == [
        (False, 0, 0.0),
        (True, 7, None),
    ]


@pytest.mark.parametrize(
    ("why", "points", "expected"),
    [
        ("no run, no front", [], ()),
        ("one run is it", [(0.5, -1.0)], (True,)),
        ("worse in all is off it", [(0.5, -1.0), (0.4, -2.0)], (True, False)),
        ("worse in quality and cheaper is on it", [(0.5, -2.0), (0.4, -1.0)], (True, True)),
        ("as good and dearer is off it", [(0.5, -1.0), (0.5, -2.0)], (True, False)),
        ("equal in all are both on it", [(0.5, -1.0), (0.5, -1.0)], (True, True)),
        ("faster in a third respect is on it", [(0.5, -1.0, -9.0), (0.4, -2.0, -1.0)], (True, True)),
        ("an unknown price is not 0: it saves nobody", [(0.5, -1.0, -9.0), (0.4, None, -9.0)], (True, False)),
        ("and costs nobody", [(0.5, -1.0, -9.0), (0.4, None, -1.0)], (True, True)),
        ("and beats nobody", [(0.4, -1.0), (0.5, None)], (False, True)),
        ("where only quality is known, the best alone", [(0.5, None), (0.4, None)], (True, False)),
    ],
)
def test_the_front_is_what_nobody_beats_in_everything(
    why: str, points: list[Point], expected: tuple[bool, ...]
) -> None:
    """More is better in every respect; None is not known."""
    assert front(points) == expected, why
