"""Rankings and judgments in dictionaries, the shape of pytrec_eval: `{query: {document: score or gain}}`.

Ids are never copied into arrays: scores alone are flattened, a block of queries at a time, and ids are looked
up where they stand, for the first places only.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice

import numpy as np

from ragproof.ranking import values
from ragproof.ranking.evaluation import Evaluation, Options, evaluation
from ragproof.ranking.faults import Faults
from ragproof.ranking.judged import judged
from ragproof.ranking.matrix import UNJUDGED, GainMatrix, Integers
from ragproof.ranking.order import Floats, Indexes, first_places
from ragproof.ranking.overlap import documents_of_another_type, no_common_query
from ragproof.ranking.quoting import quoted

Gains = Mapping[str, int]
Scores = Mapping[str, float]
Qrels = Mapping[str, Gains]
Run = Mapping[str, Scores | Sequence[str]]

_NO_NUMBER = (struct.error, TypeError, OverflowError)


def evaluate_mappings(
    qrels: Qrels, run: Run, options: Options, *, block_documents: int = 1 << 17
) -> Evaluation:
    """Evaluate a run in dictionaries.

    Args:
        qrels: the gain of each judged document by query; a query without any is not judged.
        run: the score of each ranked document by query, or documents alone, best first; a query with none
            found nothing, and scores 0.
        options: what to measure, and by which rules.
        block_documents: how many documents are flattened at a time: enough to forget what a numpy call
            costs, few enough for the processor's cache.

    Raises:
        ConfigurationError: a score or a gain is none, a list names a document twice, or the two have no query
            in common; all faults of one kind at once.
    """
    judged = [query for query, gains in qrels.items() if gains]
    ranked = _ascending([query for query in judged if query in run])
    if not ranked:
        raise no_common_query(judged, run, chain.from_iterable(qrels.values()))
    faults = Faults()
    dropped = 0
    parts = []
    anything_judged = False
    for block in _blocks(ranked, run, block_documents):
        rankings, duplicates = _rankings(block, run, options, faults)
        matrix = _matrix(block, rankings, [qrels[query] for query in block], options, faults)
        dropped += duplicates
        if matrix is not None:
            parts.append([matrix.values(measure, options.level) for measure in options.measures])
            anything_judged = anything_judged or bool((matrix.gains != UNJUDGED).any())
    faults.raise_any("judgments and run")
    if not anything_judged:
        _refuse_another_type(ranked, qrels, run)
    return evaluation(
        options,
        ranked=ranked,
        missing=_ascending(set(judged).difference(ranked)) if len(judged) > len(ranked) else [],
        values=dict(zip(options.measures, map(np.concatenate, zip(*parts, strict=True)), strict=True)),
        unjudged=_ascending(set(run).difference(ranked)) if len(run) > len(ranked) else [],
        dropped_duplicates=dropped,
    )


def _ascending(queries: Collection[str]) -> list[str]:
    """Sort ids by code point; those that are no texts by what they would be as one."""
    return sorted(queries, key=None if set(map(type, queries)) <= {str} else str)


def _blocks(queries: Sequence[str], run: Run, documents: int) -> Iterator[list[str]]:
    block: list[str] = []
    size = 0
    for query in queries:
        block.append(query)
        size += len(run[query])
        if size >= documents:
            yield block
            block, size = [], 0
    if block:
        yield block


def _rankings(queries: Sequence[str], run: Run, options: Options, faults: Faults) -> tuple[list[Scores], int]:
    """Return the scores of each query's documents, and how many duplicates were dropped from lists."""
    rankings: list[Scores] = []
    dropped = 0
    for query in queries:
        ranking = run[query]
        if not isinstance(ranking, (dict, Mapping)):
            places: Scores = {
                document: -float(place) for place, document in enumerate(dict.fromkeys(ranking))
            }
            duplicates = len(ranking) - len(places)
            if duplicates and not options.dedupe:
                faults.add(
                    "a document is listed twice, expected each once; dedupe=True keeps its first place",
                    f"query {quoted(query)}",
                )
            dropped += duplicates
            ranking = places
        if options.ignore_identical_ids and query in ranking:
            ranking = {document: score for document, score in ranking.items() if document != query}
        rankings.append(ranking)
    return rankings, dropped


def _matrix(
    queries: Sequence[str],
    rankings: Sequence[Scores],
    qrels: Sequence[Gains],
    options: Options,
    faults: Faults,
) -> GainMatrix | None:
    """Look up the gains of the first places; None when there are faults."""

    def ids_at(row: int, columns: Indexes) -> list[str]:
        ids = list(map(str, rankings[row]))
        return [ids[column] for column in columns]

    lengths = np.array([len(ranking) for ranking in rankings])
    scores = _scores(queries, rankings, faults)
    whole = _whole_gains(queries, qrels, faults)
    if faults or scores is None or whole is None:
        return None
    places = first_places(scores, lengths, options.depth, ids_at)
    known = judged(whole, np.array([len(each) for each in qrels]), options)
    return GainMatrix(_gains(rankings, qrels, places), lengths, known)


def _scores(queries: Sequence[str], rankings: Sequence[Scores], faults: Faults) -> Floats | None:
    try:
        packed = [_doubles(len(ranking))(*ranking.values()) for ranking in rankings]
        doubles = np.frombuffer(b"".join(packed))
    except _NO_NUMBER:
        doubles = None
    if doubles is None or np.isnan(doubles).any():
        for query, ranking in zip(queries, rankings, strict=True):
            for document, found in ranking.items():
                if values.score(found) is None:
                    faults.add(values.no_score(found), _place(query, document))
        return None
    with np.errstate(over="ignore"):
        return doubles.astype(np.float32)


def _gains(rankings: Sequence[Scores], qrels: Sequence[Gains], places: Indexes) -> Integers:
    depth = places.shape[1]
    in_order = (places == np.arange(depth)).all(axis=1).tolist()
    gains: list[int] = []
    for ranking, known, ordered, columns in zip(rankings, qrels, in_order, places.tolist(), strict=True):
        gain = known.get
        if ordered:
            gains += [gain(document, UNJUDGED) for document in islice(ranking, depth)]
        else:
            ids = [*ranking, None]
            gains += [gain(ids[column], UNJUDGED) for column in columns]
    return np.array(gains, dtype=np.int64).reshape(places.shape)


def _whole_gains(queries: Sequence[str], qrels: Sequence[Gains], faults: Faults) -> Integers | None:
    try:
        packed = [_integers(len(gains))(*gains.values()) for gains in qrels]
        whole = np.frombuffer(b"".join(packed), dtype=np.int64)
        if np.abs(whole).max() <= values.LARGEST_GAIN:
            return whole
    except _NO_NUMBER:
        pass
    # Whole doubles are gains, too; whatever else there is, is a fault.
    read = []
    for query, gains in zip(queries, qrels, strict=True):
        for document, found in gains.items():
            read.append(values.gain(found))
            if read[-1] is None:
                faults.add(values.no_gain(found), _place(query, document))
    return None if None in read else np.array(read, dtype=np.int64)


def _place(query: str, document: str) -> str:
    return f"query {quoted(query)}, document {quoted(document)}"


def _refuse_another_type(ranked: Sequence[str], qrels: Qrels, run: Run) -> None:
    """Refuse ids that no lookup can match because one side has numbers where the other has texts."""
    refused = documents_of_another_type(
        chain.from_iterable(qrels[query] for query in ranked),
        chain.from_iterable(run[query] for query in ranked),
    )
    if refused:
        raise refused


@lru_cache(maxsize=4096)
def _doubles(count: int) -> Callable[..., bytes]:
    return struct.Struct(f"{count}d").pack


@lru_cache(maxsize=4096)
def _integers(count: int) -> Callable[..., bytes]:
    return struct.Struct(f"{count}q").pack
