"""Judgments of six queries with one relevant document each, and runs whose tests can be worked by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import takewhile
from pathlib import Path

import pytest

from tests.command_line import Done, ragproof

QUERIES = [f"q{number}" for number in range(1, 7)]
RUNS = {
    "half.run": [2] * 6,
    "best_1.run": [1] * 6,
    "most & more.run": [1, 1, 1, 1, 1, 4],
}
"""Places of the relevant documents: `mrr` is one over them; against the first, p is 2 and 4 in 64."""


def write_run(path: Path, places: Mapping[str, int]) -> Path:
    """Write a run in which document `d` of each query has a place."""
    lines = [
        f"{query} Q0 {'d' if rank == place else f'x{rank}'} {rank} {10 - rank} t"
        for query, place in places.items()
        for rank in range(1, 5)
    ]
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return path


def write_all(folder: Path) -> Path:
    """Write the judgments and the three runs."""
    (folder / "qrels").write_text("".join(f"{query} 0 d 1\n" for query in QUERIES), encoding="utf-8")
    for name, places in RUNS.items():
        write_run(folder / name, dict(zip(QUERIES, places, strict=True)))
    return folder


def ranking(capsys: pytest.CaptureFixture[str], folder: Path) -> Callable[..., Done]:
    """Return `ragproof rank` on these judgments: names of runs in the folder, then options."""

    def run(*arguments: object) -> Done:
        words = list(map(str, arguments))
        files = list(takewhile(lambda word: not word.startswith("--"), words))
        paths = [str(folder / name) for name in ("qrels", *files)]
        return ragproof(capsys, "rank", *paths, *words[len(files) :])

    return run
