"""What an evaluation gives back: a value a query and measure, their means, and what could not be averaged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ragproof.errors import ConfigurationError
from ragproof.ranking.matrix import Values
from ragproof.ranking.measures import Measure, deepest, read_measure

if TYPE_CHECKING:
    import polars as pl

QUERY = "query_id"
"""The column of the frame that names the query."""


@dataclass(frozen=True)
class Options:
    """What is measured, and by which rules.

    Raises:
        ConfigurationError: the level is none.
    """

    measures: tuple[Measure, ...]
    level: int = 1
    """The gain from which a document is relevant; nDCG weighs by gain and has no level."""
    complete: bool = False
    """Average over every judged query (trec_eval -c), not only over those in the run."""
    ignore_identical_ids: bool = False
    """Drop a document whose id is the query's own."""
    dedupe: bool = False
    """Keep the best score of a document that a query's ranking holds more than once."""

    def __post_init__(self) -> None:
        if isinstance(self.level, bool) or not isinstance(self.level, int) or self.level < 1:
            raise ConfigurationError(f"level is '{self.level}', expected a whole number of at least 1")

    @property
    def depth(self) -> int | None:
        """How many places of each ranking are looked at; None is all."""
        return deepest(self.measures)

    @property
    def levels(self) -> frozenset[int]:
        """Every level that a measure needs."""
        return frozenset(measure.level or self.level for measure in self.measures)


class Means(dict[str, float | None]):
    """Means by key; a key may be asked for in any spelling that a measure may be named in."""

    def __missing__(self, name: str) -> float | None:
        key = str(read_measure(name))
        if key not in self:
            raise KeyError(name)
        return self[key]


@dataclass(frozen=True, eq=False)
class Evaluation:
    """One run held against one set of judgments."""

    queries: tuple[str, ...]
    """Those that the means are over, ascending."""
    values: Mapping[str, Values]
    """By key, one value a query; NaN where `judged` has nothing to judge."""
    level: int
    complete: bool
    missing_in_run: tuple[str, ...]
    """Judged, and not in the run; they count as 0 when `complete`, and not at all otherwise."""
    unjudged_queries: tuple[str, ...]
    """In the run, and not judged; they never count."""
    dropped_duplicates: int = 0

    @cached_property
    def means(self) -> Means:
        """The mean of each measure by key; None where no query has a value."""
        return Means({key: _mean(values[~np.isnan(values)]) for key, values in self.values.items()})

    @cached_property
    def per_query(self) -> pl.DataFrame:
        """A row a query: `query_id`, then a column a measure; null where there is nothing to judge."""
        import polars as pl

        # Polars holds no half of a surrogate pair, which an id in a dictionary may have.
        names = [query.encode("utf-8", "backslashreplace").decode() for query in self.queries]
        columns = {key: pl.Series(values).fill_nan(None) for key, values in self.values.items()}
        return pl.DataFrame({QUERY: pl.Series(names, dtype=pl.String), **columns})

    def by_query(self) -> dict[str, dict[str, float | None]]:
        """Return the values as plain numbers by query and key; None where there is nothing to judge."""
        columns = {key: _plain(values) for key, values in self.values.items()}
        return {
            query: {key: column[number] for key, column in columns.items()}
            for number, query in enumerate(self.queries)
        }


def evaluation(
    options: Options,
    *,
    ranked: Sequence[str],
    values: Mapping[Measure, Values],
    missing: Sequence[str],
    unjudged: Sequence[str],
    dropped_duplicates: int = 0,
) -> Evaluation:
    """Put the values of the ranked queries together with what is missing on either side.

    Args:
        options: what was asked for.
        ranked: the queries that are judged and in the run, ascending.
        values: one value a ranked query, by measure.
        missing: judged queries that the run lacks, ascending.
        unjudged: queries of the run without a judgment, ascending.
        dropped_duplicates: how many rows were dropped as duplicates.
    """
    queries = tuple(map(str, ranked))
    if options.complete and missing:
        queries = tuple(sorted([*queries, *map(str, missing)]))
        present = ~np.isin(np.arange(len(queries)), _positions(queries, map(str, missing)))
        values = {measure: _spread(column, present, measure) for measure, column in values.items()}
    return Evaluation(
        queries=queries,
        values={str(measure): column for measure, column in values.items()},
        level=options.level,
        complete=options.complete,
        missing_in_run=tuple(map(str, missing)),
        unjudged_queries=tuple(map(str, unjudged)),
        dropped_duplicates=dropped_duplicates,
    )


def _positions(queries: Sequence[str], some: Iterable[str]) -> list[int]:
    position = {query: number for number, query in enumerate(queries)}
    return [position[query] for query in some]


def _spread(column: Values, present: np.ndarray, measure: Measure) -> Values:
    """Give a query that the run lacks 0: it found nothing. What it would be judged on, nobody can say."""
    whole = np.full(len(present), np.nan if measure.name == "judged" else 0.0)
    whole[present] = column
    return whole


def _mean(values: Values) -> float | None:
    """Return the mean, summed in the order of the queries as trec_eval does: the last digit agrees."""
    return float(np.add.accumulate(values)[-1] / len(values)) if len(values) else None


def _plain(values: Values) -> list[float | None]:
    return [None if value != value else value for value in values.tolist()]
