"""Random draws that depend on the seed and the draw's number alone: not on batches, threads or other columns.

Draws come in streams of 64. Stream i of a purpose has its own generator, seeded with (seed, purpose, i), so a
batch is any number of whole streams and the same seed gives the same draws however they are grouped.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ragproof.statistics.samples import FloatArray

STREAM = 64
DRAWS = 9_999
BATCH = 512
_MOST_NUMBERS_HELD = 2**23

_SIGNS, _RESAMPLES = 0, 1


def plus_signs(n: int, *, draws: int, seed: int, batch: int) -> Iterator[FloatArray]:
    """Draw fair signs, one a case.

    Args:
        n: cases, at least 1.
        draws: rows in total, at least 1.
        seed: a whole number of at least 0.
        batch: about how many rows to hold at a time, fewer when they are long; changes memory and speed, no
            draw.

    Yields:
        Arrays of shape (rows, n): 1 where the sign is plus, 0 where it is minus.
    """
    words = -(-n // 64)
    for streams, rows in _batches(n, draws, batch):
        raw = [_bits(seed, _SIGNS, stream).random_raw(STREAM * words) for stream in streams]
        octets = np.concatenate(raw).astype("<u8", copy=False).view(np.uint8).reshape(-1, words * 8)
        yield np.unpackbits(octets[:rows], axis=1, count=n).astype(np.float64)


def resample_counts(n: int, *, draws: int, seed: int, batch: int) -> Iterator[FloatArray]:
    """Draw n cases with replacement and count how often each was drawn.

    Args:
        n: cases, at least 1.
        draws: rows in total, at least 1.
        seed: a whole number of at least 0.
        batch: about how many rows to hold at a time, fewer when they are long; changes memory and speed, no
            draw.

    Yields:
        Arrays of shape (rows, n), whole numbers that sum to n in each row.
    """
    small = np.uint16 if n <= np.iinfo(np.uint16).max else np.uint32
    for streams, rows in _batches(n, draws, batch):
        counts = np.empty((rows, n))
        for place, stream in enumerate(streams):
            generator = np.random.Generator(_bits(seed, _RESAMPLES, stream))
            first = place * STREAM
            # Row by row: the counts of one resample stay in the cache.
            for row, drawn in enumerate(
                generator.integers(0, n, (STREAM, n), dtype=small)[: rows - first], first
            ):
                counts[row] = np.bincount(drawn, minlength=n)
        yield counts


def checked_draws(draws: int, seed: int, batch: int) -> None:
    """Refuse numbers of draws, seeds and batches that mean nothing.

    Args:
        draws: at least 1.
        seed: at least 0.
        batch: at least 1.

    Raises:
        ValueError: when one is smaller.
    """
    for name, value, least in (("draws", draws, 1), ("seed", seed, 0), ("batch", batch, 1)):
        if value < least:
            raise ValueError(f"'{name}' is {value}; expected at least {least}")


def _bits(seed: int, purpose: int, stream: int) -> np.random.PCG64:
    return np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(purpose, stream)))


def _batches(n: int, draws: int, batch: int) -> Iterator[tuple[range, int]]:
    streams = -(-draws // STREAM)
    together = max(1, min(batch, _MOST_NUMBERS_HELD // n) // STREAM)
    for first in range(0, streams, together):
        taken = range(first, min(first + together, streams))
        yield taken, min(draws, taken.stop * STREAM) - first * STREAM
