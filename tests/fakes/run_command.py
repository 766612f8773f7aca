"""`ragproof run` as a process that can be killed, and what it says."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from ragproof.store.opening import open_store
from ragproof.store.store import Store
from tests.fakes.prefect_server import PrefectServer


class Runs:
    """The command in a folder, as a process that can be killed."""

    def __init__(
        self, folder: Path, prefect: PrefectServer, cases: int, environment: Mapping[str, str] | None = None
    ) -> None:
        self.folder = folder
        self._environment = {**prefect.environment(), **(environment or {})}
        lines = [
            json.dumps({"id": f"c{n}", "question": f"q{n}", "expected_answers": [f"q{n}"]})
            for n in range(cases)
        ]
        (folder / "cases.jsonl").write_text("\n".join(lines))

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Start `ragproof run --json`."""
        return subprocess.Popen(
            [sys.executable, "-m", "ragproof", "run", *words, "--json"],
            cwd=self.folder,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def finish(self, *words: str) -> tuple[int, str, str]:
        """Run it to its end."""
        process = self.start(*words)
        out, err = process.communicate(timeout=180)
        return process.returncode, out, err

    def store(self) -> Store:
        """Open its store."""
        default = f"sqlite:///{self.folder}/.ragproof/ragproof.db"
        return open_store(self._environment.get("RAGPROOF_STORE_URL") or default)


def run_id_of(err: str) -> str:
    """Read the run's id, which is printed first."""
    found = re.match(r"run (\w+)", err)
    assert found, err
    return found[1]
