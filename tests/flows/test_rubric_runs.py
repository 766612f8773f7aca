"""A run with a rubric: its questions go the way of every judged metric, and an estimate finds them again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.fakes.judge_server import Asked, judging
from tests.fakes.obliging_judge import ObligingJudge
from tests.fakes.prefect_server import PrefectServer
from tests.fakes.run_command import Runs

CASES = 3
CONFIG = """
project: rubrics
dataset: cases.jsonl
pipeline: {{name: instant, adapter: {{type: python, target: "courteous:answer"}}}}
metrics: [rubric:courtesy, generation.answer_relevance]
judge: {{model: m, base_url: "{url}", input_cost_per_mtok: 1, output_cost_per_mtok: 4}}
"""
RUBRIC = """
question: Is the answer courteous?
reads: [answer]
verdicts:
  courteous: {value: 1, when: it says please}
  curt: {value: 0.5, when: it says only what was asked}
  rude: {value: 0, when: it mocks}
"""


def rubric_reply(asked: Asked) -> dict[str, Any] | None:
    """Rate an answer in the middle; everything else is asked of the obliging judge."""
    return {"reason": "it is short", "rating": 1} if "Is the answer courteous?" in asked.system else None


def test_a_rubric_is_judged_kept_and_told(tmp_path: Path, prefect_server: PrefectServer) -> None:
    """Its values are averaged, its prompt is recorded, and each question is paid for once."""
    judge = ObligingJudge(before=rubric_reply)
    with judging(judge) as server:
        runs = Runs(tmp_path, prefect_server, CASES)
        (tmp_path / "courteous.py").write_text("def answer(question):\n    return f'It is {question}.'\n")
        (tmp_path / "rubrics").mkdir()
        (tmp_path / "rubrics" / "courtesy.yaml").write_text(RUBRIC)
        (tmp_path / "evaluation.yaml").write_text(CONFIG.format(url=server.base_url))
        code, out, err = runs.finish("evaluation.yaml")
        assert code == 0, err
        assert f"judge: {3 * CASES} calls to m (0 judged before), " in err
        report = json.loads(out)
        assert report["metrics"]["rubric:courtesy"]["mean"] == 0.5
        calls = server.calls
        assert calls == 3 * CASES

        environment = {name: text for name, text in os.environ.items() if name != "RAGPROOF_STORE_URL"}
        done = subprocess.run(
            [sys.executable, "-m", "ragproof", "estimate", "evaluation.yaml", "--json"],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert json.loads(done.stdout)["judged_before"] == {"calls": 3 * CASES, "share": 1.0}
        assert json.loads(done.stdout)["cost_usd"] == {"low": 0.0, "high": 0.0}
        assert server.calls == calls
    with runs.store() as store:
        run = store.runs.get(report["run_id"])
        (score,) = store.scores.get(run.id, "c1", "rubric:courtesy")
    assert score.details["verdict"] == "curt"
    judged = run.comparability["judge"]
    assert isinstance(judged, dict)
    assert judged["rubrics"] == {"rubric:courtesy": {"courteous": 1.0, "curt": 0.5, "rude": 0.0}}
    assert isinstance(judged["prompts"], dict)
    assert len(str(judged["prompts"]["rubric:courtesy"])) == 64
