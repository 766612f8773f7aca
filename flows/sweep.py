"""Evaluate every combination of a sweep's factors, one after the other, each as a subflow of its own.

Two doors to one story, as in `flows.evaluate`: `sweep` is what deployments run, `sweep_cells` what the
command line runs.
"""

from __future__ import annotations

from collections.abc import Sequence

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.runtime import flow_run
from prefect.states import Completed, Failed

from flows.evaluate import evaluate_config, story_teller
from flows.request import SweepRequest, resolve_sweep
from ragproof.runs import RunRecord, RunStatus, new_run_id
from ragproof.sweeps.cells import CellRun, is_over
from tasks import lifecycle


def _flow_run_name() -> str:
    parameters = flow_run.parameters
    if "request" in parameters:
        return f"sweep {SweepRequest.model_validate(parameters['request']).sweep}"
    first = CellRun.model_validate(parameters["cells"][0])
    return f"{first.config.project} {first.cell.sweep_name} {first.cell.sweep}"


@flow(name="sweep", flow_run_name=_flow_run_name, retries=0)
def sweep(request: SweepRequest) -> State[str]:
    """Evaluate every combination of a sweep's factors.

    Args:
        request: which sweep, and how much it may cost.
    """
    return _story(resolve_sweep(request, new_run_id()), no_cache=request.no_cache)


@flow(name="sweep-cells", flow_run_name=_flow_run_name, retries=0)
def sweep_cells(cells: list[CellRun], no_cache: bool = False) -> State[str]:
    """Evaluate the cells of a sweep that are not evaluated yet.

    Args:
        cells: every combination, with its configuration.
        no_cache: load and compute again what Prefect's cache holds.
    """
    return _story(cells, no_cache=no_cache)


def _story(cells: Sequence[CellRun], *, no_cache: bool) -> State[str]:
    """Evaluate cell by cell: a pipeline that fails does not stop the others, a spent budget does."""
    tell, runs = story_teller(), list[RunRecord | None]()
    for number, cell in enumerate(cells, 1):
        run = lifecycle.begun(cell.run_id, None)
        kept = " (kept)" if is_over(run) else ""
        tell.info("cell %d of %d: %s%s", number, len(cells), cell.cell.name, kept)
        if not kept:
            evaluate_config(cell.config, cell.run_id, no_cache, return_state=True)
            run = lifecycle.begun(cell.run_id, None)
        runs.append(run)
        if run is not None and run.status is RunStatus.ABORTED_BUDGET:
            break
    return _state(cells, runs)


def _state(cells: Sequence[CellRun], runs: Sequence[RunRecord | None]) -> State[str]:
    name, sweep_id = cells[0].cell.sweep_name, cells[0].cell.sweep
    wrong = [run for run in runs if not is_over(run)]
    if not wrong and len(runs) == len(cells):
        return Completed(message=f"sweep {sweep_id} of {name}: {len(cells)} cells", data=sweep_id)
    aborted = any(run is not None and run.status is RunStatus.ABORTED_BUDGET for run in wrong)
    told = f"{len(wrong)} of {len(cells)} cells did not complete, {len(cells) - len(runs)} were not begun"
    status = RunStatus.ABORTED_BUDGET if aborted else RunStatus.FAILED_PIPELINE
    return Failed(name=status.value, message=f"sweep {sweep_id} of {name}: {told}", data=sweep_id)
