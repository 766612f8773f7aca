"""The line about its judge that a run prints before it starts: an estimate that takes less than a second."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ragproof import datasets
from ragproof.cases import Case
from ragproof.cli.estimate_page import line
from ragproof.config import EvalConfig
from ragproof.errors import RagproofError
from ragproof.run_estimates import estimate_run
from ragproof.store.store import Store

CASES_LOOKED_AT = 50
CASES_LOOKED_UP = 2_000
"""In a larger dataset nobody looks up what was judged before."""
MOST_CASES = 20_000
LARGEST_DATASET_BYTES = 5_000_000
"""A larger one takes long to read, and the run is about to read it."""


def foreseen_cost(
    config: EvalConfig, run_id: str, store: Store, environ: Mapping[str, str], *, reuse: bool
) -> str | None:
    """Return the line.

    Args:
        config: what is run.
        run_id: its id; a run that is in the store already has its cases there.
        store: where earlier runs and verdicts are.
        environ: where the ceilings are.
        reuse: whether verdicts of other runs will serve.

    Returns:
        None without a judge, and when the run itself is about to tell what is wrong.
    """
    if config.judge is None:
        return None
    try:
        cases = _cases(config, run_id, store)
        if cases is None:
            return "judge: the dataset is too large for an estimate here; see `ragproof estimate`"
        look = reuse and len(cases) <= CASES_LOOKED_UP
        return line(estimate_run(config, cases, store, environ, look=look, most_cases=CASES_LOOKED_AT))
    except (RagproofError, OSError):
        return None


def _cases(config: EvalConfig, run_id: str, store: Store) -> tuple[Case, ...] | None:
    """Return the run's cases; None when reading them takes too long."""
    run = store.runs.find(run_id)
    if run is not None and run.dataset_hash is not None:
        return store.datasets.cases(run.dataset_hash) if run.cases.total <= MOST_CASES else None
    place = config.dataset.resolved()
    if _bytes(place) > LARGEST_DATASET_BYTES:
        return None
    return datasets.read(place, config.dataset.format)


def _bytes(place: Path) -> int:
    files = place.rglob("*") if place.is_dir() else (place,)
    return sum(file.stat().st_size for file in files if file.is_file())
