"""A model of sentence similarity as its users see it: texts in, a vector of each out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Embedding:
    """A text as the model reads it."""

    vector: Vector
    """Its direction alone has a meaning."""
    tokens: int
    """Pieces of words that were read; 0 is a text that says nothing."""
    unknown: int = 0
    """Those of them that the model does not know, and cannot tell from each other."""
    cut: bool = False
    """The text is longer than the model reads: what follows its limit was left out."""


class SimilarityModel(Protocol):
    """What places texts by their meaning; the same text has the same place."""

    @property
    def sha256(self) -> str:
        """Of the weights, as 64 hex digits: numbers of other weights mean something else."""

    def embed(self, texts: Sequence[str]) -> Sequence[Embedding]:
        """Return each text's embedding, in their order; empty for none."""


@dataclass(frozen=True)
class ModelOnRecord:
    """The model of a run that is over: it was there, and need not be here."""

    sha256: str

    def embed(self, texts: Sequence[str]) -> Sequence[Embedding]:
        """Refuse: a run that is over is read, and not measured again."""
        raise ValueError(f"{len(texts)} texts for a finished run's model, expected one that is installed")
