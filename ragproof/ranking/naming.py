"""Names that columns of rankings and judgments have: those of PyTerrier, ir_measures, BEIR and ranx."""

from __future__ import annotations

from collections.abc import Collection

QUERY = ("qid", "query_id", "query-id", "q_id")
DOCUMENT = ("docno", "doc_id", "document_id", "corpus-id", "corpus_id", "docid")
SCORE = ("score",)
GAIN = ("label", "relevance", "rel", "score")
"""The first that is there counts; BEIR calls a relevance score."""


def pick(there: Collection[str], names: tuple[str, ...]) -> str | None:
    """Return the first of the names that is there."""
    return next((name for name in names if name in there), None)


def no_column(there: Collection[str], names: tuple[str, ...], kind: str) -> str:
    """Say that a column or a key is missing, which names it may have, and what there is."""
    found = ", ".join(f"'{name}'" for name in list(there)[:12]) or "nothing"
    known = " or ".join(f"'{name}'" for name in names)
    return f"no {kind} among {found}; expected {known}"
