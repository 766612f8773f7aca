"""What an evaluation costs a case: a whole run with an instant pipeline on a running Prefect server.

Start and end (imports, the flow's own bookkeeping) are measured by a run of one case and taken off: the
figures a case say what one more case costs. Beside it stand the same steps without Prefect, and without the
ledger either.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.bench.processes import Cost, median, run
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


def measure() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        (folder / "instant.py").write_text(PIPELINE)
        (folder / "evaluation.yaml").write_text(CONFIG)
        with prefect_serving(folder) as server:
            print("an evaluation with an instant pipeline; with Prefect the client's side alone")
            print(f"{'':<26} {'cases':>7} {'wall ms/case':>13} {'CPU ms/case':>12} {'peak MiB':>9}")
            for name, way in ways(folder, server).items():
                _table(name, way, folder)


def ways(folder: Path, server: PrefectServer) -> dict[str, Callable[[], Cost]]:
    """Return the ways to evaluate the folder's cases, by name."""
    return {
        "ledger and Prefect": lambda: with_prefect(folder, server),
        "ledger, without Prefect": lambda: run(["tests.bench.core_path", "store"], folder, os.environ),
        "neither": lambda: run(["tests.bench.core_path", "memory"], folder, os.environ),
    }


def with_prefect(folder: Path, server: PrefectServer) -> Cost:
    """Evaluate the folder's cases as a user does."""
    command = ["ragproof", "run", "evaluation.yaml", "--json", "--no-cache"]
    return run(command, folder, server.environment())


def write_cases(folder: Path, count: int) -> None:
    """Write so many cases, each with a question of its own."""
    (folder / "cases.jsonl").write_text(
        "\n".join(
            json.dumps(
                {
                    "id": f"c{n}",
                    "question": f"What is {n}?",
                    "expected_answers": ["42"],
                    "relevance": {"d1": 1},
                }
            )
            for n in range(count)
        )
    )


def _table(name: str, way: Callable[[], Cost], folder: Path) -> None:
    write_cases(folder, 1)
    way()  # warm-up: the store's schema, compiled files
    base = median(way, REPEATS)
    print(
        f"{name:<26} start and end: {base.wall_s:.2f} s wall, {base.cpu_s:.2f} s CPU, {base.shown_peak} MiB"
    )
    for cases in SIZES:
        write_cases(folder, cases)
        cost = median(way, REPEATS)
        wall = 1000 * (cost.wall_s - base.wall_s) / cases
        cpu = 1000 * (cost.cpu_s - base.cpu_s) / cases
        print(f"{'':<26} {cases:>7,} {wall:>13.2f} {cpu:>12.2f} {cost.shown_peak:>9}", flush=True)
