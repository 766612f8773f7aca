"""The sample with a real judge: what it starts, what it passes on, and what it ends with."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ragproof import config as configuration
from ragproof.demo.judge import CALIBRATE, CONFIG, RUN, demonstrate
from ragproof.local_judge.weights import ENGINE, INSTALL, MODEL, WEIGHTS

ROOT = Path(__file__).parents[1]
BASE_URL = "http://127.0.0.1:8135/v1"


@dataclass
class Commands:
    """Commands that end as told, and what they were started with."""

    codes: Mapping[str, int]
    started: list[Sequence[str]] = field(default_factory=list)
    environments: list[Mapping[str, str]] = field(default_factory=list)
    serving: bool = False

    @contextmanager
    def serve(self) -> Iterator[str]:
        """Serve nothing, while the block lasts."""
        self.serving = True
        yield BASE_URL
        self.serving = False

    def call(self, arguments: Sequence[str], environ: Mapping[str, str]) -> int:
        """End as told."""
        assert self.serving
        self.started.append(arguments)
        self.environments.append(environ)
        return self.codes[arguments[0]]


@pytest.mark.parametrize(
    ("why", "run", "calibrate", "expected", "says"),
    [
        ("a poor judge is what it shows", 0, 1, 0, "below the bar, as was to be expected"),
        ("a good one would be a surprise", 0, 0, 0, "reached the bar, which nobody expected"),
        ("a run without a report is a failure", 2, 1, 2, "`ragproof run` ended with exit code 2"),
        ("so is a configuration that is refused", 3, 1, 3, "`ragproof run` ended with exit code 3"),
        ("and a judge that could not be measured", 0, 2, 2, "`ragproof calibrate` ended with exit code 2"),
    ],
)
def test_it_ends_well_when_the_judge_was_measured(
    why: str, run: int, calibrate: int, expected: int, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """However badly the judge did."""
    commands = Commands({"run": run, "calibrate": calibrate})
    assert demonstrate(commands.serve, commands.call, {}) == expected, why
    assert commands.started == ([RUN, CALIBRATE] if run == 0 else [RUN])
    assert not commands.serving
    printed = capsys.readouterr().out
    assert says in printed
    assert printed.startswith("This is a sample")


def test_the_commands_see_the_local_judge_and_no_other() -> None:
    """A paid judge in the environment is neither asked nor shown its key; everything else stays."""
    commands = Commands({"run": 0, "calibrate": 1})
    user = {"PATH": "/bin", "RAGPROOF_JUDGE_API_KEY": "sk-paid", "RAGPROOF_JUDGE_MODEL": "paid"}
    demonstrate(commands.serve, commands.call, user)
    assert commands.environments == [{"PATH": "/bin", "RAGPROOF_JUDGE_BASE_URL": BASE_URL}] * 2


def test_without_its_packages_it_says_what_to_install() -> None:
    """And ends with 3 before anything is run."""
    script = (
        f"import runpy, sys; sys.modules[{ENGINE!r}] = sys.modules[{WEIGHTS!r}] = None\n"
        "runpy.run_module('ragproof.demo.judge', run_name='__main__')"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 3
    assert INSTALL in ended.stderr
    assert "1. Six cases" not in ended.stdout


def test_its_cases_are_six_of_the_demos() -> None:
    """Word for word, but for the tag that says so."""
    folder = ROOT / "config" / "datasets"
    whole, sample = (
        {case["id"]: case for case in map(json.loads, (folder / name).read_text("utf-8").splitlines())}
        for name in ("demo.jsonl", "demo-judge.jsonl")
    )
    assert len(sample) == 6
    for id, case in sample.items():
        assert case["tags"].pop("sample") == "judge"
        assert case == whole[id]


def test_its_configuration_asks_the_local_model_under_a_cap() -> None:
    """On loopback even when it is run by hand, so that no key is ever sent out for a sample."""
    loaded = configuration.load(ROOT / CONFIG, environ={})
    assert loaded.judge is not None
    assert (loaded.judge.model, loaded.judge.base_url) == (MODEL, BASE_URL)
    assert loaded.judge.is_priced
    assert loaded.budget.max_cost_usd is not None
