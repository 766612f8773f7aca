"""What the README shows, taken apart: its files, its commands, and what the demo prints.

`python -m tests.readme` writes the demo's output anew from a run of it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
MAKEFILE = ROOT / "Makefile"
BLOCK = re.compile(r"(<!-- (\w+):begin.*?-->\n```text\n)(.*?)(```\n<!-- \2:end -->)", re.DOTALL)
FILE = re.compile(r"```\w+ (\S+)\n(.*?)```", re.DOTALL)
CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)
RUN_ID = re.compile(r"\b[0-9a-f]{12}\b")
NUMBER = re.compile(r"\d+\.\d+")
SHOWN: dict[str, Callable[[str], str]] = {
    "run": lambda printed: printed.partition("\nmetrics\n")[2].partition("\n\n")[0] + "\n",
    "compare": lambda printed: printed.partition("\nruns\n")[0].rstrip("\n") + "\n",
    "gate": lambda printed: printed.partition("\n\nwarning")[0] + "\n",
    "leaderboard": lambda printed: printed.partition("\np50, p95")[0].rstrip("\n") + "\n",
}
"""The part of what each command of the demo prints that the README shows."""


def files() -> dict[str, str]:
    """Return the files that the README writes out, by name."""
    return dict(FILE.findall(README.read_text(encoding="utf-8")))


def commands(first_word: str) -> list[list[str]]:
    """Return the README's commands that begin with a word, without their comments, in order."""
    lines = "".join(CONSOLE.findall(README.read_text(encoding="utf-8"))).splitlines()
    written = [line.removeprefix("$ ").split("#")[0].split() for line in lines if line.startswith("$ ")]
    return [words for words in written if words[0] == first_word]


def demo_commands() -> list[list[str]]:
    """Return the commands of `make demo`, without the interpreter's folder."""
    recipe = re.search(r"^demo: .*\n((?:\t.*\n)+)", MAKEFILE.read_text(encoding="utf-8"), re.MULTILINE)
    assert recipe, "the Makefile has lost its demo"
    return [line.split()[1:] for line in recipe[1].splitlines()]


def shown() -> dict[str, str]:
    """Return what the README says the demo prints, by the name of the command."""
    return {name: text for _, name, text, _ in BLOCK.findall(README.read_text(encoding="utf-8"))}


def comparable(text: str) -> str:
    """Blank what no two machines share: measured times, and the ids of runs."""
    without_ids = RUN_ID.sub("RUN", text)
    return "\n".join(" ".join(_without_times(line).split()) for line in without_ids.splitlines())


def _without_times(line: str) -> str:
    """Blank every decimal of the line of latencies, and those with a single digit: milliseconds."""
    return NUMBER.sub("T", line) if line.startswith("latency_ms") else re.sub(r"\b\d+\.\d\b", "T", line)


def run_demo(environment: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Run the commands of `make demo` and return the part that the README shows, by the command's name."""
    printed = {}
    for words in demo_commands():
        done = subprocess.run(
            [sys.executable, "-m", "ragproof", *words],
            cwd=ROOT,
            env={
                **environment,
                "RAGPROOF_STORE_URL": f"sqlite:///{folder}/store.db",
                "RAGPROOF_RESULTS": str(folder / "results"),
                "COLUMNS": "140",
            },
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        printed.setdefault(words[0], SHOWN[words[0]](done.stdout))
    return printed


def main() -> None:
    """Write what the demo prints into the README."""
    with tempfile.TemporaryDirectory() as folder:
        printed = run_demo(os.environ, Path(folder))
    text = README.read_text(encoding="utf-8")
    new = BLOCK.sub(lambda found: found[1] + printed[found[2]] + found[4], text)
    README.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
