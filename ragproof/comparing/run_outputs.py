"""What a run asked and what the pipeline gave back: in the store, or nowhere for a run in a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ragproof.cases import Case
from ragproof.outputs import Outcome
from ragproof.runs import RunRecord

if TYPE_CHECKING:
    from ragproof.store.store import Store

PORTION = 500
"""Outputs in memory at once where all of a run are looked through."""


class RunOutputs(Protocol):
    """The outputs of one run."""

    @property
    def kept(self) -> bool:
        """Whether there are any to read: an exported run has none."""

    def outcomes(self, case_ids: Iterable[str], trial: int = 0) -> Mapping[str, Outcome]:
        """Read how some cases' calls ended, by case id; a case without an ended call is absent."""

    def cases(self, case_ids: Iterable[str]) -> Mapping[str, Case]:
        """Read what was asked, by case id; a case that was erased is absent."""

    def everything(self, case_ids: Sequence[str]) -> Iterator[Mapping[str, Outcome]]:
        """Read how the cases' calls ended a few hundred at a time."""


@dataclass(frozen=True)
class NoOutputs:
    """Those of a run in a file: numbers, ids and tags are all it has."""

    kept: bool = False

    def outcomes(self, case_ids: Iterable[str], trial: int = 0) -> Mapping[str, Outcome]:  # noqa: ARG002
        """Return nothing."""
        return {}

    def cases(self, case_ids: Iterable[str]) -> Mapping[str, Case]:  # noqa: ARG002
        """Return nothing."""
        return {}

    def everything(self, case_ids: Sequence[str]) -> Iterator[Mapping[str, Outcome]]:  # noqa: ARG002
        """Yield nothing."""
        return iter(())


@dataclass(frozen=True)
class StoredOutputs:
    """Those of a run in the store."""

    store: Store
    run: RunRecord
    kept: bool = True

    def outcomes(self, case_ids: Iterable[str], trial: int = 0) -> Mapping[str, Outcome]:
        """Read from the ledger."""
        return self.store.calls.outcomes(self.run.id, case_ids, trial)

    def cases(self, case_ids: Iterable[str]) -> Mapping[str, Case]:
        """Read from the run's dataset."""
        wanted = frozenset(case_ids)
        if not wanted or self.run.dataset_hash is None:
            return {}
        portions = self.store.datasets.portions(self.run.dataset_hash, self.run.cases.total)
        return {case.id: case for portion in portions for case in portion if case.id in wanted}

    def everything(self, case_ids: Sequence[str]) -> Iterator[Mapping[str, Outcome]]:
        """Read from the ledger, the first trial's."""
        for start in range(0, len(case_ids), PORTION):
            yield self.outcomes(case_ids[start : start + PORTION])
