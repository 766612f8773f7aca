"""all-MiniLM-L6-v2 on one core of this machine: loaded when first asked, and once a process.

A vector's last bits depend on the texts that it is computed with. So a call's texts are always computed
together, and kept together: the same call has the same vectors, whatever was asked before.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from ragproof.similarity import weights
from ragproof.similarity.batches import batches
from ragproof.similarity.model import Embedding
from ragproof.similarity.word_pieces import MARKERS, WordPieces

KEPT_CALLS = 8_192
"""About 30 MB of vectors; the oldest make room."""
_ONE_AT_A_TIME = threading.Lock()


@dataclass(frozen=True)
class MiniLM:
    """The model whose files lie in a folder."""

    folder: Path

    @property
    def sha256(self) -> str:
        """Of the weights, which are read for it.

        Raises:
            ConfigurationError: a file is not the published one.
        """
        return weights.verify(self.folder)

    def embed(self, texts: Sequence[str]) -> Sequence[Embedding]:
        """Return each text's embedding, in their order; several threads take turns.

        Raises:
            ConfigurationError: a file is not the published one.
        """
        with _ONE_AT_A_TIME:  # it computes and never waits: at once, they would only interrupt each other
            return _loaded(self.folder).embed(texts)


def installed() -> MiniLM | None:
    """Return the model of this machine, not yet loaded; None where it is not installed.

    Raises:
        ConfigurationError: the environment names a folder that cannot be used.
    """
    folder = weights.locate()
    return None if folder is None else MiniLM(folder)


@lru_cache(maxsize=1)
def _loaded(folder: Path) -> _Loaded:
    weights.verify(folder)
    return _Loaded(folder)


class _Loaded:
    """The model in memory, with what it was asked."""

    def __init__(self, folder: Path) -> None:
        from ragproof.similarity.encoder import Encoder

        files: Any = import_module("safetensors.numpy")
        self._pieces = WordPieces(folder / weights.TOKENIZER)
        self._encoder = Encoder(files.load_file(folder / weights.WEIGHTS))
        threads: Any = import_module("threadpoolctl")
        self._threads = threads.ThreadpoolController()
        self._kept: dict[bytes, Sequence[Embedding]] = {}

    def embed(self, texts: Sequence[str]) -> Sequence[Embedding]:
        key = _hash(texts)
        if key not in self._kept:
            if len(self._kept) >= KEPT_CALLS:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = self._embed(texts)
        return self._kept[key]

    def _embed(self, texts: Sequence[str]) -> Sequence[Embedding]:
        read = [self._pieces.read(text) for text in texts]
        found: dict[int, Embedding] = {}
        # Two threads on products this small wait for each other longer than they compute.
        with self._threads.limit(limits=1, user_api="blas"):
            for places in batches([len(each.ids) for each in read]):
                vectors = self._encoder.vectors([read[place].ids for place in places])
                for place, vector in zip(places, vectors, strict=True):
                    text = read[place]
                    found[place] = Embedding(vector, len(text.ids) - MARKERS, text.unknown, text.cut)
        return tuple(found[place] for place in range(len(texts)))


def _hash(texts: Sequence[str]) -> bytes:
    digest = hashlib.sha256()
    for text in texts:
        content = text.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(content))
        digest.update(content)
    return digest.digest()
