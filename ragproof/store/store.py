"""The store: what one database holds, one noun a part."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from types import TracebackType
from typing import Self

from ragproof.runs import now
from ragproof.store.calibrations import Calibrations
from ragproof.store.calls import Calls
from ragproof.store.database import Database
from ragproof.store.datasets import Datasets
from ragproof.store.judge_calls import JudgeCalls
from ragproof.store.labels import Labels
from ragproof.store.leases import Leases
from ragproof.store.runs import Runs
from ragproof.store.scores import Scores
from ragproof.store.summaries import Summaries


class Store:
    """An open store, to be shared by the threads and tasks of a process."""

    def __init__(self, database: Database, identity: str, clock: Callable[[], datetime] = now) -> None:
        """Bind the parts to one database; `ragproof.store.opening.open_store` is the way to get one.

        Args:
            database: with a current schema.
            identity: which store it is, wherever its file is moved.
            clock: tells the instants that the ledger writes.
        """
        self.identity = identity
        self.name = database.name
        """The file, or the server and database; without a password."""
        self.clock = clock
        self.leases = Leases(database, clock)
        self.runs = Runs(database, self.leases)
        self.datasets = Datasets(database, clock)
        self.calls = Calls(database, self.leases, clock)
        self.judge_calls = JudgeCalls(database, self.leases, clock)
        self.calibrations = Calibrations(database)
        self.labels = Labels(database, clock)
        self.scores = Scores(database, self.leases)
        self.summaries = Summaries(database, self.leases)
        self.database = database
        """For what is done to all parts at once: checking, pruning, erasing, archiving."""

    def close(self) -> None:
        """Commit what the ledger was given, and close every connection."""
        self.calls.close()
        self.judge_calls.close()
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
