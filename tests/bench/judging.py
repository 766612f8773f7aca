"""What judging takes: 200 cases, five calls each, a judge that takes 200 ms, 64 calls under way at once.

The ideal is the time in which the calls fit into the slots: 1,000 x 0.2 s / 64. What a run of the same cases
without a judge takes is taken off. The judge here is asked over HTTP on this machine and shares its cores.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.fakes.judge_server import judging
from tests.fakes.obliging_judge import ObligingJudge
from tests.fakes.prefect_server import PrefectServer, prefect_serving

CASES, SLOTS, LATENCY_S = 200, 64, 0.2
PIPELINE = """
def answer(question, k=5):
    number = question.rstrip("?").split()[-1]
    text = f"The number is {number}."
    return {"answer": f"{text} [d1]", "retrieved": [{"id": "d1", "text": text}], "citations": ["d1"]}
"""
CONFIG = """
project: bench
dataset: cases.jsonl
pipeline: {{name: instant, adapter: {{type: python, target: "instant:answer"}}}}
metrics: [generation.groundedness, generation.citation_support, generation.answer_relevance,
          generation.completeness, robustness.overrefusal]
judge: {{model: m, base_url: "{url}", concurrency: {slots}, input_cost_per_mtok: 1, output_cost_per_mtok: 1}}
budget: {{max_cost_usd: 1000}}
"""


def measure() -> None:
    """Print the figures."""
    judge = ObligingJudge(latency_s=LATENCY_S)
    with tempfile.TemporaryDirectory() as home, judging(judge) as server:
        folder = Path(home)
        (folder / "instant.py").write_text(PIPELINE)
        (folder / "evaluation.yaml").write_text(CONFIG.format(url=server.base_url, slots=SLOTS))
        lines = (
            {"id": f"c{n}", "question": f"What is {n}?", "expected_answers": [f"{n}"]} for n in range(CASES)
        )
        (folder / "cases.jsonl").write_text("\n".join(map(json.dumps, lines)))
        with prefect_serving(folder) as prefect:
            _run(folder, prefect, "--set", "judge=null")
            without = _run(folder, prefect, "--set", "judge=null")
            took = _run(folder, prefect) - without
            asked = judge.calls
            again = _run(folder, prefect) - without
    ideal = asked * LATENCY_S / SLOTS
    print(f"a judge that takes {LATENCY_S:g} s, {SLOTS} calls under way, {CASES} cases, {asked} calls")
    print(f"ideal {ideal:.2f} s, measured {took:.2f} s: {took / ideal:.2f} of it, start and end taken off")
    print(f"the same run again, every verdict kept: {again:.2f} s, {judge.calls - asked} calls")


def _run(folder: Path, prefect: PrefectServer, *words: str) -> float:
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "ragproof", "run", "evaluation.yaml", "--json", *words],
        cwd=folder,
        env=prefect.environment(),
        check=True,
        capture_output=True,
    )
    return time.perf_counter() - started
