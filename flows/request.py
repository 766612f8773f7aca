"""What whoever may press Run may choose: names in the operator's folder, never paths, URLs or commands."""

from __future__ import annotations

import os
from pathlib import Path

from pydantic import Field

from ragproof import config as configuration
from ragproof.config import EvalConfig
from ragproof.errors import ConfigurationError, Fault, nearest
from ragproof.frozen import Described
from ragproof.sweeps import sweep_file
from ragproof.sweeps.cells import CellRun, cells

NAME = r"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"


class RunRequest(Described):
    """One evaluation, by names the operator's configuration folder gives meaning to."""

    variant: str = Field(pattern=NAME)
    """The pipeline variant: a file of config/variants."""
    config: str = Field(default="demo", pattern=NAME)
    """The base configuration: a file of config."""
    dataset: str | None = Field(default=None, pattern=NAME)
    """A file of config/datasets; empty takes the configuration's own."""
    metrics: list[str] | None = None
    """Metric keys; empty takes the configuration's own."""
    judge: bool | None = None
    """Whether the configured judge is asked; empty asks it when there is one."""
    max_cost_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """Dollars the judge may cost; a higher cap than the configuration's changes nothing."""
    limit: int | None = Field(default=None, ge=1)
    """Ask only this many cases, from the first."""
    label: str | None = Field(default=None, max_length=200)
    """A word to find the run by."""
    no_cache: bool = False
    """Load and compute again what Prefect's cache holds."""


class SweepRequest(Described):
    """One sweep, by the name of its file in the operator's configuration folder."""

    sweep: str = Field(pattern=NAME)
    """A file of config/sweeps."""
    max_cost_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """Dollars the judge of all cells together may cost; a higher cap than the file's changes nothing."""
    no_cache: bool = False
    """Load and compute again what Prefect's cache holds."""


def config_folder() -> Path:
    """Return the operator's configuration folder: `RAGPROOF_CONFIG_DIR`, else `config` beside the flows."""
    return Path(os.environ.get("RAGPROOF_CONFIG_DIR") or Path(__file__).resolve().parent.parent / "config")


def resolve(request: RunRequest) -> EvalConfig:
    """Turn a request into a configuration, looking nowhere but in the configuration folder.

    Raises:
        ConfigurationError: a name is unknown (with the nearest), or the configuration has faults.
    """
    folder = config_folder()
    base = _named(folder, request.config, ".yaml", "config")
    loaded = configuration.load(base, variant=request.variant, environ=os.environ)
    return loaded.narrowed(
        dataset=_named(folder / "datasets", request.dataset, ".*", "dataset") if request.dataset else None,
        metrics=request.metrics,
        limit=request.limit,
        label=request.label,
        judge=request.judge,
        max_cost_usd=request.max_cost_usd,
    )


def resolve_sweep(request: SweepRequest, sweep_id: str) -> tuple[CellRun, ...]:
    """Turn a request into the cells of a sweep, looking nowhere but in the configuration folder.

    Raises:
        ConfigurationError: the name is unknown, or the sweep or its configuration has faults.
    """
    file = sweep_file.read(_named(config_folder() / "sweeps", request.sweep, ".yaml", "sweep"))
    return cells(file.capped(request.max_cost_usd), sweep_id, environ=os.environ)


def _named(folder: Path, name: str, ending: str, field: str) -> Path:
    files = {file.stem: file for file in sorted(folder.glob(f"*{ending}")) if file.is_file()}
    if name not in files:
        there = ", ".join(f"'{known}'" for known in files) or "none"
        raise ConfigurationError(
            [
                Fault(
                    f"no {field} is named '{name}'; there are {there}{nearest(name, files)}",
                    f"request.{field}",
                )
            ]
        )
    return files[name]
