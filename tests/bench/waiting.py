"""How close a crowd of slow calls comes to its ideal: 640 calls of 200 ms, 64 at a time, take 2 s at best.

The pipeline is synchronous and sleeps, so that each call holds a thread. The calls' own time is read from
the ledger, from the first that was sent to the last that ended; what the rest of the run takes (scoring,
start and end) stands beside it.
"""

from __future__ import annotations

import sqlite3
import statistics
import tempfile
from contextlib import closing
from datetime import datetime
from pathlib import Path

from tests.bench.evaluating import REPEATS, with_prefect, write_cases
from tests.fakes.prefect_server import prefect_serving

CALLS = 640
CALL_SECONDS = 0.2
CONCURRENCY = 64
PIPELINE = f"""
import time

def answer(question, k=5):
    time.sleep({CALL_SECONDS})
    return {{"answer": "It is 42. [1]", "retrieved": [{{"id": "d1", "text": "It is 42."}}]}}
"""
CONFIG = f"""
project: bench
dataset: cases.jsonl
pipeline: {{name: slow, adapter: {{type: python, target: "slow:answer"}}}}
run: {{concurrency: {CONCURRENCY}}}
"""


def measure() -> None:
    """Print the ratio to the ideal."""
    ideal = CALLS * CALL_SECONDS / CONCURRENCY
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        (folder / "slow.py").write_text(PIPELINE)
        (folder / "evaluation.yaml").write_text(CONFIG)
        with prefect_serving(folder) as server:
            write_cases(folder, 1)
            base = [with_prefect(folder, server).wall_s for _ in range(REPEATS)]
            write_cases(folder, CALLS)
            runs = [(with_prefect(folder, server).wall_s, _calls_seconds(folder)) for _ in range(REPEATS)]
    calls = statistics.median(seconds for _, seconds in runs)
    whole = statistics.median(seconds for seconds, _ in runs) - statistics.median(base) + CALL_SECONDS
    print(
        f"{CALLS} calls of {1000 * CALL_SECONDS:.0f} ms, {CONCURRENCY} at a time; the ideal is {ideal:.1f} s"
    )
    print(f"the calls: {calls:.2f} s, {calls / ideal:.2f} of the ideal")
    print(f"the run without its start and end: {whole:.2f} s, {whole / ideal:.2f} of the ideal")


def _calls_seconds(folder: Path) -> float:
    """Return how long the latest run's calls took together."""
    query = (
        "SELECT min(sent_at), max(ended_at) FROM call"
        " WHERE run_id = (SELECT id FROM run ORDER BY started_at DESC LIMIT 1)"
    )
    with closing(sqlite3.connect(folder / ".ragproof" / "ragproof.db")) as store:
        first, last = map(datetime.fromisoformat, store.execute(query).fetchone())
    return (last - first).total_seconds()
