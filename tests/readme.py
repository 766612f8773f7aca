"""What the README shows, taken apart: its files, its commands, and the demo's printed table.

`python -m tests.readme` writes the table anew from a run of the demo.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
DEMO = re.compile(r"(<!-- demo:begin.*?-->\n```text\n)(.*?)(```\n<!-- demo:end -->)", re.DOTALL)
FILE = re.compile(r"```\w+ (\S+)\n(.*?)```", re.DOTALL)
CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)
MEASURED_TIME = re.compile(r"^(latency_ms .*?er) .*?(scored .*)$", re.MULTILINE)
"""The one line of the table that differs from machine to machine."""


def files() -> dict[str, str]:
    """Return the files that the README writes out, by name."""
    return dict(FILE.findall(README.read_text(encoding="utf-8")))


def commands(first_word: str) -> list[list[str]]:
    """Return the README's commands that begin with a word, without their comments, in order."""
    lines = "".join(CONSOLE.findall(README.read_text(encoding="utf-8"))).splitlines()
    written = [line.removeprefix("$ ").split("#")[0].split() for line in lines if line.startswith("$ ")]
    return [words for words in written if words[0] == first_word]


def demo_table() -> str:
    """Return the table the README says the demo prints."""
    found = DEMO.search(README.read_text(encoding="utf-8"))
    assert found, "the README has lost its demo block"
    return found.group(2)


def metrics_table(printed: str) -> str:
    """Return the table of metrics out of what `ragproof run` printed."""
    return printed.partition("\nmetrics\n")[2].partition("\n\n")[0] + "\n"


def without_times(table: str) -> str:
    """Blank the measured times, which no two machines share."""
    return MEASURED_TIME.sub(r"\1 \2", table)


def run_demo(environment: dict[str, str], store: Path) -> str:
    """Run the first command of `make demo` and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "ragproof", "run", "config/demo.yaml", "--variant", "baseline"],
        cwd=ROOT,
        env={
            **environment,
            "RAGPROOF_STORE_URL": f"sqlite:///{store}",
            "RAGPROOF_RESULTS": str(store.parent / "results"),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def main() -> None:
    """Write the demo's table into the README."""
    with tempfile.TemporaryDirectory() as folder:
        table = metrics_table(run_demo(dict(os.environ), Path(folder) / "store.db"))
    text = README.read_text(encoding="utf-8")
    README.write_text(DEMO.sub(lambda found: found[1] + table + found[3], text), encoding="utf-8")


if __name__ == "__main__":
    main()
