"""A run that stops at a sure regression: cases in random order, and no mean presented as an estimate."""

from __future__ import annotations

import json
from pathlib import Path

from tests.fakes.prefect_server import PrefectServer
from tests.fakes.run_command import Runs, run_id_of

CASES = 200
PIPELINE = """
def good(question, k=5):
    return {"answer": question, "retrieved": [{"id": "d1", "text": question}]}


def bad(question, k=5):
    return {"answer": "something else", "retrieved": [{"id": "d1", "text": question}]}


def broken(question, k=5):
    raise RuntimeError("the model is away")
"""
CONFIG = """
project: stopping
dataset: cases.jsonl
pipeline: {name: good, adapter: {type: python, target: "answers:good"}}
run: {shard_size: 10}
metrics: [echo.exact_match]
"""
STOPPING = "early_stop={baseline: best, metric: echo.exact_match, max_drop: 0.2, seed: 3}"


def test_a_run_stops_when_a_regression_is_sure(tmp_path: Path, prefect_server: PrefectServer) -> None:
    """The same variant goes through; a worse one stops, with exit code 1; an outage does not."""
    runs = Runs(tmp_path, prefect_server, CASES)
    (tmp_path / "answers.py").write_text(PIPELINE)
    (tmp_path / "evaluation.yaml").write_text(CONFIG)
    code, _, err = runs.finish("evaluation.yaml", "--label", "best")
    assert code == 0, err
    code, out, err = runs.finish("evaluation.yaml", "--set", STOPPING)
    assert code == 0, err
    assert json.loads(out)["metrics"]["echo.exact_match"]["mean"] == 1.0

    code, out, err = runs.finish(
        "evaluation.yaml", "--set", STOPPING, "--set", "pipeline.adapter.target=answers:bad"
    )
    told = json.loads(out)
    assert (code, told["status"]) == (1, "stopped:early"), err
    assert f"of {CASES} cases, in random order, show that echo.exact_match dropped" in told["status_reason"]
    assert 0 < told["cases"]["ok"] < CASES
    metric = told["metrics"]["echo.exact_match"]
    assert (metric["mean"], metric["lowest_mean"], metric["p50"]) == (None, None, None)
    assert metric["scored"] == told["cases"]["ok"]
    assert metric["skipped"] == CASES - told["cases"]["ok"]
    with runs.store() as store:
        asked = {*store.calls.outcomes(run_id_of(err))}
    assert asked != {f"c{n}" for n in range(len(asked))}, "the first cases of the file are no random sample"

    code, out, err = runs.finish(
        "evaluation.yaml", "--set", STOPPING, "--set", "pipeline.adapter.target=answers:broken"
    )
    assert (code, json.loads(out)["status"]) == (2, "failed:pipeline"), err
    code, _, err = runs.finish("evaluation.yaml", "--set", STOPPING.replace("best", "worst"))
    assert code == 2
    assert "no run is called 'worst'" in err
