"""Texts that go through the model together: the shortest first, so that equally long ones stand together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

MOST_TOKENS = 256
"""Of one batch, unless one text alone has more: a larger one is not faster, and leaves the core's cache."""


def batches(lengths: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the places of the texts of each batch.

    Args:
        lengths: how many tokens each text has; empty has no batch.

    Yields:
        Places, by length and then by place; every place once.
    """
    batch: list[int] = []
    tokens = 0
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and tokens + lengths[place] > MOST_TOKENS:
            yield tuple(batch)
            batch, tokens = [], 0
        batch.append(place)
        tokens += lengths[place]
    if batch:
        yield tuple(batch)
