"""Rankings in columns, from files or frames: streamed, and cut to the places that count.

Of a run's rows only those are kept whose score reaches the last place that a measure looks at; their ids
alone are held against the judgments.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ragproof.ranking import duplicates
from ragproof.ranking.column_judgments import ColumnJudgments
from ragproof.ranking.evaluation import Evaluation, Options, evaluation
from ragproof.ranking.matrix import UNJUDGED, GainMatrix, Integers, Values
from ragproof.ranking.measures import Measure
from ragproof.ranking.order import NOWHERE, Floats, Indexes, first_places, least_scores
from ragproof.ranking.overlap import no_common_query
from ragproof.ranking.rows import Block, Source, each_block


class _Part(NamedTuple):
    """What is left of a block: the rows that may count."""

    seen: duplicates.Glimpse
    codes: NDArray[np.int32]
    scores: Floats
    documents: pl.Series
    queries: Integers
    retrieved: Integers
    """How many documents the block has for each of the queries."""


class _Candidates(NamedTuple):
    """The rows of a run that may count, one query after the other."""

    ranked: Integers
    """The numbers of the judged queries that the run has, ascending."""
    unjudged: list[str]
    lengths: Integers
    """How many candidates each of them has."""
    retrieved: Integers
    """How many documents each of them has."""
    scores: Floats
    documents: pl.Series


def evaluate_columns(
    judgments: ColumnJudgments, run: Source, options: Options, *, together: int = 1 << 16
) -> Evaluation:
    """Evaluate a run in columns.

    Args:
        judgments: the judged side.
        run: the rows of the ranked side, a score each.
        options: what to measure, and by which rules.
        together: about how many rows that may count are held against the judgments at a time.

    Raises:
        ConfigurationError: the run cannot be read or ranks a document twice, or it has no query in common
            with the judgments; all faults of one kind at once.
    """
    dropped = duplicates.NO_ROWS
    watch = duplicates.Watch()
    candidates = _candidates(judgments, run, options, dropped, watch)
    suspected = watch.suspected(run)
    pairs = duplicates.find(run, suspected) if len(suspected) else {}
    if pairs and not options.dedupe:
        duplicates.refuse(run, pairs)
    if pairs:
        dropped = duplicates.all_but_the_best(pairs)
        candidates = _candidates(judgments, run, options, dropped, duplicates.Watch())
    queries = list(judgments.code)
    missing = np.ones(len(queries), dtype=bool)
    missing[candidates.ranked] = False
    return evaluation(
        options,
        ranked=[queries[number] for number in candidates.ranked.tolist()],
        values=_values(judgments, candidates, options, together),
        missing=[queries[number] for number in np.flatnonzero(missing).tolist()],
        unjudged=candidates.unjudged,
        dropped_duplicates=len(dropped),
    )


def _candidates(
    judgments: ColumnJudgments, run: Source, options: Options, dropped: Indexes, watch: duplicates.Watch
) -> _Candidates:
    parts: list[tuple[NDArray[np.int32], Floats, pl.Series]] = []
    seen: dict[str, None] = {}
    retrieved = np.zeros(len(judgments.code), dtype=np.int64)
    work = partial(_part, code=judgments.code, options=options, dropped=dropped)
    for part in each_block(run, work):
        if part is not None:
            watch.see(part.seen)
            seen.update(dict.fromkeys(part.seen.queries))
            retrieved[part.queries] += part.retrieved
            parts.append((part.codes, part.scores, part.documents))
    ranked = sorted(judgments.code[query] for query in seen if query in judgments.code)
    if not ranked:
        raise no_common_query(judgments.code, seen, judgments.documents)
    codes, scores = (np.concatenate([part[column] for part in parts]) for column in (0, 1))
    documents = pl.concat([part[2] for part in parts])
    if (codes[1:] < codes[:-1]).any():
        order = np.argsort(codes, kind="stable")
        codes, scores, documents = codes[order], scores[order], documents.gather(order)
    return _Candidates(
        ranked=np.array(ranked),
        unjudged=sorted(query for query in seen if query not in judgments.code),
        lengths=np.bincount(codes, minlength=len(retrieved))[ranked],
        retrieved=retrieved[ranked],
        scores=scores,
        documents=documents,
    )


def _part(block: Block, code: Mapping[str, int], options: Options, dropped: Indexes) -> _Part | None:
    if not len(block):
        return None
    seen = duplicates.glimpse(block)
    block = _counting(block, options, dropped)
    queries, lengths, rows = _grouped(block, code)
    with np.errstate(over="ignore"):
        scores = block.values.astype(np.float32)[rows]
    codes = np.repeat(queries.astype(np.int32), lengths)
    if options.depth is not None:
        reaching = np.flatnonzero(scores >= np.repeat(least_scores(scores, lengths, options.depth), lengths))
        scores, codes = scores[reaching], codes[reaching]
        rows = reaching if isinstance(rows, slice) else rows[reaching]
    documents = block.documents if isinstance(rows, slice) else block.documents.gather(rows)
    return _Part(seen, codes, scores, documents, queries, lengths)


def _counting(block: Block, options: Options, dropped: Indexes) -> Block:
    """Leave out the rows that do not count, whatever their score."""
    if options.ignore_identical_ids:
        block = block.only((block.queries != block.documents).to_numpy())
    if len(dropped):
        block = block.only(~np.isin(np.asarray(block.numbers), dropped))
    return block


def _grouped(block: Block, code: Mapping[str, int]) -> tuple[Integers, Integers, Indexes | slice]:
    """Return the numbers of the judged queries, how many rows each has, and the rows, query after query."""
    names, lengths = block.stretches
    codes = np.array([code.get(query, NOWHERE) for query in names], dtype=np.int64)
    judged = codes != NOWHERE
    if judged.all() and (codes[1:] > codes[:-1]).all():
        return codes, lengths, slice(None)
    rows = np.flatnonzero(np.repeat(judged, lengths))
    of_rows = np.repeat(codes[judged], lengths[judged])
    order = np.argsort(of_rows, kind="stable")
    queries, counts = np.unique(of_rows, return_counts=True)
    return queries, counts, rows[order]


def _values(
    judgments: ColumnJudgments, candidates: _Candidates, options: Options, together: int
) -> dict[Measure, Values]:
    parts = []
    for rows in _slices(candidates.lengths, together):
        matrix = _matrix(judgments, candidates, rows, options)
        parts.append([matrix.values(measure, options.level) for measure in options.measures])
    return dict(zip(options.measures, map(np.concatenate, zip(*parts, strict=True)), strict=True))


def _slices(lengths: Integers, together: int) -> Iterator[slice]:
    """Cut the queries where about so many candidates are together."""
    crossed = np.cumsum(lengths) // together
    edges = [0, *(np.flatnonzero(np.diff(crossed)) + 1).tolist(), len(lengths)]
    return (slice(first, stop) for first, stop in pairwise(edges))


def _matrix(judgments: ColumnJudgments, candidates: _Candidates, rows: slice, options: Options) -> GainMatrix:
    queries, lengths = candidates.ranked[rows], candidates.lengths[rows]
    ends = int(candidates.lengths[: rows.stop].sum())
    own = slice(ends - int(lengths.sum()), ends)
    scores, documents = candidates.scores[own], candidates.documents[own]
    starts = np.cumsum(lengths) - lengths

    def ids_at(row: int, columns: Indexes) -> list[str]:
        ids: list[str] = documents.gather(starts[row] + columns).to_list()
        return ids

    places = first_places(scores, lengths, options.depth, ids_at)
    filled = places != NOWHERE
    gains = np.full(places.shape, UNJUDGED)
    if filled.any():
        codes = np.repeat(queries, filled.sum(axis=1))
        gains[filled] = judgments.look_up(codes, documents.gather((starts[:, None] + places)[filled]))
    return GainMatrix(gains, candidates.retrieved[rows], judgments.judged(queries, options))
