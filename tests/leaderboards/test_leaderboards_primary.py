"""The metric that runs are ranked by."""

from __future__ import annotations

import pytest

from ragproof.comparing.scored_run import ScoredRun
from ragproof.errors import ConfigurationError
from ragproof.leaderboards.primary import meant, primary
from ragproof.metric import Direction
from tests.fakes.scored_runs import ERROR, scored_run

LOWER, NONE = {"m": Direction.LOWER}, {"m": Direction.NONE}


@pytest.mark.parametrize(
    ("why", "runs", "expected"),
    [
        ("the first that is better when higher", [scored_run({"m": [1.0], "n": [0.0]})], "m"),
        ("not one that is better when lower", [scored_run({"m": [1.0], "n": [0.0]}, directions=LOWER)], "n"),
        ("unless there is no other", [scored_run({"m": [1.0]}, directions=LOWER)], "m"),
        ("never one that ranks nothing", [scored_run({"m": [1.0]}, directions=NONE)], None),
        ("all must have measured it", [scored_run({"m": [1.0], "n": [0.0]}), scored_run({"n": [0.0]})], "n"),
        (
            "and scored a case",
            [scored_run({"m": [1.0], "n": [0.0]}), scored_run({"m": [ERROR], "n": [0.0]})],
            "n",
        ),
        ("nothing in common, nothing to rank by", [scored_run({"m": [1.0]}), scored_run({"n": [0.0]})], None),
        (
            "a configuration that names its metrics says which comes first",
            [scored_run({"m": [1.0], "n": [0.0]}, config={"metrics": ["n", "m"]})],
            "n",
        ),
        (
            "in any spelling",
            [scored_run({"token_f1": [1.0], "ndcg@10": [0.0]}, config={"metrics": ["nDCG@10", "token_f1"]})],
            "ndcg@10",
        ),
        (
            "the latest run's",
            [
                scored_run({"m": [1.0], "n": [0.0]}, config={"metrics": ["n"]}),
                scored_run({"m": [1.0], "n": [0.0]}, config={"metrics": ["m"]}),
            ],
            "m",
        ),
    ],
)
def test_the_primary_metric_is_chosen_before_its_values_are_seen(
    why: str, runs: list[ScoredRun], expected: str | None
) -> None:
    """By direction, order and coverage alone."""
    assert primary(runs) == expected, why


@pytest.mark.parametrize(
    ("why", "name", "measured", "expected"),
    [
        ("a key", "m", ["m"], "m"),
        ("another spelling of one", "RR@10", ["mrr@10"], "mrr@10"),
        ("a metric of one's own", "shop:score", ["shop:score"], "shop:score"),
    ],
)
def test_a_metric_is_meant_by_any_of_its_names(
    why: str, name: str, measured: list[str], expected: str
) -> None:
    """Among those that were measured."""
    assert meant(name, measured) == expected, why


@pytest.mark.parametrize(
    ("why", "name", "measured", "expected"),
    [
        ("one that nobody measured, with the nearest", "token_f2", ["token_f1"], "did you mean 'token_f1'?"),
        ("a number of the whole run", "p95_latency_ms", ["latency_ms"], "such as 'latency_ms'"),
        ("one that describes", "judged@10", ["judged@10"], "ranks nothing"),
    ],
)
def test_a_metric_that_cannot_rank_is_refused(
    why: str, name: str, measured: list[str], expected: str
) -> None:
    """With the cure."""
    with pytest.raises(ConfigurationError) as caught:
        meant(name, measured)
    assert expected in str(caught.value), why
