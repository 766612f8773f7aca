"""The longest common subsequence: a table, the textbook's recurrence, and sequences of several blocks."""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof.metrics.answer.longest_common_subsequence import lcs_length

LENGTHS = [
    # why, first, second, length
    ("equal", "abc", "abc", 3),
    ("order counts", "abc", "cba", 1),
    ("gaps are free on either side", "axbyc", "abzc", 3),
    ("an item counts once for each time both have it", "aab", "ab", 2),
    ("a subsequence across shared ends", "aXbYa", "aYbXa", 3),
    ("nothing in common", "abc", "xyz", 0),
    ("one empty", "", "abc", 0),
    ("both empty", "", "", 0),
]


@pytest.mark.parametrize(("why", "first", "second", "length"), LENGTHS)
def test_the_length_is_the_known_one(why: str, first: str, second: str, length: int) -> None:
    """Each row is one clause of the definition."""
    assert lcs_length(first, second) == length, why


@settings(deadline=None)
@given(st.text("abc", max_size=30), st.text("abcd", max_size=30))
def test_it_is_the_recurrence_of_the_textbook(first: str, second: str) -> None:
    """Row by row: one more than the diagonal on a match, else the better neighbour."""
    above = [0] * (len(second) + 1)
    for one in first:
        row = [0]
        for at, other in enumerate(second):
            row.append(above[at] + 1 if one == other else max(above[at + 1], row[at]))
        above = row
    assert lcs_length(first, second) == above[-1]


@settings(deadline=None)
@given(st.lists(st.sampled_from("abc")), st.lists(st.sampled_from("abc")))
def test_it_does_not_matter_which_comes_first(first: Sequence[str], second: Sequence[str]) -> None:
    """Bits for one and steps for the other is an inner matter."""
    assert lcs_length(first, second) == lcs_length(second, first)


def test_blocks_hand_over_their_carries() -> None:
    """Of a shuffle and its sorted order it is the longest rising run, which patience sorting finds too."""
    shuffled = random.Random(7).sample(range(20_000), 20_000)
    piles: list[int] = []
    for number in shuffled:
        at = bisect_left(piles, number)
        piles[at : at + 1] = [number]
    first, second = [str(number) for number in shuffled], [str(number) for number in sorted(shuffled)]
    assert lcs_length(first, second) == len(piles)


def test_items_that_repeat_cross_blocks_too() -> None:
    """Two halves in the wrong order share the longer half, whatever the blocks."""
    first, second = ["x"] * 12_000, ["y"] * 9_000
    assert lcs_length([*first, *second], [*second, *first]) == 12_000


def test_long_equal_texts_cost_no_square() -> None:
    """The ends that two sequences share are counted off first."""
    tokens = [str(number) for number in range(500_000)]
    changed = [*tokens[:250_000], "another", *tokens[250_001:]]
    assert lcs_length(tokens, changed) == 499_999
