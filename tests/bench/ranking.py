"""Speed and memory of ranking evaluation, beside its peers: `python -m tests.bench.ranking`.

Peers are measured where they are installed (`pip install pytrec-eval-terrier ir-measures ranx`), all in one
process, turn by turn, on the same rankings of 100 documents with 20 judgments a query. Everything from
dictionaries or files to one value a query and measure is counted; compiling and importing are not.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import importlib.util
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import psutil

from ragproof.metrics.retrieval import evaluate

DOCUMENTS = 100
JUDGED = 20
K = 10
ROUNDS = 7
PATIENCE_SECONDS = 20.0
"""A tool that takes longer for one round is measured once."""
SIZES = (1_000, 10_000)

Qrels = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]
Task = Callable[[], object]


class Cost(NamedTuple):
    """What one evaluation took."""

    cpu_seconds: float
    wall_seconds: float


def rankings(queries: int, seed: int = 1) -> tuple[Qrels, Run]:
    """Return judgments and a run in descending order of score, as a retriever gives it."""
    draw = random.Random(seed)
    qrels: Qrels = {}
    run: Run = {}
    for number in range(queries):
        documents = [f"d{each}" for each in draw.sample(range(1_000_000), DOCUMENTS + JUDGED // 2)]
        judged = [*draw.sample(documents[:DOCUMENTS], JUDGED // 2), *documents[DOCUMENTS:]]
        qrels[f"q{number}"] = {document: draw.choice((0, 0, 1, 1, 2, 3)) for document in judged}
        scores = sorted((draw.uniform(0, 30) for _ in range(DOCUMENTS)), reverse=True)
        run[f"q{number}"] = {
            document: float(f"{score:.6f}") for document, score in zip(documents, scores, strict=False)
        }
    return qrels, run


def write(qrels: Qrels, run: Run, folder: Path) -> tuple[Path, Path]:
    """Write them as TREC files."""
    paths = folder / "bench.qrels", folder / "bench.run"
    with paths[0].open("w", encoding="utf-8") as file:
        for query, gains in qrels.items():
            file.writelines(f"{query} 0 {document} {gain}\n" for document, gain in gains.items())
    with paths[1].open("w", encoding="utf-8") as file:
        for query, scores in run.items():
            ranked = enumerate(scores.items(), start=1)
            file.writelines(
                f"{query} Q0 {document} {rank} {score} tag\n" for rank, (document, score) in ranked
            )
    return paths


def ours(qrels: Qrels, run: Run, files: tuple[Path, Path]) -> dict[str, Task]:
    """All nine measures and the judged share."""
    return {"dictionaries": lambda: evaluate(qrels, run, K), "files": lambda: evaluate(*files, K)}


def pytrec_eval(qrels: Qrels, run: Run, files: tuple[Path, Path]) -> dict[str, Task]:
    """The seven of them that trec_eval has."""
    tool: Any = importlib.import_module("pytrec_eval")
    at_k = {f"{name}.{K}" for name in ("ndcg_cut", "P", "recall", "map_cut", "success")}

    def from_dictionaries(judged: Qrels, ranked: Run) -> object:
        return tool.RelevanceEvaluator(judged, {*at_k, "recip_rank", "Rprec"}).evaluate(ranked)

    def from_files() -> object:
        with files[0].open(encoding="utf-8") as judged, files[1].open(encoding="utf-8") as ranked:
            return from_dictionaries(tool.parse_qrel(judged), tool.parse_run(ranked))

    return {"dictionaries": lambda: from_dictionaries(qrels, run), "files": from_files}


def ir_measures(qrels: Qrels, run: Run, files: tuple[Path, Path]) -> dict[str, Task]:
    """The same seven."""
    tool: Any = importlib.import_module("ir_measures")
    names = [*(f"{name}@{K}" for name in ("nDCG", "P", "R", "AP", "RR", "Success")), "Rprec"]
    measures = [tool.parse_measure(name) for name in names]

    def from_files() -> object:
        judged, ranked = (str(path) for path in files)
        return list(tool.iter_calc(measures, tool.read_trec_qrels(judged), tool.read_trec_run(ranked)))

    return {"dictionaries": lambda: list(tool.iter_calc(measures, qrels, run)), "files": from_files}


def ranx(qrels: Qrels, run: Run, files: tuple[Path, Path]) -> dict[str, Task]:
    """The same seven, compiled before they are measured."""
    tool: Any = importlib.import_module("ranx")
    names = [
        *(f"{name}@{K}" for name in ("ndcg", "precision", "recall", "map", "mrr", "hit_rate")),
        "r-precision",
    ]

    def scored(judged: object, ranked: object) -> object:
        return tool.evaluate(judged, ranked, names, return_mean=False)

    def from_files() -> object:
        judged, ranked = (str(path) for path in files)
        return scored(tool.Qrels.from_file(judged, kind="trec"), tool.Run.from_file(ranked, kind="trec"))

    return {"dictionaries": lambda: scored(tool.Qrels(qrels), tool.Run(run)), "files": from_files}


TOOLS = (ours, pytrec_eval, ir_measures, ranx)


def installed() -> tuple[Callable[..., dict[str, Task]], ...]:
    """Return the tools that are there, ours first."""
    return tuple(tool for tool in TOOLS if tool is ours or importlib.util.find_spec(tool.__name__))


def turn_by_turn(tasks: dict[str, Task]) -> dict[str, list[Cost]]:
    """Measure each task once a round, so that a busy machine is busy for all of them."""
    costs: dict[str, list[Cost]] = {name: [] for name in tasks}
    for task in tasks.values():
        task()  # whatever is compiled is compiled now
    for _ in range(ROUNDS):
        for name, task in tasks.items():
            if costs[name] and costs[name][0].wall_seconds > PATIENCE_SECONDS:
                continue
            gc.collect()
            cpu, wall = time.process_time(), time.perf_counter()
            task()
            costs[name].append(Cost(time.process_time() - cpu, time.perf_counter() - wall))
    return costs


def compare(queries: int) -> None:
    """Print what one query costs with each tool, and how many times ours."""
    qrels, run = rankings(queries)
    with tempfile.TemporaryDirectory() as folder:
        files = write(qrels, run, Path(folder))
        by_tool = {tool.__name__: tool(qrels, run, files) for tool in installed()}
        for source in ("dictionaries", "files"):
            costs = turn_by_turn({name: tasks[source] for name, tasks in by_tool.items()})
            print(f"{queries:,} queries x {DOCUMENTS} documents from {source}, microseconds a query:")
            best = median(costs["ours"])
            for name, found in costs.items():
                cost = median(found)
                cpu, wall = (seconds / queries * 1e6 for seconds in cost)
                times = [f"{theirs / own:6.1f} x" for theirs, own in zip(cost, best, strict=True)]
                print(f"  {name:12} {cpu:8.1f} CPU {wall:8.1f} wall {' '.join(times)}  ({len(found)} rounds)")
        peak = subprocess.run(
            [sys.executable, "-m", __spec__.name, "--peak", *map(str, files)],
            capture_output=True,
            text=True,
            check=True,
        )
        print(f"  peak memory from files: {peak.stdout.strip()}\n")


def median(costs: list[Cost]) -> Cost:
    """Return the median of each column."""
    return Cost(*(statistics.median(column) for column in zip(*costs, strict=True)))


def peak(qrels: Path, run: Path) -> None:
    """Print by how much the memory of this process rises, beside what the input's columns would take."""
    process = psutil.Process()
    with tempfile.TemporaryDirectory() as folder:
        evaluate(*write(*rankings(10), Path(folder)))
    before = process.memory_info().rss
    highest, done = before, threading.Event()

    def watch() -> None:
        nonlocal highest
        while not done.wait(0.001):
            highest = max(highest, process.memory_info().rss)

    watcher = threading.Thread(target=watch)
    watcher.start()
    evaluate(qrels, run)
    done.set()
    watcher.join()
    # Polars holds a text as 16 bytes, and longer ones elsewhere too; ids are short here. A value has 8.
    with qrels.open("rb") as judged, run.open("rb") as ranked:
        columns = (sum(1 for _ in judged) + sum(1 for _ in ranked)) * (16 + 16 + 8)
    rise = highest - before
    print(f"{rise / 1e6:.0f} MB, {rise / columns:.2f} of the {columns / 1e6:.0f} MB of the input's columns")


def measure(sizes: tuple[int, ...] = SIZES) -> None:
    """Compare at every size."""
    for queries in sizes:
        compare(queries)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peak", nargs=2, type=Path, metavar=("QRELS", "RUN"))
    parser.add_argument("queries", nargs="*", type=int, default=SIZES)
    asked = parser.parse_args()
    if asked.peak:
        peak(*asked.peak)
    else:
        measure(tuple(asked.queries))


if __name__ == "__main__":
    main()
