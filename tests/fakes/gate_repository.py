"""A repository as CI checks it out: a configuration with rules, exported runs, and a store when asked for."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from ragproof.cases import Case
from ragproof.catalogue import choose
from ragproof.comparing.run_file import run_file
from ragproof.comparing.scored_run import ScoredRun
from ragproof.outputs import CaseFailure, FailureKind, PipelineOutput
from ragproof.store.opening import open_store
from tests.command_line import Done, ragproof
from tests.fakes.configs import BASE, write
from tests.fakes.kept_runs import STARTED, keep_run
from tests.fakes.scored_runs import scored_run

MRR, STORED = "retrieval.mrr", "exact_match"
"""What the exported runs measured, and those of the store."""
N = 200
RULES = "gate:\n  rules:\n"
CASES = [Case(id=f"c{number}", question=f"{number}?", expected_answers=("yes",)) for number in range(40)]


def grades(level: float, seed: int) -> list[float]:
    """Values around a level."""
    return np.clip(np.random.default_rng(seed).normal(level, 0.1, N), 0.0, 1.0).tolist()


class Repository:
    """A folder with a configuration, exported runs, and no store anywhere."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self.capsys = folder, capsys
        self.save("baseline", scored_run({MRR: grades(0.7, 1)}, id="a" * 12))
        self.save("same", scored_run({MRR: grades(0.7, 5)}, id="b" * 12))
        self.save("worse", scored_run({MRR: grades(0.5, 5)}, id="c" * 12))

    def save(self, name: str, run: ScoredRun) -> None:
        """Put a run's file into the folder."""
        (self.folder / f"{name}.json").write_text(run_file(run), encoding="utf-8")

    def gate(self, rules: str, *words: str, head: str = "") -> Done:
        """Gate by some rules, a line each."""
        lines = "".join(f"    - {rule}\n" for rule in rules.splitlines())
        config = write(self.folder, f"{BASE}{head}{RULES}{lines}")
        return ragproof(self.capsys, "gate", str(config), *words)

    def keep(self, id: str, right: int, hour: int, *, failed: int = 0, pipeline: str = "baseline") -> None:
        """Keep a run in the store whose first answers are right, and whose last calls fail."""
        outcomes = [
            CaseFailure(case_id=case.id, kind=FailureKind.TIMEOUT, message="late")
            if place >= len(CASES) - failed
            else PipelineOutput(case_id=case.id, answer="yes" if place < right else "no", latency_ms=1.0)
            for place, case in enumerate(CASES)
        ]
        with open_store(self.store_url) as store:
            keep_run(
                store,
                CASES,
                outcomes,
                run_id=id,
                metrics=choose([STORED]),
                started_at=STARTED + timedelta(hours=hour),
                pipeline=pipeline,
            )

    @property
    def store_url(self) -> str:
        """Where its store is, once a run is kept."""
        return f"sqlite:///{self.folder}/store.db"
