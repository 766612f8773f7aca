"""Sweeps: every combination once, one budget over all, and none of it lost to a kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ragproof.store.opening import open_store
from tests.fakes.judge_server import judging
from tests.fakes.obliging_judge import ObligingJudge
from tests.fakes.prefect_server import PrefectServer

CASES = 6
MORE_THAN_ONE_CALL_SETS_ASIDE_USD = 0.005
"""A call is reserved at a token a byte, about 0.004 here, and then costs 0.0002; a cell costs 0.002."""
PIPELINE = """
import time


class Pipeline:
    def __init__(self, loud=False, slow=0.0, log=None):
        self.loud, self.slow, self.log = loud, slow, log

    def answer(self, question, k=5):
        if self.log:
            with open(self.log, "a") as file:
                file.write(f"{self.loud} {question}\\n")
        time.sleep(self.slow)
        said = question.upper() if self.loud else question
        return {"answer": said, "retrieved": [{"id": "d1", "text": question}]}
"""
CONFIG = """
project: swept
dataset: cases.jsonl
pipeline: {name: base, adapter: {type: python, target: "tunable:Pipeline"}}
metrics: [echo.exact_match, generation.answer_relevance]
"""
SWEEP = """
config: evaluation.yaml
factors:
  voice:
    pipeline.adapter.options.loud: [false, true]
  pace:
    quick: {pipeline.adapter.options.slow: 0}
    slow: {pipeline.adapter.options.slow: 0.01}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A configuration, its cases, and a sweep of two factors with two levels each."""
    lines = [
        json.dumps({"id": f"c{n}", "question": f"q{n}", "expected_answers": [f"q{n}"]}) for n in range(CASES)
    ]
    (tmp_path / "cases.jsonl").write_text("\n".join(lines))
    (tmp_path / "tunable.py").write_text(PIPELINE)
    (tmp_path / "evaluation.yaml").write_text(CONFIG)
    (tmp_path / "grid.yaml").write_text(SWEEP)
    return tmp_path


def start(folder: Path, prefect: PrefectServer, *words: str, **environment: str) -> subprocess.Popen[str]:
    """Start `ragproof sweep --json`."""
    return subprocess.Popen(
        [sys.executable, "-m", "ragproof", "sweep", "grid.yaml", *words, "--json"],
        cwd=folder,
        env=prefect.environment(**environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str]) -> tuple[int, dict[str, Any], str]:
    """Wait for a sweep's end, and read what it printed."""
    out, err = process.communicate(timeout=180)
    return process.returncode, json.loads(out) if out else {}, err


def test_cells_share_verdicts_and_one_budget(folder: Path, prefect_server: PrefectServer) -> None:
    """Two cells with the same answers are judged once; with too small a cap the sweep ends and says so."""
    judge = ObligingJudge()
    with judging(judge) as server:
        told = {
            "RAGPROOF_JUDGE_MAX_TOKENS": "50",
            "RAGPROOF_JUDGE_CONCURRENCY": "1",
            "RAGPROOF_JUDGE_MODEL": "m",
            "RAGPROOF_JUDGE_BASE_URL": server.base_url,
            "RAGPROOF_JUDGE_INPUT_COST_PER_MTOK": "1",
            "RAGPROOF_JUDGE_OUTPUT_COST_PER_MTOK": "4",
        }
        code, sweep, err = finish(start(folder, prefect_server, **told))
        assert code == 0, err
        assert [cell["factors"] for cell in sweep["cells"]] == [
            {"voice": voice, "pace": pace} for voice in ("false", "true") for pace in ("quick", "slow")
        ]
        assert "cell 3 of 4: voice=true, pace=quick" in err
        assert set(judge.questions.values()) == {1}  # pace changes no answer, so its cells ask nothing new
        paid = [cell["eval_cost_usd"] for cell in sweep["cells"]]
        assert paid[0] > 0
        assert paid[2] > 0
        assert (paid[1], paid[3]) == (0, 0)
        cap = paid[0] + MORE_THAN_ONE_CALL_SETS_ASIDE_USD
        (folder / "grid.yaml").write_text(f"max_cost_usd: {cap}\n{SWEEP}")
        code, capped, err = finish(start(folder, prefect_server, "--no-cache", **told))
    assert code == 2
    statuses = [cell["status"] for cell in capped["cells"]]
    assert statuses[0] == "completed"
    assert "aborted:budget" in statuses
    assert statuses[-1] is None, "no cell is begun once the budget is spent"
    assert sum(cell["eval_cost_usd"] or 0 for cell in capped["cells"]) <= cap


def test_a_killed_sweep_goes_on_where_it_was(folder: Path, prefect_server: PrefectServer) -> None:
    """What a completed cell asked is not asked again; a change of its meaning is refused."""
    log = folder / "asked.log"
    slow = ("--set", f"pipeline.adapter.options.log={log}", "--set", "run.concurrency=1")
    (folder / "grid.yaml").write_text(SWEEP.replace("slow: 0.01", "slow: 0.3"))
    process = start(folder, prefect_server, *slow)
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and (not log.exists() or len(log.read_text().splitlines()) < CASES + 2):
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    with open_store(f"sqlite:///{folder}/.ragproof/ragproof.db") as store:
        assert {run.status.value for run in store.runs.list()} <= {"completed", "interrupted", "running"}
    code, sweep, err = finish(start(folder, prefect_server, *slow, "--resume", "latest"))
    assert code == 0, err
    assert "voice=false, pace=quick (kept)" in err
    asked = Counter(log.read_text().splitlines())
    assert sum(asked.values()) <= 4 * CASES + 1, "only the call under way may have been made twice"
    assert {cell["status"] for cell in sweep["cells"]} == {"completed"}
    code, _, err = finish(start(folder, prefect_server, *slow, "--resume", "latest", "--set", "run.k=9"))
    assert code == 3
    assert "run.k" in err or "k was" in err
