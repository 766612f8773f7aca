"""The forward pass: a small BERT of random weights, held against the definition written out for one text."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from ragproof.similarity.activation import gelu
from ragproof.similarity.batches import MOST_TOKENS, batches
from ragproof.similarity.encoder import HEAD_COLUMNS, Encoder, Weights

HEADS, LAYERS, WORDS, PLACES = 2, 2, 50, 40
COLUMNS, WIDE = HEADS * HEAD_COLUMNS, 100
Exact = NDArray[np.float64]


def random_weights(seed: int) -> Weights:
    """Return weights by the names of the published file."""
    draw = np.random.default_rng(seed)

    def table(*shape: int) -> NDArray[np.float32]:
        return draw.normal(0.0, 0.2, shape).astype(np.float32)

    found = {
        "embeddings.word_embeddings.weight": table(WORDS, COLUMNS),
        "embeddings.position_embeddings.weight": table(PLACES, COLUMNS),
        "embeddings.token_type_embeddings.weight": table(2, COLUMNS),
    }
    linear = {"attention.self.query": (COLUMNS, COLUMNS), "attention.self.key": (COLUMNS, COLUMNS)}
    linear |= {"attention.self.value": (COLUMNS, COLUMNS), "attention.output.dense": (COLUMNS, COLUMNS)}
    linear |= {"intermediate.dense": (WIDE, COLUMNS), "output.dense": (COLUMNS, WIDE)}
    names = ["embeddings.LayerNorm"]
    for layer in (f"encoder.layer.{number}." for number in range(LAYERS)):
        names += [f"{layer}attention.output.LayerNorm", f"{layer}output.LayerNorm"]
        for name, shape in linear.items():
            found |= {f"{layer}{name}.weight": table(*shape), f"{layer}{name}.bias": table(shape[0])}
    return found | {f"{name}.{part}": table(COLUMNS) for name in names for part in ("weight", "bias")}


def by_definition(weights: Weights, ids: Sequence[int]) -> Exact:
    """Return one text's vector in double precision, as the paper says it, a token and a head at a time."""
    exact = {name: table.astype(float) for name, table in weights.items()}

    def linear(name: str, rows: Exact) -> Exact:
        return np.array([exact[f"{name}.weight"] @ row for row in rows]) + exact[f"{name}.bias"]

    def norm(name: str, rows: Exact) -> Exact:
        centred = [(row - row.mean()) / math.sqrt(row.var() + 1e-12) for row in rows]
        return np.array(centred) * exact[f"{name}.weight"] + exact[f"{name}.bias"]

    words, places = exact["embeddings.word_embeddings.weight"], exact["embeddings.position_embeddings.weight"]
    segment = exact["embeddings.token_type_embeddings.weight"][0]
    rows = np.array([words[id] + places[place] + segment for place, id in enumerate(ids)])
    rows = norm("embeddings.LayerNorm", rows)
    for layer in (f"encoder.layer.{number}" for number in range(LAYERS)):
        queries, keys, values = (
            linear(f"{layer}.attention.self.{part}", rows) for part in ("query", "key", "value")
        )
        heads = []
        for head in range(HEADS):
            own = slice(head * HEAD_COLUMNS, (head + 1) * HEAD_COLUMNS)
            shares = np.exp(queries[:, own] @ keys[:, own].T / math.sqrt(HEAD_COLUMNS))
            heads.append(shares / shares.sum(axis=1, keepdims=True) @ values[:, own])
        attended = linear(f"{layer}.attention.output.dense", np.hstack(heads))
        rows = norm(f"{layer}.attention.output.LayerNorm", attended + rows)
        wide = linear(f"{layer}.intermediate.dense", rows)
        wide = np.vectorize(lambda x: x * 0.5 * (1 + math.erf(x / math.sqrt(2))))(wide)
        rows = norm(f"{layer}.output.LayerNorm", linear(f"{layer}.output.dense", wide) + rows)
    mean: Exact = rows.mean(axis=0)
    return mean / np.linalg.norm(mean)


TEXTS = st.lists(st.lists(st.integers(0, WORDS - 1), min_size=2, max_size=PLACES), min_size=1, max_size=6)


@given(texts=TEXTS, seed=st.integers(0, 20))
def test_a_batch_is_the_definition_of_each_of_its_texts(texts: list[list[int]], seed: int) -> None:
    """Texts of any lengths side by side: none sees another, and each has the vector that it has alone."""
    weights = random_weights(seed)
    given = sorted(texts, key=len)
    found = Encoder(weights, layers=LAYERS).vectors(given)
    expected = np.array([by_definition(weights, ids) for ids in given])
    assert np.abs(found - expected).max() < 2e-6
    assert np.linalg.norm(found, axis=1) == pytest.approx(np.ones(len(given)), abs=1e-6)


@given(st.lists(st.floats(-30, 30, width=32), min_size=1, max_size=200))
def test_the_activation_is_gelu(numbers: list[float]) -> None:
    """x Φ(x), Φ being the normal distribution: by the error function and not by tanh."""
    rows = np.array([numbers], dtype=np.float32).T
    gelu(rows)
    expected = [x * 0.5 * (1 + math.erf(x / math.sqrt(2))) for x in numbers]
    assert rows[:, 0] == pytest.approx(expected, abs=4e-7, rel=4e-7)


@given(st.lists(st.integers(2, 256), max_size=40))
def test_batches_hold_every_text_once_the_shortest_first(lengths: list[int]) -> None:
    """Equally long texts stand together, and no batch has more tokens than fit, unless it is one text."""
    found = list(batches(lengths))
    places = [place for batch in found for place in batch]
    assert sorted(places) == list(range(len(lengths)))
    assert [lengths[place] for place in places] == sorted(lengths)
    for batch in found:
        assert len(batch) == 1 or sum(lengths[place] for place in batch) <= MOST_TOKENS
