"""The documents of a dataset as a corpus to search: each is one chunk, whose id is the document's own.

So relevance holds whether sources are matched by chunk or by document. Everything is in memory: thousands of
documents, not millions.
"""

from __future__ import annotations

from pathlib import Path

from ragproof import datasets
from ragproof.demo.chunks import Chunk
from ragproof.demo.corpus import Document
from ragproof.demo.index import Index


def index_of(path: Path) -> Index:
    """Index the documents that a dataset brings.

    Args:
        path: a BEIR folder, a SQuAD file, or another dataset whose format brings documents.

    Returns:
        The index, built anew.

    Raises:
        ConfigurationError: the dataset is absent, wrong, or brings no documents.
    """
    passages = datasets.corpus(path.absolute())
    documents = (Document(id=each.id, title=each.title, body=each.text) for each in passages)
    return Index([Chunk(id=document.id, document=document, text=document.body) for document in documents])
