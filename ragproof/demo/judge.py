"""`python -m ragproof.demo.judge`: a sample of the demo, with a real judge that is served on this machine.

What it shows of the protocol, schemas, tokens and costs is real; the judge is too small to be a good one,
and calibration is expected to say so.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import ragproof
from ragproof.cli import screen
from ragproof.cli.doors import checkout
from ragproof.errors import EXIT_GATE, EXIT_OK, ConfigurationError, RagproofError
from ragproof.local_judge.running import local_judge

CONFIG = "config/demo-judge.yaml"
RUN = ("run", CONFIG)
CALIBRATE = ("calibrate", CONFIG, "--limit", "2")
_JUDGE_VARIABLES = "RAGPROOF_JUDGE_"

Serve = Callable[[], AbstractContextManager[str]]
"""Serves a judge while a block lasts, and yields its base URL."""
Call = Callable[[Sequence[str], Mapping[str, str]], int]
"""Runs a `ragproof` command in an environment, and returns its exit code."""


def demonstrate(serve: Serve, call: Call, environ: Mapping[str, str]) -> int:
    """Run six cases with the judge, then hold the judge against labels.

    Args:
        serve: serves the judge.
        call: runs a command.
        environ: what the commands are given, but for variables about another judge.

    Returns:
        0 when the run has its report and the judge was measured, however badly it did; otherwise the exit
        code of the command that failed.

    Raises:
        RagproofError: the judge cannot be served.
    """
    screen.say(
        "This is a sample: one variant, six cases, and two labelled answers a prompt, in under 15 minutes.\n"
        "The judge is SmolLM2-135M, on one core of this machine. Its protocol, schemas, tokens and costs\n"
        "are real (the prices are made up); its verdicts are those of a very small model."
    )
    others = {name: value for name, value in environ.items() if not name.startswith(_JUDGE_VARIABLES)}
    with serve() as base_url:
        judged = {**others, f"{_JUDGE_VARIABLES}BASE_URL": base_url}
        screen.say(f"It listens at {base_url}")
        screen.heading(f"1. Six cases: ragproof {' '.join(RUN)}")
        if (code := call(RUN, judged)) != EXIT_OK:
            return _failed("run", code)
        screen.heading(f"2. Is the judge any good? ragproof {' '.join(CALIBRATE)}")
        if (code := call(CALIBRATE, judged)) not in (EXIT_OK, EXIT_GATE):
            return _failed("calibrate", code)
    screen.say(f"\n{_DONE[code]} A sample of two answers a prompt proves little either way.")
    return EXIT_OK


_DONE = {
    EXIT_OK: "The judge reached the bar, which nobody expected of it.",
    EXIT_GATE: "The judge is below the bar, as was to be expected: no verdict above deserves trust.",
}


def _failed(command: str, code: int) -> int:
    screen.say(f"\n`ragproof {command}` ended with exit code {code}; its own words are above.")
    return code


def _call(arguments: Sequence[str], environ: Mapping[str, str]) -> int:
    root = checkout(Path(ragproof.__file__).parent)
    if root is None:
        raise ConfigurationError("the demo needs the flows, which are not in the wheel; clone the repository")
    sys.stdout.flush()
    return subprocess.run([sys.executable, "-m", "ragproof", *arguments], cwd=root, env=environ).returncode


def main() -> int:
    """Run the demo in this process's environment; return its exit code."""
    try:
        return demonstrate(local_judge, _call, os.environ)
    except RagproofError as error:
        return screen.fail(error)
    except KeyboardInterrupt:
        return screen.fail(RagproofError("cancelled"))


if __name__ == "__main__":
    sys.exit(main())
