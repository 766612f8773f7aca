"""Cutting a dataset into shards."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.cases import Case
from ragproof.sharding import cut, shard_size


def cases(count: int) -> list[Case]:
    """Return so many cases."""
    return [Case(id=f"c{n}", question="?") for n in range(count)]


@pytest.mark.parametrize(
    ("cases", "size"),
    [(0, 10), (100, 10), (101, 50), (1_000, 50), (1_001, 250), (10_000, 250), (10_001, 500)],
)
def test_a_shard_grows_with_the_dataset(cases: int, size: int) -> None:
    """A task costs about 40 ms whatever is in it."""
    assert shard_size(cases) == size


@given(st.integers(0, 400), st.integers(1, 60))
def test_shards_cover_every_case_once_and_in_order(count: int, size: int) -> None:
    """None is left out, none stands in two."""
    shards = cut("r", "d", cases(count), size)
    assert [n for shard in shards for n in range(shard.start, shard.stop)] == [*range(count)]
    assert all(0 < len(shard) <= size for shard in shards)


def test_the_hash_of_a_shard_is_that_of_its_cases() -> None:
    """The same cases have the same hash in any run; a changed case changes its own shard's alone."""
    before = cut("r1", "d", cases(20), 10)
    changed = [*cases(19), Case(id="c19", question="another?")]
    after = cut("r2", "d", changed, 10)
    assert before[0].content_hash == after[0].content_hash
    assert before[1].content_hash != after[1].content_hash


def test_people_count_from_one() -> None:
    """`cases 11-20` is the second shard of ten."""
    second = cut("r", "d", cases(20), 10)[1]
    assert (second.title, second.stop) == ("11-20", 20)
