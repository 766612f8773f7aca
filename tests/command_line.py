"""The command line in this process: arguments in, exit code and both streams out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from ragproof.cli.main import run


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What stdout holds, which must be JSON and nothing else."""

        def refuse(constant: str) -> None:
            raise AssertionError(f"{constant} is not JSON")

        return json.loads(self.out, parse_constant=refuse)


def ragproof(capsys: pytest.CaptureFixture[str], *arguments: str) -> Done:
    """Run a command as a pipe would see it."""
    capsys.readouterr()
    code = run(arguments)
    streams = capsys.readouterr()
    return Done(code, streams.out, streams.err)
