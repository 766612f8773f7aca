"""The outputs of a run, held in memory: no store, no ledger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ragproof.cases import Case
from ragproof.outputs import Outcome


@dataclass
class OutputsInMemory:
    """Outcomes by trial, and cases; counts how many outcomes were read."""

    asked: Sequence[Case] = ()
    trials: Sequence[Sequence[Outcome]] = ()
    kept: bool = True
    read: int = field(default=0, init=False)

    def outcomes(self, case_ids: Iterable[str], trial: int = 0) -> Mapping[str, Outcome]:
        """Return the outcomes of some cases."""
        wanted = frozenset(case_ids)
        ended = self.trials[trial] if trial < len(self.trials) else ()
        found = {outcome.case_id: outcome for outcome in ended if outcome.case_id in wanted}
        self.read += len(found)
        return found

    def cases(self, case_ids: Iterable[str]) -> Mapping[str, Case]:
        """Return some cases."""
        wanted = frozenset(case_ids)
        return {case.id: case for case in self.asked if case.id in wanted}

    def everything(self, case_ids: Sequence[str]) -> Iterator[Mapping[str, Outcome]]:
        """Yield two cases at a time."""
        for start in range(0, len(case_ids), 2):
            yield self.outcomes(case_ids[start : start + 2])
