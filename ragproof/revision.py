"""The git revision of the folder an evaluation is configured in, for attribution; it blocks nothing."""

from __future__ import annotations

import subprocess
from pathlib import Path


def git_revision(folder: Path) -> str | None:
    """Return the commit `folder` stands at, with `+changes` when files differ from it.

    Args:
        folder: any folder of a checkout.

    Returns:
        40 hex digits, perhaps with the suffix; None outside a checkout, without a commit, or without git.
    """
    commit = _git(folder, "rev-parse", "--verify", "--quiet", "HEAD")
    if not commit:
        return None
    changed = _git(folder, "status", "--porcelain", "--untracked-files=no")
    return f"{commit}+changes" if changed else commit


def _git(folder: Path, *words: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *words], capture_output=True, text=True, timeout=10, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()
