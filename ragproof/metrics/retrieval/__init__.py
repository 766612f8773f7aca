"""Metrics of the ranking against the expected source ids."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ragproof.ranking.evaluating import Judgments, Table
    from ragproof.ranking.evaluation import Evaluation
    from ragproof.ranking.mappings import Qrels, Run


def evaluate(
    qrels: Qrels | Table | Judgments,
    run: Run | Table,
    k: int = 10,
    metrics: Iterable[str] | None = None,
    level: int = 1,
    *,
    complete: bool = False,
    ignore_identical_ids: bool = False,
    dedupe: bool = False,
) -> Evaluation:
    """Hold a ranking against relevance judgments, as trec_eval 9.0.8 does.

    Args:
        qrels: the gain of each judged document by query, `{"q1": {"d1": 2}}`; or a polars or pandas frame
            with the columns qid, docno and label; or the path of a TREC, BEIR, JSONL or Parquet file.
            `ragproof.ranking.evaluating.Judgments(qrels)` reads them once for several runs.
        run: the score of each ranked document by query, `{"q1": {"d1": 12.3}}`, or documents alone, best
            first; or a frame with the columns qid, docno and score; or the path of a file.
        k: the cutoff of every metric that is not named with its own.
        metrics: names such as `ndcg@5`, in the spelling of ir_measures too (`nDCG@5`, `P(rel=2)@5`, `AP`);
            None is all of them at k. The share of judged documents always stands beside them.
        level: the gain from which a document is relevant; nDCG weighs by gain and ignores it.
        complete: average over every judged query, those that the run lacks as 0 (trec_eval -c).
        ignore_identical_ids: drop a document whose id is the query's own.
        dedupe: keep the best score of a document that a file or a frame ranks twice for a query, and count
            what was dropped, where it would be an error otherwise.

    Returns:
        `means` by key, a polars frame `per_query`, and the queries that are missing on either side.

    Raises:
        ConfigurationError: something cannot be read or understood; all faults of one kind at once.
    """
    from ragproof.ranking.evaluating import Judgments
    from ragproof.ranking.evaluation import Options
    from ragproof.ranking.measures import read_measures

    options = Options(read_measures(metrics, k), level, complete, ignore_identical_ids, dedupe)
    return (qrels if isinstance(qrels, Judgments) else Judgments(qrels)).evaluate(run, options)
