"""Retrieval by BM25 in SQLite's full-text index (FTS5), in memory and built once a process.

Two tables hold the same chunks: whole words for scripts that space them, and trigrams for Japanese. The words
table must be told that combining marks belong to words: by default its tokenizer cuts Hindi at every vowel
sign. Scores are BM25 as FTS5 computes it (k1 1.2, b 0.75) with the sign turned, so that higher is better;
they compare within one question only.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import log
from threading import Lock

from ragproof.demo.chunks import Chunk, split
from ragproof.demo.corpus import documents
from ragproof.demo.terms import content_terms, is_unspaced, normalise, terms, trigrams

TITLE_WEIGHT = 2.0
"""How much more a match in the title of the document counts than one in the text."""
MAXIMUM_QUERY_TERMS = 64
"""Terms of a question used, the first ones; a pasted page does not become a query of a thousand parts."""

_SCHEMA = """
CREATE VIRTUAL TABLE words USING fts5(
    title, body, tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co Mn Mc'"
);
CREATE VIRTUAL TABLE trigrams USING fts5(title, body, tokenize = "trigram");
"""


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that matched, and its score: higher is better."""

    chunk: Chunk
    score: float


class Index:
    """The chunks of a corpus, searchable from any thread."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        """Build both tables and count in how many chunks each term occurs."""
        self._chunks = tuple(chunks)
        self._lock = Lock()
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        self._database.executescript(_SCHEMA)
        for table, prepare in (("words", _as_terms), ("trigrams", normalise)):
            self._database.executemany(
                f"INSERT INTO {table} (rowid, title, body) VALUES (?, ?, ?)",
                ((n, prepare(c.document.title), prepare(c.text)) for n, c in enumerate(self._chunks)),
            )
        self._chunks_with = Counter(
            term for chunk in self._chunks for term in set(terms(f"{chunk.document.title}\n{chunk.text}"))
        )

    def idf(self, term: str) -> float:
        """Return the inverse document frequency of a term over chunks: positive, highest when unknown."""
        count = self._chunks_with[term]
        return log(1 + (len(self._chunks) - count + 0.5) / (count + 0.5))

    def search(self, question: str, limit: int, title_weight: float = TITLE_WEIGHT) -> tuple[Hit, ...]:
        """Return the chunks that share most with the question, best first.

        Args:
            question: any text; it is cut into terms and never read as query syntax.
            limit: the largest number of chunks, at least 1.
            title_weight: how much more a match in the title counts than one in the text, at least 0.

        Returns:
            At most `limit` hits, ties in corpus order; () when no term of the question occurs.
        """
        unspaced = is_unspaced(question)
        found = trigrams(question) if unspaced else tuple(dict.fromkeys(content_terms(question)))
        if not found:
            return ()
        table = "trigrams" if unspaced else "words"
        # Terms hold letters, marks, digits and hyphens only, so quotation marks make each a plain string.
        query = " OR ".join(f'"{term}"' for term in found[:MAXIMUM_QUERY_TERMS])
        statement = (
            f"SELECT rowid, bm25({table}, ?, 1.0) AS cost FROM {table} "
            f"WHERE {table} MATCH ? ORDER BY cost, rowid LIMIT ?"
        )
        with self._lock:
            rows = self._database.execute(statement, (title_weight, query, limit)).fetchall()
        return tuple(Hit(self._chunks[number], -cost) for number, cost in rows)


def _as_terms(text: str) -> str:
    return " ".join(terms(text))


_building = Lock()


def handbook() -> Index:
    """Return the index of the demo corpus, built by the first caller and shared by all."""
    with _building:
        return _built()


@cache
def _built() -> Index:
    return Index([chunk for document in documents() for chunk in split(document)])
