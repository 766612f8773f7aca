"""What a run may spend on its judge: caps that its configuration sets, and ceilings that its machine sets.

Whoever starts a run can lower the cap and never raise a ceiling: ceilings come from the environment of the
process that does the work.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime

from ragproof.errors import ConfigurationError, Fault, StoreError
from ragproof.frozen import Frozen
from ragproof.judge.config import JudgeConfig
from ragproof.money import cap_picodollars
from ragproof.sweeps.cell import Cell

RUN_CEILING = "RAGPROOF_MAX_COST_USD_CEILING"
PROJECT_CEILING = "RAGPROOF_PROJECT_COST_USD_CEILING"
MONTH_CEILING = "RAGPROOF_MONTH_COST_USD_CEILING"
CEILINGS = (RUN_CEILING, PROJECT_CEILING, MONTH_CEILING)


class NoRoom(StoreError):
    """The amount does not fit beside what is set aside now; it will, if enough of that is not used up."""


class NeverFits(StoreError):
    """What is spent already leaves too little, whatever becomes of what is set aside."""


class Budget(Frozen):
    """The caps of one run, in picodollars; None is no cap."""

    run_id: str
    project: str
    run_cap: int | None = None
    project_cap: int | None = None
    """Over all runs of the project, for ever."""
    month_cap: int | None = None
    """Over all runs of the store in one month, by UTC."""
    sweep: str | None = None
    """The sweep that the run is a cell of."""
    sweep_cap: int | None = None
    """Over all its cells."""

    @property
    def is_capped(self) -> bool:
        """Whether any cap holds; then a judge without a price cannot be used."""
        return any(cap is not None for cap in self._caps)

    @property
    def _caps(self) -> tuple[int | None, ...]:
        return self.run_cap, self.project_cap, self.month_cap, self.sweep_cap

    def accounts(self, at: datetime) -> dict[str, int | None]:
        """Return the account of each cap at an instant, with the cap."""
        return {
            f"run:{self.run_id}": self.run_cap,
            f"project:{self.project}": self.project_cap,
            f"month:{at:%Y-%m}": self.month_cap,
            **({f"sweep:{self.sweep}": self.sweep_cap} if self.sweep else {}),
        }


def budget_of(
    run_id: str,
    project: str,
    max_cost_usd: float | None,
    environ: Mapping[str, str],
    cell: Cell | None = None,
) -> Budget:
    """Return the caps of a run on this machine.

    Args:
        run_id: the run.
        project: its project.
        max_cost_usd: the configured cap; None is none.
        environ: the environment of this process; an empty variable is not set.
        cell: where it stands in a sweep, whose cells share a cap; None is no sweep.

    Raises:
        ConfigurationError: a ceiling is no amount of dollars; all of them at once.
    """
    faults: list[Fault] = []
    run, project_cap, month = (_ceiling(name, environ, faults) for name in CEILINGS)
    if faults:
        raise ConfigurationError(faults)
    asked = None if max_cost_usd is None else cap_picodollars(max_cost_usd)
    caps = [cap for cap in (asked, run) if cap is not None]
    return Budget(
        run_id=run_id,
        project=project,
        run_cap=min(caps) if caps else None,
        project_cap=project_cap,
        month_cap=month,
        sweep=None if cell is None else cell.sweep,
        sweep_cap=None if cell is None or cell.max_cost_usd is None else cap_picodollars(cell.max_cost_usd),
    )


def unpriced(judge: JudgeConfig, budget: Budget) -> list[Fault]:
    """Return the fault of a cap on a judge whose calls have no price: it could not be kept."""
    if judge.is_priced or not budget.is_capped:
        return []
    return [
        Fault(
            f"a cost cap is set and judge model '{judge.model}' has no price; set"
            " RAGPROOF_JUDGE_INPUT_COST_PER_MTOK and RAGPROOF_JUDGE_OUTPUT_COST_PER_MTOK (0 for a model that"
            f" costs nothing), or take back the cap: budget.max_cost_usd or {' or '.join(CEILINGS)}",
            "judge",
        )
    ]


def _ceiling(name: str, environ: Mapping[str, str], faults: list[Fault]) -> int | None:
    text = environ.get(name, "")
    if not text:
        return None
    try:
        dollars = float(text)
    except ValueError:
        dollars = math.nan
    if not (math.isfinite(dollars) and dollars >= 0):
        faults.append(Fault(f"'{text}' is not allowed; expected dollars, 0 or more", f"environment {name}"))
        return None
    return cap_picodollars(dollars)
