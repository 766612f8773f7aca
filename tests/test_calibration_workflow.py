"""The workflow for users' repositories and the page on calibration: what they say can be done."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from typer.main import get_command

from ragproof.cli import doors
from ragproof.cli.calibrate import command
from ragproof.cli.main import OWN, Commands, app
from ragproof.config import environment
from ragproof.judge.calibration.labels import read
from ragproof.judge.calibration.metrics import judged_metrics
from tests.fakes.calibration_judges import Oracle, opening

ROOT = Path(__file__).parents[1]
WORKFLOW = ROOT / "docs" / "ci" / "github-workflow.yml"
PAGE = ROOT / "docs" / "calibration.md"
NOT_BUILT_YET: frozenset[str] = frozenset()
"""Commands that the workflow uses ahead of their issue; one that is built has to leave this list."""


def workflow() -> dict[Any, Any]:
    """Return the workflow; YAML 1.1 reads its key `on` as true."""
    read_as: dict[Any, Any] = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))
    return read_as


def steps() -> Iterator[dict[str, Any]]:
    """Yield every step of every job."""
    for job in workflow()["jobs"].values():
        yield from job["steps"]


def commands(text: str) -> Iterator[list[str]]:
    """Yield the words of each `ragproof` command line in a text, comments left out."""
    for line in re.findall(r"^\s*(?:run: )?ragproof (?!\d)(.*)$", text, re.MULTILINE):
        yield shlex.split(line.split("   #")[0].split(" > ")[0])


def known() -> set[str]:
    """Return the commands there are."""
    return {*OWN, *doors.doors(), "calibrate"}


def options(name: str) -> set[str]:
    """Return the options of a command."""
    if name == "calibrate":
        alone = typer.Typer()
        alone.command(name)(command(opening(Oracle(())), lambda _: None))
        found = get_command(alone)
    else:
        group = get_command(app)
        assert isinstance(group, Commands)
        found = group.get_command(None, name)
    return {option for parameter in found.params for option in parameter.opts}


def test_the_workflow_runs_on_pull_requests_with_no_more_than_reading() -> None:
    """And never with the secrets of the base on the code of a fork."""
    found = workflow()
    assert set(found[True]) == {"pull_request", "workflow_dispatch"}
    assert found["permissions"] == {"contents": "read"}
    for name, job in found["jobs"].items():
        guarded = "fork != true" in job["if"] or job.get("needs") == "changes"
        assert guarded, name
        assert job["timeout-minutes"] <= 60


def test_the_workflow_calibrates_and_gates() -> None:
    """Calibration when what it is about has changed, the gate on each pull request."""
    jobs = workflow()["jobs"]
    assert "needs.changes.outputs.judge" in jobs["calibrate"]["if"]
    used = {name: [words[0] for words in _of(job)] for name, job in jobs.items()}
    assert used == {"changes": [], "calibrate": ["calibrate", "calibrate"], "gate": ["run", "gate"]}


def _of(job: dict[str, Any]) -> list[list[str]]:
    return [words for step in job["steps"] for words in commands(step.get("run", ""))]


@pytest.mark.parametrize("file", [WORKFLOW, PAGE], ids=lambda file: file.name)
def test_every_command_exists_with_its_options(file: Path) -> None:
    """Or is listed as coming."""
    found = list(commands(file.read_text(encoding="utf-8")))
    assert found
    for words in found:
        if words[0] in NOT_BUILT_YET:
            continue
        assert words[0] in known(), words
        given = {word.partition("=")[0] for word in words if word.startswith("--")}
        assert given <= options(words[0]), words


def test_a_command_that_is_built_is_no_longer_listed_as_coming() -> None:
    """So that its options are checked."""
    assert not NOT_BUILT_YET & known()


def test_no_expression_is_pasted_into_a_shell() -> None:
    """What a pull request may choose arrives in variables, where the shell does not read it as code."""
    assert not [step for step in steps() if "${{" in step.get("run", "")]


def test_variables_of_the_workflow_are_settings() -> None:
    """One that begins with RAGPROOF_ and means nothing would end every command."""
    names = re.findall(r"^\s+(RAGPROOF_\w+): ", WORKFLOW.read_text(encoding="utf-8"), re.MULTILINE)
    assert "RAGPROOF_JUDGE_API_KEY" in names
    assert environment.read(dict.fromkeys(names, "5"))[1] == []


def code(language: str) -> str:
    """Return the one block of a language on the page."""
    found = re.search(rf"(?ms)^```{language}\n(.*?)^```$", PAGE.read_text(encoding="utf-8"))
    assert found is not None
    return found[1]


def test_the_row_on_the_page_is_one(tmp_path: Path) -> None:
    """It can be read as it stands."""
    path = tmp_path / "audit.jsonl"
    path.write_text(code("json"), encoding="utf-8")
    (found,) = read(path, judged_metrics())
    assert found.labels["generation.groundedness"].scores == (1, 1, 0.5)


GROUNDED, COMPLETE = "generation.groundedness", "generation.completeness"
CONVERTED: list[tuple[str, str, dict[str, Any], dict[str, list[float]]]] = [
    # why, data set, what its row has, labels
    (
        "one to four, several annotators",
        "mtrag-human-eval",
        {"reference": "so", "labels": {"faithfulness": [4, 1, 3], "completeness": [4], "naturalness": [4]}},
        {GROUNDED: [1, 0, 2 / 3], COMPLETE: [1]},
    ),
    ("words for three", "wice", {"labels": {"support": ["partially_supported"]}}, {GROUNDED: [0.5]}),
    ("words for two", "begin-wow", {"labels": {"attribution": ["Fully attributable"]}}, {GROUNDED: [1]}),
    (
        "no context is no ground, and no reference is nothing to be complete by",
        "mtrag-human-eval",
        {"contexts": [], "labels": {"faithfulness": [4], "completeness": [4]}},
        {},
    ),
    ("a preference between two answers", "elsewhere", {"labels": {"completeness": [-2, 0]}}, {}),
]


@pytest.mark.parametrize(("why", "source", "row", "labels"), CONVERTED, ids=[row[0] for row in CONVERTED])
def test_the_conversion_on_the_page_works(
    tmp_path: Path, why: str, source: str, row: dict[str, Any], labels: dict[str, list[float]]
) -> None:
    """Run as it stands; what it makes can be read."""
    page: dict[str, Any] = {"__name__": "page"}
    exec(compile(code("python"), PAGE.name, "exec"), page)
    whole = {
        "id": "r1",
        "question": None,
        "contexts": [{"id": "x", "text": "c"}, {"id": "x", "text": "d"}],
        "answer": "so",
        "reference": None,
        "source": source,
        **row,
    }
    made = page["converted"](whole)
    assert made["labels"] == labels
    if labels:
        path = tmp_path / "audit.jsonl"
        path.write_text(json.dumps(made) + "\n", encoding="utf-8")
        assert read(path, judged_metrics())[0].scored_by == source
