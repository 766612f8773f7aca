"""The longest common subsequence of two sequences: the most items that both have in the same order.

Bit-parallel: one bit an item of the first sequence, one step an item of the second. The bits come in blocks,
so that memory grows with the length and not with its square; each step hands its carry to the next block.
Source: Hyyrö, "Bit-parallel LCS-length computation revisited" (2004); Crochemore, Iliopoulos, Pinzon and
Reid (2001), doi:10.1016/S0020-0190(01)00182-X.
False friend: a common substring, whose items stand side by side.
"""

from __future__ import annotations

from collections.abc import Sequence

_BLOCK_BITS = 8192


def lcs_length(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the length of the longest common subsequence.

    Args:
        first: items; empty shares nothing.
        second: items; empty shares nothing. Time grows with the product of the two lengths, where the
        sequences differ and have items in common.

    Returns:
        A count from 0 to the length of the shorter.
    """
    start, end = _shared_ends(first, second)
    shared = frozenset(first) & frozenset(second)
    rows = [item for item in first[start : len(first) - end] if item in shared]
    columns = [item for item in second[start : len(second) - end] if item in shared]
    carries = bytearray(len(columns))
    blocks = (rows[at : at + _BLOCK_BITS] for at in range(0, len(rows), _BLOCK_BITS))
    return start + sum(_block_length(block, columns, carries) for block in blocks) + end


def _block_length(rows: Sequence[str], columns: Sequence[str], carries: bytearray) -> int:
    """Return how many of the rows are in the subsequence, and leave the carries for the rows that follow."""
    places: dict[str, int] = {}
    for index, item in enumerate(rows):
        places[item] = places.get(item, 0) | 1 << index
    bits = len(rows)
    every = (1 << bits) - 1
    unmatched = every
    for column, item in enumerate(columns):
        matches = unmatched & places.get(item, 0)
        added = unmatched + matches + carries[column]
        carries[column] = added >> bits
        unmatched = (added | unmatched - matches) & every
    return bits - unmatched.bit_count()


def _shared_ends(first: Sequence[str], second: Sequence[str]) -> tuple[int, int]:
    """Return how many items the two have in common from the start, and of the others from the end."""
    shorter = min(len(first), len(second))
    start = 0
    while start < shorter and first[start] == second[start]:
        start += 1
    end = 0
    while end < shorter - start and first[-1 - end] == second[-1 - end]:
        end += 1
    return start, end
