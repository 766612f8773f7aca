"""What `ragproof compare` takes: two runs of 5,000 cases and 20 metrics, from the store to the page."""

from __future__ import annotations

import os
import random
import tempfile
from pathlib import Path

from ragproof.cases import Case
from ragproof.catalogue import choose
from ragproof.outputs import Chunk, PipelineOutput
from ragproof.store.opening import open_store
from tests.bench.processes import median, run
from tests.fakes.kept_runs import keep_run

CASES = 5_000
REPEATS = 5
LIMIT_CPU_S = 3.0
METRICS = (
    *("retrieval.mrr", "retrieval.ndcg_at_k", "retrieval.precision_at_k", "retrieval.recall_at_k"),
    *("ndcg@10", "precision@10", "recall@10", "f1@10", "mrr@10", "map@10", "hit_rate@10", "r_precision@10"),
    *("complete_recall@10", "generation.citation_validity", "contains_answer", "rouge_l", "token_f1"),
    *("exact_match", "robustness.overrefusal", "latency_ms"),
)


def measure() -> None:
    """Print the CPU and wall clock of the command."""
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        url = f"sqlite:///{folder}/store.db"
        write_runs(url)
        environment = {**os.environ, "RAGPROOF_STORE_URL": url}
        command = ["ragproof", "compare", "aaaaaaaaaaaa", "bbbbbbbbbbbb", "--json"]
        cost = median(lambda: run(command, folder, environment), REPEATS)
    print(
        f"compare, {CASES:,} cases x {len(METRICS)} metrics: {cost.cpu_s:.2f} s CPU (limit {LIMIT_CPU_S:g}),"
    )
    print(f"  {cost.wall_s:.2f} s wall, peak {cost.shown_peak} MiB")


def write_runs(url: str) -> None:
    """Keep a baseline and a candidate that misses a few more sources."""
    draw = random.Random(0)
    words = [f"word{number}" for number in range(2_000)]
    texts = {f"d{number}": " ".join(draw.choices(words, k=30)) for number in range(1_000)}
    gold = [draw.choice([*texts]) for _ in range(CASES)]
    cases = [
        Case(
            id=f"c{number}",
            question=" ".join(draw.choices(words, k=8)),
            expected_answers=(" ".join(texts[id].split()[5:9]),),
            relevance={id: 1},
            tags={"language": draw.choice(["en", "de", "ja"]), "topic": draw.choice("abcdef")},
        )
        for number, id in enumerate(gold)
    ]
    found: dict[str, list[str]] = {}
    with open_store(url) as store:
        for run_id, pipeline, changed in (("a" * 12, "baseline", 0.0), ("b" * 12, "reranked", 0.2)):
            outcomes = []
            for case, id in zip(cases, gold, strict=True):
                if case.id not in found or draw.random() < changed:
                    ids = draw.sample([*texts], 5)
                    if draw.random() < 0.8:
                        ids[draw.randrange(5)] = id
                    found[case.id] = list(dict.fromkeys(ids))
                ids = found[case.id]
                outcomes.append(
                    PipelineOutput(
                        case_id=case.id,
                        answer=case.expected_answers[0] if id in ids else "I could not find this.",
                        retrieved=tuple(Chunk(id=each, text=texts[each]) for each in ids),
                        citations=(ids[0],),
                        latency_ms=draw.uniform(50, 60),
                    )
                )
            keep_run(store, cases, outcomes, run_id=run_id, pipeline=pipeline, metrics=choose(METRICS))
