"""The cells of a sweep: a configuration for each combination of levels, all checked before one is run."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from ragproof import config as configuration
from ragproof.budget import budget_of, unpriced
from ragproof.cases import canonical_hash
from ragproof.config import EvalConfig
from ragproof.errors import ConfigurationError, Fault, StoreError
from ragproof.frozen import Frozen
from ragproof.runs import RunRecord, RunStatus
from ragproof.store.runs import LATEST
from ragproof.store.store import Store
from ragproof.sweeps.cell import Cell
from ragproof.sweeps.grid import Combination, combinations, overrides
from ragproof.sweeps.sweep_file import SweepFile

_RUN_ID_DIGITS = 12
_LONGEST_NAME = 100


class CellRun(Frozen):
    """One cell, ready to be evaluated."""

    run_id: str
    """Made of the sweep and the levels, so that a resumed sweep finds it again."""
    config: EvalConfig

    @property
    def cell(self) -> Cell:
        """Where it stands in the sweep."""
        assert self.config.cell is not None
        return self.config.cell


def cells(
    sweep: SweepFile, sweep_id: str, *, set_: Sequence[str] = (), environ: Mapping[str, str] = os.environ
) -> tuple[CellRun, ...]:
    """Load the configuration of every cell.

    Args:
        sweep: the file.
        sweep_id: of this sweep; a resumed one's again.
        set_: `key=value` pairs for all cells.
        environ: the environment.

    Returns:
        The cells in order; their pipelines are named by their levels.

    Raises:
        ConfigurationError: every fault of any cell, each told once.
    """
    faults: dict[Fault, None] = {}
    found = []
    for combination in combinations(sweep.factors):
        try:
            found.append(_cell(sweep, sweep_id, combination, set_, environ))
        except ConfigurationError as error:
            faults.update(dict.fromkeys(error.faults))
    if faults:
        raise ConfigurationError([*faults])
    return tuple(found)


def resumed_id(store: Store, reference: str, sweep: SweepFile) -> str:
    """Find the id of a sweep to go on with.

    Args:
        store: where its runs are.
        reference: its id, the beginning of one, or `latest` of this file's name.
        sweep: the file.

    Raises:
        StoreError: no sweep is meant, or more than one.
    """
    ids = dict.fromkeys(
        cell.sweep
        for run in store.runs.list(limit=None)
        if (cell := cell_of(run)) is not None and cell.sweep_name == sweep.name
    )
    meant = [each for each in ids if reference == LATEST or each.startswith(reference)]
    if not meant or (len(meant) > 1 and reference != LATEST):
        told = ", ".join(f"'{each}'" for each in [*(meant or ids)][:5]) or "none"
        how_many = "more than one sweep is" if meant else "no sweep is"
        raise StoreError(f"{how_many} called '{reference}' of '{sweep.name}'; there are {told}")
    return meant[0]


def cell_of(run: RunRecord) -> Cell | None:
    """Return where a run stands in a sweep; None when it is of none."""
    written = run.config.get("cell")
    return Cell.model_validate(written) if written else None


def is_over(run: RunRecord | None) -> bool:
    """Say whether a cell's run needs no more work; one that failed or was cut short does."""
    return run is not None and run.status is RunStatus.COMPLETED


def _cell(
    sweep: SweepFile,
    sweep_id: str,
    combination: Combination,
    set_: Sequence[str],
    environ: Mapping[str, str],
) -> CellRun:
    changes = [*overrides(combination)]
    places = {f"--set {pair.partition('=')[0]}": place for pair, place in changes}
    try:
        base = configuration.load(
            sweep.config,
            variant=sweep.variant,
            overrides=[*set_, *(pair for pair, _ in changes)],
            label=sweep.name,
            environ=environ,
        )
    except ConfigurationError as error:
        raise ConfigurationError(
            [Fault(fault.message, places.get(fault.place, fault.place)) for fault in error.faults]
        ) from error
    cell = Cell(
        sweep=sweep_id,
        sweep_name=sweep.name,
        factors={factor.name: level.name for factor, level in combination},
        max_cost_usd=sweep.max_cost_usd,
    )
    faults = _faults(base, cell, environ)
    if faults:
        raise ConfigurationError(faults)
    pipeline = base.pipeline.model_copy(update={"name": cell.name})
    run_id = canonical_hash([sweep_id, cell.name])[:_RUN_ID_DIGITS]
    return CellRun(run_id=run_id, config=base.model_copy(update={"pipeline": pipeline, "cell": cell}))


def _faults(config: EvalConfig, cell: Cell, environ: Mapping[str, str]) -> list[Fault]:
    faults = []
    if len(cell.name) > _LONGEST_NAME:
        message = f"the cell '{cell.name}' has a name of {len(cell.name)} characters; expected at most"
        faults.append(Fault(f"{message} {_LONGEST_NAME}: shorten names of factors and levels", "factors"))
    if config.judge is not None:
        budget = budget_of("", config.project, config.budget.max_cost_usd, environ, cell)
        faults += unpriced(config.judge, budget)
    return faults
