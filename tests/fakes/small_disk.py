"""A disk of a few hundred kilobytes, in a process that alone sees it: full, or read-only, and then gone."""

from __future__ import annotations

import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ALONE = ("unshare", "--user", "--map-root-user", "--mount")
ROOT = Path(__file__).resolve().parents[2]


def run_on_small_disk(code: str, folder: Path, kilobytes: int) -> str:
    """Run Python code in a process whose `disk` (a path) is a new file system; return what it printed.

    The code has `disk` and `make_read_only()`, and may import from the checkout.
    """
    reason = _cannot_mount(folder)
    if reason:
        pytest.skip(f"a small disk cannot be mounted here: {reason}")
    disk = folder / "disk"
    disk.mkdir()
    before = (
        "import subprocess, sys\n"
        f"disk = {str(disk)!r}\n"
        f"sys.path.insert(0, {str(ROOT)!r})\n"
        "def make_read_only(): subprocess.run(['mount', '-o', 'remount,ro', disk], check=True)\n"
    )
    mount = f'mount -t tmpfs -o size={kilobytes}k none "$0" && exec "$@"'
    command = [*ALONE, "sh", "-c", mount, str(disk), sys.executable, "-c", before + code]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@cache
def _cannot_mount(folder: Path) -> str | None:
    """Return why this process may not mount anything; None when it may."""
    if shutil.which("unshare") is None:
        return "there is no 'unshare'"
    tried = subprocess.run(
        [*ALONE, "mount", "-t", "tmpfs", "none", str(folder)], capture_output=True, text=True, check=False
    )
    return tried.stderr.strip() or f"exit code {tried.returncode}" if tried.returncode else None
