"""Runs that ask each case several times: each trial is a call of its own, and what flickers is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ragproof.store.opening import open_store
from tests.fakes.prefect_server import PrefectServer
from tests.fakes.run_command import Runs, run_id_of

PIPELINE = """
from collections import Counter

asked = Counter()


def answer(question, k=5):
    asked[question] += 1
    trial = asked[question]
    shown = "d2" if question == "q1" and trial == 2 else "d1"      # q1: the index flickers
    said = "no idea" if question == "q2" and trial == 2 else question  # q2: the generator does
    if question == "q3" and trial == 2:
        raise RuntimeError("the model is away")                      # q3: one trial fails
    if question == "q1" and trial == 2:
        said = "misled"
    return {"answer": said, "retrieved": [{"id": shown, "text": shown}]}
"""
CONFIG = """
project: repeated
dataset: cases.jsonl
pipeline: {name: flickering, adapter: {type: python, target: "flickering:answer"}}
run: {shard_size: 4, repeats: 3, concurrency: 1, max_error_rate: 0.5}
metrics: [echo.exact_match, latency_ms]
"""


@pytest.fixture
def runs(tmp_path: Path, prefect_server: PrefectServer) -> Runs:
    """Six cases, of which three flicker in their second trial."""
    (tmp_path / "flickering.py").write_text(PIPELINE)
    (tmp_path / "evaluation.yaml").write_text(CONFIG)
    return Runs(tmp_path, prefect_server, 6)


def test_trials_are_kept_apart_and_told_together(runs: Runs) -> None:
    """A case counts once, with the mean of its trials; what flickers is listed with its cause."""
    code, out, err = runs.finish("evaluation.yaml")
    assert code == 0, err
    told = json.loads(out)
    assert told["cases"] == {"total": 6, "ok": 5, "failed": 1}
    metric = told["metrics"]["echo.exact_match"]
    assert metric["scored"] == 6
    assert metric["mean"] == pytest.approx((4 * 1 + 2 * (2 / 3)) / 6)  # q3's two good trials are its mean
    assert (metric["lowest_mean"], metric["highest_mean"]) == pytest.approx(
        ((3 + 3 * (2 / 3)) / 6, metric["mean"])
    )
    assert told["repeats"]["trials"] == 3
    flaky = {case["case_id"]: case["causes"] for case in told["repeats"]["flaky"]}
    assert {case_id: [cause.partition(":")[0] for cause in found] for case_id, found in flaky.items()} == {
        "c1": ["index"],
        "c2": ["generator"],
        "c3": ["pipeline"],
    }
    (spread,) = told["repeats"]["spreads"]
    assert (spread["metric"], spread["flaky"]) == ("echo.exact_match", 3)
    assert spread["var_trial"] == pytest.approx(
        (2 * (2 / 3)) / (5 * 2)
    )  # two cases with 1, 0, 1; q3 is missing
    with runs.store() as store:
        assert sum(store.calls.progress(run_id_of(err)).values()) == 6 * 3
        assert {score.trial for score in store.scores.get(run_id_of(err), "c0")} == {0, 1, 2}


def test_a_resumed_run_asks_no_trial_twice_and_may_not_change_their_number(runs: Runs) -> None:
    """What failed is asked again, once; what was answered is not, in any trial."""
    _, _, err = runs.finish("evaluation.yaml")
    run_id = run_id_of(err)
    code, _, err = runs.finish("evaluation.yaml", "--resume", run_id, "--set", "run.repeats=2")
    assert code == 3
    assert "run.repeats was 3" in err
    code, out, err = runs.finish("evaluation.yaml", "--resume", run_id)
    assert code == 0, err
    assert json.loads(out)["cases"] == {"total": 6, "ok": 6, "failed": 0}
    with open_store(f"sqlite:///{runs.folder}/.ragproof/ragproof.db") as store:
        outcomes = [store.calls.outcomes(run_id, trial=trial) for trial in range(3)]
    assert [len(found) for found in outcomes] == [6, 6, 6]
