"""The forward pass of a small BERT: token ids in, one unit vector a text out, by mean pooling.

Texts of any lengths go through the layers as one table of tokens, without padding: only attention looks at
the tokens of one text alone, at those of equally long texts together. A processor adds the rows of a large
product in another order than those of a small one, so the last bits of a vector (1e-7) depend on its company.
Source: Devlin et al. (2019), doi:10.18653/v1/N19-1423; Reimers and Gurevych (2019), doi:10.18653/v1/D19-1410.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from ragproof.similarity.activation import gelu

Table = NDArray[np.float32]
Weights = Mapping[str, Table]

HEAD_COLUMNS = 32
"""Of one attention head; 12 of them in a vector of 384."""
_EPSILON = np.float32(1e-12)
_SCALE = np.float32(1 / sqrt(HEAD_COLUMNS))


@dataclass(frozen=True)
class _Linear:
    """Rows times a matrix, and a shift."""

    matrix: Table
    shift: Table

    @classmethod
    def of(cls, weights: Weights, *names: str) -> _Linear:
        """Read one, or several that take the same rows side by side."""
        matrix = np.hstack([weights[f"{name}.weight"].T for name in names])
        shift = np.hstack([weights[f"{name}.bias"] for name in names])
        return cls(np.ascontiguousarray(matrix), shift)

    def __call__(self, rows: Table) -> Table:
        given: Table = rows @ self.matrix
        given += self.shift
        return given


@dataclass(frozen=True)
class _Norm:
    """Layer normalisation: each row with mean 0 and variance 1, then scaled and shifted."""

    scale: Table
    shift: Table

    @classmethod
    def of(cls, weights: Weights, name: str) -> _Norm:
        return cls(weights[f"{name}.weight"], weights[f"{name}.bias"])

    def __call__(self, rows: Table) -> Table:
        rows -= rows.mean(axis=1, keepdims=True)
        variance = np.einsum("ij,ij->i", rows, rows)[:, None] / np.float32(rows.shape[1])
        rows /= np.sqrt(variance + _EPSILON)
        rows *= self.scale
        rows += self.shift
        return rows


class _Layer:
    """Attention, then two linear steps with an activation between; each adds to what came in."""

    def __init__(self, weights: Weights, name: str) -> None:
        own = [f"{name}.attention.self.{part}" for part in ("query", "key", "value")]
        self._queries_keys_values = _Linear.of(weights, *own)
        self._attended = _Linear.of(weights, f"{name}.attention.output.dense")
        self._attended_norm = _Norm.of(weights, f"{name}.attention.output.LayerNorm")
        self._wide = _Linear.of(weights, f"{name}.intermediate.dense")
        self._narrow = _Linear.of(weights, f"{name}.output.dense")
        self._norm = _Norm.of(weights, f"{name}.output.LayerNorm")

    def __call__(self, rows: Table, lengths: Sequence[int]) -> Table:
        attended = self._attended(_attention(self._queries_keys_values(rows), lengths))
        attended += rows
        rows = self._attended_norm(attended)
        wide = self._wide(rows)
        gelu(wide)
        narrow = self._narrow(wide)
        narrow += rows
        return self._norm(narrow)


class Encoder:
    """The whole model, its matrices laid out as they are multiplied."""

    def __init__(self, weights: Weights, layers: int = 6) -> None:
        """Read the weights by the names of the published file; arrays of 32 bit floats.

        Args:
            weights: by name; the pooler is not read, for sentence similarity takes the mean.
            layers: how many there are.
        """
        self._words = weights["embeddings.word_embeddings.weight"]
        # Every text is its own first segment, whose vector is added at each place.
        segment = weights["embeddings.token_type_embeddings.weight"][0]
        self._places = weights["embeddings.position_embeddings.weight"] + segment
        self._norm = _Norm.of(weights, "embeddings.LayerNorm")
        self._layers = [_Layer(weights, f"encoder.layer.{number}") for number in range(layers)]

    def vectors(self, texts: Sequence[Sequence[int]]) -> Table:
        """Return the unit vector of each text.

        Args:
            texts: token ids with the markers at both ends, texts of one length side by side.

        Returns:
            A row a text, in their order.
        """
        lengths = [len(ids) for ids in texts]
        places = np.concatenate([np.arange(length) for length in lengths])
        rows = self._norm(self._words[np.concatenate(texts)] + self._places[places])
        for layer in self._layers:
            rows = layer(rows, lengths)
        starts = np.concatenate(([0], np.cumsum(lengths[:-1], dtype=np.intp)))
        # The sum has the direction of the mean, and no more is asked of it.
        summed: Table = np.add.reduceat(rows, starts, axis=0)
        summed /= np.linalg.norm(summed, axis=1, keepdims=True)
        return summed


def _attention(rows: Table, lengths: Sequence[int]) -> Table:
    """Return what each token takes from the others of its text; rows are queries, keys and values."""
    columns = rows.shape[1] // 3
    heads = columns // HEAD_COLUMNS
    taken = np.empty((len(rows), columns), dtype=np.float32)
    start = 0
    for length, alike in groupby(lengths):
        texts = len(list(alike))
        stop = start + texts * length
        parts = rows[start:stop].reshape(texts, length, 3, heads, HEAD_COLUMNS).transpose(2, 0, 3, 1, 4)
        queries, keys, values = parts
        weights = queries @ keys.swapaxes(2, 3)
        weights *= _SCALE
        weights -= weights.max(axis=3, keepdims=True)
        np.exp(weights, out=weights)
        weights /= weights.sum(axis=3, keepdims=True)
        taken[start:stop].reshape(texts, length, heads, HEAD_COLUMNS)[:] = (weights @ values).swapaxes(1, 2)
        start = stop
    return taken
