"""What people's labels say of a run's judged means, for its report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragproof.frozen import Frozen
from ragproof.labels.correction import Correction
from ragproof.runs import RunRecord

if TYPE_CHECKING:
    from ragproof.store.store import Store


class Labels(Frozen):
    """The metrics of a run that people have labelled answers for."""

    corrections: tuple[Correction, ...]
    """In reading order; never empty."""


def labels(store: Store, run: RunRecord) -> Labels | None:
    """Find out what labels say of a run.

    Args:
        store: where the run lies.
        run: the run.

    Returns:
        None for a run that no label serves.

    Raises:
        StoreError: the store cannot be read.
    """
    if not store.labels.any_in(run.project):
        return None
    from ragproof.labels.corrections import corrections  # numpy and more, where there are labels alone

    found = corrections(store, run)
    return Labels(corrections=found) if found else None
