"""Running an evaluation from the command line: the flow, its progress, its result and its exit code."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from deployments.flow_process import run_flow
from deployments.foreseen_cost import foreseen_cost
from ragproof import config as configuration
from ragproof.cli import report_page, screen
from ragproof.config import EvalConfig
from ragproof.errors import ConfigurationError
from ragproof.reports.registry import render
from ragproof.reports.report import gather
from ragproof.resuming import resumed
from ragproof.runs import new_run_id
from ragproof.store.opening import open_store
from ragproof.store.store import Store

if TYPE_CHECKING:
    from prefect.client.schemas.objects import State

WORST_SHOWN = 5


@dataclass(frozen=True)
class Chosen:
    """What the command line says is to be run."""

    path: Path | None = None
    variant: str | None = None
    dataset: str | None = None
    label: str | None = None
    overrides: tuple[str, ...] = ()
    resume: str | None = None
    """A run to go on with."""


def run(chosen: Chosen, *, no_cache: bool, json: bool) -> int:
    """Evaluate a configuration, or go on with a run, and print what came of it.

    Args:
        chosen: what to run.
        no_cache: load and compute again what Prefect's cache holds.
        json: print strict JSON alone on stdout; everything else goes to stderr.

    Returns:
        The exit code of the run's status.

    Raises:
        RagproofError: it could not be run; nothing was asked, or what was is kept.
    """
    with open_store() as store:
        config, run_id = _resolve(chosen, store)
        told = Console(stderr=True) if json else screen.console()
        told.print(f"run {run_id}  {config.project} / {config.pipeline.name}", highlight=False, markup=False)
        foreseen = foreseen_cost(config, run_id, store, os.environ, reuse=not no_cache)
        if foreseen is not None:
            told.print(foreseen, highlight=False, markup=False, soft_wrap=True)
        run_flow(lambda: _flow(config, run_id, no_cache), [run_id], store, told)
        report = gather(store, run_id, worst=WORST_SHOWN)
    if json:
        sys.stdout.write(render(report, "json"))
    else:
        report_page.print_report(report, by_tag=False)
    return report.run.status.exit_code


def _flow(config: EvalConfig, run_id: str, no_cache: bool) -> State[Any]:
    from flows.evaluate import evaluate_config  # Prefect reads its settings when it is imported

    return evaluate_config(config, run_id, no_cache, return_state=True)


def _resolve(chosen: Chosen, store: Store) -> tuple[EvalConfig, str]:
    config = _loaded(chosen)
    if chosen.resume is None:
        if config is None:
            raise ConfigurationError(
                "no configuration was named; expected `ragproof run CONFIG`, or --resume RUN"
            )
        return config, new_run_id()
    run = store.runs.get(chosen.resume, config.project if config else None)
    return resumed(run, config or chosen.overrides), run.id


def _loaded(chosen: Chosen) -> EvalConfig | None:
    if chosen.path is None:
        return None
    return configuration.load(
        chosen.path,
        variant=chosen.variant,
        overrides=chosen.overrides,
        dataset=chosen.dataset,
        label=chosen.label,
        environ=os.environ,
    )
