"""Configurations on disk, small enough to be read in a test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from ragproof.config import EvalConfig, load
from ragproof.errors import ConfigurationError

BASE = """\
project: handbook
dataset: cases.jsonl
pipeline:
  name: baseline
  adapter: {type: python, target: "my_package.rag:Pipeline"}
"""


def write(folder: Path, text: str = BASE, variants: Mapping[str, str] | None = None) -> Path:
    """Write a configuration `eval.yaml`, its variants and an empty dataset beside it."""
    path = folder / "eval.yaml"
    path.write_text(text, encoding="utf-8")
    (folder / "cases.jsonl").touch()
    for name, content in (variants or {}).items():
        (folder / "variants").mkdir(exist_ok=True)
        (folder / "variants" / f"{name}.yaml").write_text(content, encoding="utf-8")
    return path


def loaded(
    folder: Path,
    text: str = BASE,
    *,
    variants: Mapping[str, str] | None = None,
    variant: str | None = None,
    overrides: Sequence[str] = (),
    environ: Mapping[str, str] | None = None,
) -> EvalConfig:
    """Load a configuration with the folder as current directory."""
    path = write(folder, text, variants)
    return load(path, variant=variant, overrides=overrides, environ=environ or {}, current=folder)


def faults(folder: Path, text: str = BASE, **settings: object) -> list[str]:
    """Return the faults of a configuration that must have some."""
    with pytest.raises(ConfigurationError) as caught:
        loaded(folder, text, **settings)  # type: ignore[arg-type]
    return [str(fault) for fault in caught.value.faults]
