"""The demo pipeline: retrieve, optionally re-rank, then quote. No language model, no network, no randomness.

It is honest work and no more: it has no synonyms and no translation, and it quotes what it finds.
`Pipeline()` and `Pipeline(rerank=True)` are the two that the demo compares; `Pipeline(corpus="scifact")`
searches the documents of a BEIR folder, or of a SQuAD file, in place of the handbook.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

from ragproof.demo.answerer import answer
from ragproof.demo.corpus import Document
from ragproof.demo.index import TITLE_WEIGHT, Hit, handbook
from ragproof.demo.passages import index_of
from ragproof.demo.reranker import rerank

POOL_FACTOR = 5
"""How many times more hits the re-ranker looks at than it returns."""


class Retrieved(TypedDict):
    """A retrieved chunk, as the python adapter reads it."""

    id: str
    text: str
    score: float
    metadata: dict[str, str]


class Usage(TypedDict):
    """What an answer cost: nothing, because no model is called."""

    input_tokens: int
    output_tokens: int
    llm_calls: int


class Reply(TypedDict):
    """An answer with its evidence, as the python adapter reads it."""

    answer: str
    retrieved: list[Retrieved]
    citations: list[str]
    usage: Usage


class Pipeline:
    """Question answering over the handbook, or another corpus; one object serves any number of threads."""

    def __init__(
        self, rerank: bool = False, corpus: str | None = None, title_weight: float = TITLE_WEIGHT
    ) -> None:
        """Build or share the index.

        Args:
            rerank: whether a second step orders the hits of BM25 anew.
            corpus: a dataset that brings its documents, from the current directory; None for the handbook.
            title_weight: how much more a match in a document's title counts than one in its text.

        Raises:
            ConfigurationError: the corpus is absent, wrong, or of a format without documents.
        """
        self._rerank = rerank
        self._title_weight = title_weight
        self._index = handbook() if corpus is None else index_of(Path(corpus))

    def retrieve(self, question: str, k: int) -> list[Retrieved]:
        """Return the chunks that fit a question, best first.

        Args:
            question: any text.
            k: how many chunks at most, at least 1.

        Returns:
            At most k chunks; [] when nothing matches.

        Raises:
            ValueError: when k is below 1.
        """
        return _as_retrieved(self._hits(question, k))

    def answer(self, question: str, k: int = 5) -> Reply:
        """Answer a question from its k best chunks, or decline.

        Args:
            question: any text.
            k: how many chunks the answerer reads, at least 1.

        Returns:
            The answer with `[n]` markers (n is the rank of a chunk), the chunks read and the ids quoted.

        Raises:
            ValueError: when k is below 1.
        """
        hits = self._hits(question, k)
        reply = answer(question, [hit.chunk for hit in hits], self._index)
        return {
            "answer": reply.text,
            "retrieved": _as_retrieved(hits),
            "citations": list(reply.citations),
            "usage": {"input_tokens": 0, "output_tokens": 0, "llm_calls": 0},
        }

    def _hits(self, question: str, k: int) -> tuple[Hit, ...]:
        if k < 1:
            raise ValueError(f"k must be at least 1, not '{k}'")
        if not self._rerank:
            return self._index.search(question, k, self._title_weight)
        pool = self._index.search(question, POOL_FACTOR * k, self._title_weight)
        return rerank(question, pool, self._index)[:k]


def _as_retrieved(hits: Sequence[Hit]) -> list[Retrieved]:
    return [
        {
            "id": hit.chunk.id,
            "text": hit.chunk.text,
            "score": hit.score,
            "metadata": _described(hit.chunk.document),
        }
        for hit in hits
    ]


def _described(document: Document) -> dict[str, str]:
    known = {"document_id": document.id, "title": document.title}
    return known | {"date": document.date.isoformat()} if document.date else known
