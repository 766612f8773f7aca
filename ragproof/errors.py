"""The exception tree. Each leaf knows the exit code its command ends with.

    RagproofError                2  execution
    ├── ConfigurationError       3  configuration, dataset or rule; carries every fault at once
    ├── StoreError               2  the database is absent, old, locked or full
    └── PipelineError            2  the system under test could not be used at all

Messages: the value in quotes, what was expected, the nearest cure; lower case, no full stop.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

EXIT_OK = 0
EXIT_GATE = 1
EXIT_EXECUTION = 2
EXIT_CONFIGURATION = 3
EXIT_INCONCLUSIVE = 4


class RagproofError(Exception):
    """Anything ragproof says no to, in words for the person who ran the command."""

    exit_code = EXIT_EXECUTION


@dataclass(frozen=True)
class Fault:
    """One thing wrong with an input: where it stands, and what to do about it."""

    message: str
    place: str = ""

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message


class ConfigurationError(RagproofError):
    """A configuration, dataset or rule that cannot be used; every fault found, not the first."""

    exit_code = EXIT_CONFIGURATION

    def __init__(self, faults: Sequence[Fault] | str) -> None:
        self.faults: tuple[Fault, ...] = (Fault(faults),) if isinstance(faults, str) else tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))


class StoreError(RagproofError):
    """The store cannot be read or written."""


class PipelineError(RagproofError):
    """The pipeline under test cannot be reached or used at all."""


def nearest(name: str, known: Iterable[str]) -> str:
    """Suggest the closest known name as a clause, or nothing when none is near.

    Args:
        name: what was written.
        known: the names that would have been accepted.

    Returns:
        `"; did you mean 'ndcg@10'?"`, or `""`.
    """
    candidates = list(known)
    folded = {candidate.casefold(): candidate for candidate in candidates}
    close = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.6)
    return f"; did you mean '{folded[close[0]]}'?" if close else ""
