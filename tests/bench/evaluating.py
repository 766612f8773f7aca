"""What an evaluation costs a case: a whole run with an instant pipeline on a running Prefect server.

Start and end (imports, the flow's own bookkeeping) are measured by a run of one case and taken off: the
figures a case say what one more case costs.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from tests.fakes.prefect_server import PrefectServer, prefect_serving

SIZES = (100, 1_000, 10_000)
REPEATS = 3
PIPELINE = """
def answer(question, k=5):
    return {"answer": "It is 42. [1]", "retrieved": [{"id": "d1", "text": "It is 42."}], "citations": ["d1"]}
"""
CONFIG = """
project: bench
dataset: cases.jsonl
pipeline: {name: instant, adapter: {type: python, target: "instant:answer"}}
"""


@dataclass(frozen=True)
class Cost:
    """One whole process."""

    wall_s: float
    cpu_s: float
    peak_mib: float


def measure() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        (folder / "instant.py").write_text(PIPELINE)
        (folder / "evaluation.yaml").write_text(CONFIG)
        with prefect_serving(folder) as server:
            _run(folder, server, 1)  # warm-up: the store's schema, compiled files
            base = _median(folder, server, 1)
            print("an evaluation with an instant pipeline, on a running Prefect server, client side")
            print(f"start and end: {base.wall_s:.2f} s wall, {base.cpu_s:.2f} s CPU, {base.peak_mib:.0f} MiB")
            print(f"{'cases':>7} {'wall ms/case':>13} {'CPU ms/case':>12} {'peak MiB':>9}")
            for cases in SIZES:
                cost = _median(folder, server, cases)
                wall = 1000 * (cost.wall_s - base.wall_s) / cases
                cpu = 1000 * (cost.cpu_s - base.cpu_s) / cases
                print(f"{cases:>7,} {wall:>13.2f} {cpu:>12.2f} {cost.peak_mib:>9.0f}", flush=True)


def _median(folder: Path, server: PrefectServer, cases: int) -> Cost:
    costs = [_run(folder, server, cases) for _ in range(REPEATS)]
    return Cost(
        statistics.median(cost.wall_s for cost in costs),
        statistics.median(cost.cpu_s for cost in costs),
        statistics.median(cost.peak_mib for cost in costs),
    )


def _run(folder: Path, server: PrefectServer, cases: int) -> Cost:
    lines = (
        json.dumps(
            {"id": f"c{n}", "question": f"What is {n}?", "expected_answers": ["42"], "relevance": {"d1": 1}}
        )
        for n in range(cases)
    )
    (folder / "cases.jsonl").write_text("\n".join(lines))
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "ragproof", "run", "evaluation.yaml", "--json", "--no-cache"],
        cwd=folder,
        env=server.environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"the run ended with {process.returncode}")
    return Cost(time.perf_counter() - started, used.ru_utime + used.ru_stime, _mib(used))


def _mib(used: resource.struct_rusage) -> float:
    return used.ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)
