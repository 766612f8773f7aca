"""Several runs on the queries that all of them are scored on: means over other queries would differ by the
queries, not by the runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ragproof.errors import ConfigurationError
from ragproof.ranking.evaluation import Evaluation
from ragproof.ranking.quoting import quoted, some

_RUNS_NAMED = 3


@dataclass(frozen=True, eq=False)
class SharedQueries:
    """Runs side by side, query by query.

    Attributes:
        queries: those that every run is scored on, ascending; at least one.
        left_out: those that some runs are scored on and others are not, ascending.
        evaluations: of each run by name, over `queries` alone.
    """

    queries: tuple[str, ...]
    left_out: tuple[str, ...]
    evaluations: Mapping[str, Evaluation]

    @property
    def complete(self) -> bool:
        """Whether they are all judged queries, those that a run lacks as 0."""
        return all(run.complete for run in self.evaluations.values())


def on_shared_queries(evaluations: Mapping[str, Evaluation]) -> SharedQueries:
    """Cut runs down to the queries that all of them are scored on.

    Args:
        evaluations: of at least one run by name, against the same judgments and by the same rules.

    Returns:
        The runs over those queries; with `complete` that is every judged query.

    Raises:
        ConfigurationError: there is none.
    """
    scored = [run.queries for run in evaluations.values()]
    shared = set(scored[0]).intersection(*scored[1:])
    if not shared:
        raise ConfigurationError(_none_shared(evaluations))
    return SharedQueries(
        queries=tuple(sorted(shared)),
        left_out=tuple(sorted(set().union(*scored) - shared)),
        evaluations={name: _only(run, shared) for name, run in evaluations.items()},
    )


def _only(run: Evaluation, queries: set[str]) -> Evaluation:
    if len(queries) == len(run.queries):
        return run
    kept = np.array([query in queries for query in run.queries])
    return replace(
        run,
        queries=tuple(query for query in run.queries if query in queries),
        values={key: column[kept] for key, column in run.values.items()},
    )


def _none_shared(evaluations: Mapping[str, Evaluation]) -> str:
    named = list(evaluations.items())[:_RUNS_NAMED]
    told = [f"{quoted(name)} is scored on {some(run.queries)}" for name, run in named]
    return (
        f"no query is scored in all {len(evaluations)} runs: {'; '.join(told)}; expected some in common;"
        " --complete (complete=True) counts a judged query that a run lacks as 0"
    )
