"""The operator's page does not lag behind: its commands exist, and every kind of trouble is on it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from ragproof.cli.main import app
from ragproof.outputs import FailureKind
from ragproof.runs import RunStatus

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE = (DOCS / "operations.md").read_text(encoding="utf-8")
CONFIGURATION = (DOCS / "configuration.md").read_text(encoding="utf-8")
COMMANDS = sorted(
    {
        line.split("#")[0].strip()
        for line in [
            *re.findall(r"`(ragproof [^`]+)`", PAGE),
            *re.findall(r"^\$ (ragproof .+)$", PAGE, re.MULTILINE),
        ]
    }
)
KEYS = sorted(set(re.findall(r"(?:run|publish|judge|budget|pipeline\.adapter)\.[a-z_]+", PAGE)))
NOT_OF_PIPELINES = {RunStatus.STOPPED_EARLY}
"""How runs end that a gate stops."""
NEVER_KEPT = {FailureKind.INTERRUPTED}
"""A call that was in flight is uncertain, and asked again."""


def test_the_page_has_commands() -> None:
    """Or the tests below would look at nothing."""
    assert len(COMMANDS) > 10


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_of_the_page_exists(line: str) -> None:
    """With the options it is shown with."""
    command: Any = get_command(app)
    words = iter(line.split()[1:])
    for word in words:
        found = command.get_command(None, word) if hasattr(command, "get_command") else None
        if found is not None:
            command = found
        elif word.startswith("--"):
            known = {name for parameter in command.params for name in parameter.opts}
            assert word in known, line
    assert not hasattr(command, "get_command"), f"'{line}' names no command"


@pytest.mark.parametrize(
    "key", sorted(set(re.findall(r"(?:run|publish|judge|budget|pipeline\.adapter)\.[a-z_]+", PAGE)))
)
def test_every_key_of_the_page_is_a_key_of_the_configuration(key: str) -> None:
    """As its own page spells it."""
    assert f"| `{key}` |" in CONFIGURATION or f"| `{key}." in CONFIGURATION


@pytest.mark.parametrize("status", sorted(set(RunStatus) - NOT_OF_PIPELINES - {RunStatus.RUNNING}))
def test_every_way_a_run_may_end_is_on_the_page(status: RunStatus) -> None:
    """A person searches the page for the word that is on the screen."""
    assert f"`{status.value}`" in PAGE or status is RunStatus.COMPLETED


@pytest.mark.parametrize("kind", sorted(set(FailureKind) - NEVER_KEPT))
def test_every_kind_of_failure_is_on_the_page(kind: FailureKind) -> None:
    """With what to do about it."""
    assert f"`{kind.value}`" in PAGE
