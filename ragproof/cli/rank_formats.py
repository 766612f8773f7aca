"""How the tables of `ragproof rank` can be written; apart, so that `--help` loads nothing else."""

from __future__ import annotations

from enum import StrEnum


class Format(StrEnum):
    """How tables are written."""

    TABLE = "table"
    MARKDOWN = "markdown"
    LATEX = "latex"
