"""Running a sweep from the command line: its cells one after the other, and how each ended."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from deployments.flow_process import run_flow
from ragproof.cli import screen
from ragproof.errors import EXIT_EXECUTION
from ragproof.reports.strict_json import strict_json
from ragproof.resuming import resumed
from ragproof.runs import RunStatus, new_run_id
from ragproof.store.opening import open_store
from ragproof.store.store import Store
from ragproof.sweeps import sweep_file
from ragproof.sweeps.cells import CellRun, cells, resumed_id

if TYPE_CHECKING:
    from prefect.client.schemas.objects import State


@dataclass(frozen=True)
class Chosen:
    """What the command line says is to be swept."""

    path: Path
    overrides: tuple[str, ...] = ()
    resume: str | None = None
    """A sweep to go on with."""


def sweep(chosen: Chosen, *, no_cache: bool, json: bool) -> int:
    """Evaluate the cells of a sweep, and say how each ended.

    Args:
        chosen: what to sweep.
        no_cache: load and compute again what Prefect's cache holds.
        json: print strict JSON alone on stdout; everything else goes to stderr.

    Returns:
        0 when every cell completed, else 2.

    Raises:
        RagproofError: it could not be run; nothing was asked, or what was is kept.
    """
    file = sweep_file.read(chosen.path)
    with open_store() as store:
        sweep_id = new_run_id() if chosen.resume is None else resumed_id(store, chosen.resume, file)
        found = cells(file, sweep_id, set_=chosen.overrides, environ=os.environ)
        for each in found:
            run = store.runs.find(each.run_id)
            if run is not None:
                resumed(run, each.config)  # refuses what would make one sweep mean two things
        told = Console(stderr=True) if json else screen.console()
        told.print(f"sweep {sweep_id}  {file.name}, {len(found)} cells", highlight=False, markup=False)
        run_flow(lambda: _flow(found, no_cache), [each.run_id for each in found], store, told)
        rows = [_ended(store, each) for each in found]
    if json:
        told_as = {"sweep": sweep_id, "name": file.name, "cells": rows}
        sys.stdout.write(strict_json(told_as))
    else:
        _print(rows, sweep_id, file.name)
    return 0 if all(row["status"] == RunStatus.COMPLETED.value for row in rows) else EXIT_EXECUTION


def _flow(found: Sequence[CellRun], no_cache: bool) -> State[Any]:
    from flows.sweep import sweep_cells  # Prefect reads its settings when it is imported

    return sweep_cells([*found], no_cache, return_state=True)


def _ended(store: Store, cell: CellRun) -> dict[str, object]:
    run = store.runs.find(cell.run_id)
    return {
        "run_id": cell.run_id,
        "factors": dict(cell.cell.factors),
        "status": None if run is None else run.status.value,
        "status_reason": None if run is None else run.status_reason,
        "eval_cost_usd": None if run is None else run.spend.eval_cost_usd,
    }


def _print(rows: Sequence[dict[str, object]], sweep_id: str, name: str) -> None:
    factors = list(dict.fromkeys(factor for row in rows for factor in _factors(row)))
    screen.heading("cells")
    screen.table(
        ("run", *factors, "status", "reason"),
        [
            (
                str(row["run_id"]),
                *(_factors(row).get(factor, "") for factor in factors),
                str(row["status"] or "not begun"),
                str(row["status_reason"] or ""),
            )
            for row in rows
        ],
        ("run",),
    )
    screen.say()
    if any(row["status"] != RunStatus.COMPLETED.value for row in rows):
        screen.say(f"next: ragproof sweep FILE --resume {sweep_id}", "bold")
    screen.say(f"next: ragproof leaderboard --group {name} --effects", "bold")


def _factors(row: dict[str, object]) -> dict[str, str]:
    factors = row["factors"]
    assert isinstance(factors, dict)
    return factors
