"""Finding a run by what people call it: an id or its beginning, a label, `latest`, or a file of one."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ragproof.comparing.run_file import read_run_file
from ragproof.comparing.scored_run import ScoredRun
from ragproof.comparing.stored_run import read_run
from ragproof.errors import StoreError
from ragproof.runs import RunRecord
from ragproof.store.runs import LATEST

if TYPE_CHECKING:
    from ragproof.store.store import Store


def is_file(reference: str) -> bool:
    """Say whether a reference means an exported run: it ends in `.json`."""
    return reference.endswith(".json")


def find_run(
    reference: str,
    store: Store | None,
    *,
    project: str | None = None,
    only: Iterable[str] | None = None,
    apart_from: str | None = None,
) -> ScoredRun:
    """Find a run and read its numbers.

    Args:
        reference: a file of `ragproof export`, a full id, the beginning of exactly one, `latest`, or a label.
        store: where runs are kept; None when there is none, and only files can be meant.
        project: whose runs `latest` and a label mean; None is any.
        only: metric keys; None is all.
        apart_from: the full id of a run that `latest` and a label do not mean: none is a baseline of itself.

    Returns:
        The run.

    Raises:
        StoreError: no run is meant, more than one, or the store cannot be read.
        ConfigurationError: the file cannot be read as a run.
    """
    if is_file(reference):
        return read_run_file(Path(reference), only)
    if store is None:
        raise StoreError(
            f"there is no store to find the run '{reference}' in; expected a file of 'ragproof export'"
        )
    return read_run(store, named_run(store, reference, project=project, apart_from=apart_from), only)


def named_run(
    store: Store, reference: str, *, project: str | None = None, apart_from: str | None = None
) -> RunRecord:
    """Find a run's record in a store; arguments and errors as of `find_run`.

    A label means the run that started last of those with it, as `latest` means the last of all.
    """
    if reference == LATEST and apart_from is None:
        return store.runs.get(LATEST, project)
    labelled = None if reference == LATEST else reference
    candidates = store.runs.list(project=project, limit=None, label=labelled)
    found = next((run for run in candidates if run.id != apart_from), None)
    if reference == LATEST:
        if found is None:
            raise StoreError(
                f"project '{project}' has no other run than '{apart_from}'; 'ragproof runs' lists them"
            )
        return found
    try:
        return store.runs.get(reference)
    except StoreError:
        if found is None:
            raise
        return found
