"""Which run a gate judges when none is named, and which baseline `latest` means."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ragproof.comparing.references import find_run
from ragproof.comparing.scored_run import ScoredRun
from ragproof.comparing.stored_run import read_run
from ragproof.errors import StoreError, nearest
from ragproof.runs import RunRecord, RunStatus
from ragproof.store.runs import LATEST

if TYPE_CHECKING:
    from ragproof.store.store import Store


def latest_finished(store: Store, project: str, pipeline: str) -> tuple[RunRecord, tuple[str, ...]]:
    """Find the run to judge when none is named.

    Args:
        store: where runs are kept.
        project: of the configuration.
        pipeline: name of its pipeline.

    Returns:
        The run that started last of those that have ended, however they ended; and what is to be known of
        the choice.

    Raises:
        StoreError: there is none.
    """
    of_project = store.runs.list(project=project, limit=None)
    candidates = [run for run in of_project if run.pipeline == pipeline]
    ended = [run for run in candidates if run.status is not RunStatus.RUNNING]
    if not ended:
        others = nearest(pipeline, {run.pipeline for run in of_project})
        raise StoreError(
            f"project '{project}' has no finished run of pipeline '{pipeline}'; 'ragproof run' makes one, and"
            f" --run names another{others}"
        )
    newer = candidates[: candidates.index(ended[0])]
    return ended[0], tuple(f"run '{run.id}' is still running and was passed over" for run in newer)


def find_baseline(
    reference: str, store: Store | None, project: str, apart_from: str, only: Iterable[str]
) -> ScoredRun:
    """Find the run to hold another against.

    Args:
        reference: a file of `ragproof export`, an id, the beginning of one, a label, or `latest`.
        store: where runs are kept; None when there is none.
        project: of the configuration.
        apart_from: the full id of the run that is judged, which is no baseline of itself.
        only: metric keys to read.

    Returns:
        The run; `latest` is the last other completed one of the project, or the last that ended if none is.

    Raises:
        StoreError: no run is meant, more than one, or the store cannot be read.
        ConfigurationError: the file cannot be read as a run.
    """
    if reference != LATEST or store is None:
        return find_run(reference, store, project=project, only=only, apart_from=apart_from)
    others = [run for run in store.runs.list(project=project, limit=None) if run.id != apart_from]
    ended = [run for run in others if run.status is not RunStatus.RUNNING]
    completed = [run for run in ended if run.status is RunStatus.COMPLETED]
    if not ended:
        raise StoreError(
            f"project '{project}' has no other finished run than '{apart_from}' to be the baseline;"
            " 'ragproof runs' lists them"
        )
    return read_run(store, (completed or ended)[0], only)
