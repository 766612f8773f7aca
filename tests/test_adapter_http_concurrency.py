"""The limit on calls under way: halved by refusals, raised by successes, and never a slot lost."""

from __future__ import annotations

import asyncio
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof.adapters.wire.concurrency import AdaptiveLimit, StillRefused
from ragproof.adapters.wire.timing import Timing


class Time:
    """A clock that moves when someone sleeps."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.seconds += seconds

    @property
    def timing(self) -> Timing:
        return Timing(sleep=self.sleep, now=lambda: self.seconds)


async def crowd(limit: AdaptiveLimit, size: int, refused: int, wait_seconds: float = 0.0) -> None:
    """Have calls under way at one time, all of which get in, and refuse some of them."""
    together = asyncio.Barrier(size)

    async def one(number: int) -> None:
        async with limit.slot() as slot:
            await together.wait()
            if number < refused:
                slot.overloaded(wait_seconds)
            else:
                slot.succeeded()

    await asyncio.gather(*(one(number) for number in range(size)))


CROWDS = [
    ("nobody is refused", [(8, 0)], sys.maxsize),
    ("one of eight is", [(8, 1)], 8 // 2),
    ("all of a crowd count once", [(8, 8)], 8 // 2),
    ("two crowds count twice", [(8, 8), (4, 4)], 8 // 4),
    ("one slot is left", [(2, 2), (1, 1), (1, 1)], 1),
    ("a round of successes gives one more", [(8, 8), (4, 0), (1, 0)], 4 + 1),
    ("and less than a round none", [(8, 8), (3, 0)], 4),
]


@pytest.mark.parametrize(("why", "crowds", "allowed"), CROWDS, ids=[row[0] for row in CROWDS])
def test_refusals_halve_what_is_under_way_and_successes_add_to_it(why, crowds, allowed):
    """Additive increase, multiplicative decrease."""

    async def all_of_them() -> int:
        limit = AdaptiveLimit(timing=Time().timing)
        for size, refused in crowds:
            await crowd(limit, size, refused)
        return limit.allowed

    assert asyncio.run(all_of_them()) == allowed


def test_the_limit_never_rises_above_what_was_asked_for():
    """Successes at the top add nothing."""

    async def succeed() -> int:
        limit = AdaptiveLimit(3)
        await crowd(limit, 3, 0)
        return limit.allowed

    assert asyncio.run(succeed()) == 3


def test_no_more_calls_than_allowed_are_under_way_and_they_come_in_turn():
    """First come, first served."""
    entered: list[int] = []
    most = 0

    async def all_of_them() -> None:
        limit = AdaptiveLimit(2)
        under_way = 0

        async def one(number: int) -> None:
            nonlocal under_way, most
            async with limit.slot():
                entered.append(number)
                under_way += 1
                most = max(most, under_way)
                await asyncio.sleep(0)
                under_way -= 1

        await asyncio.gather(*(one(number) for number in range(9)))

    asyncio.run(all_of_them())
    assert (entered, most) == ([*range(9)], 2)


@given(st.lists(st.integers(0, 9), max_size=6), st.integers(1, 3))
def test_a_call_that_is_cancelled_while_it_waits_or_works_leaves_its_slot_to_others(cancelled, most):
    """However many leave, as many slots are there as before."""

    async def all_of_them() -> bool:
        limit = AdaptiveLimit(most)

        async def one() -> None:
            async with limit.slot():
                await asyncio.sleep(0.001)

        tasks = [asyncio.create_task(one()) for _ in range(10)]
        for number in cancelled:
            await asyncio.sleep(0)
            tasks[number].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        async with asyncio.timeout(10):
            await crowd(limit, most, 0)
        return True

    assert asyncio.run(all_of_them())


def test_a_call_that_is_cancelled_as_its_turn_comes_hands_the_slot_on():
    """Between being let in and noticing it."""

    async def cancel_in_between() -> bool:
        limit = AdaptiveLimit(1)

        async def one() -> None:
            async with limit.slot():
                pass

        async with limit.slot():
            waiting = asyncio.create_task(one())
            await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        async with asyncio.timeout(10), limit.slot():
            return waiting.cancelled()

    assert asyncio.run(cancel_in_between())


def test_nobody_sends_anything_while_the_server_asks_to_wait():
    """The next call sleeps as long as the refused one was told to."""
    time = Time()

    async def refused_and_next() -> None:
        limit = AdaptiveLimit(timing=time.timing)
        await crowd(limit, 1, 1, wait_seconds=7)
        async with limit.slot():
            pass
        async with limit.slot():
            pass

    asyncio.run(refused_and_next())
    assert time.slept == [7]


def test_a_wait_beyond_all_patience_is_not_waited_for():
    """After ten seconds of nothing but refusals, only who has more than ten to spare waits seven more."""
    time = Time()

    async def refused_twice() -> AdaptiveLimit:
        limit = AdaptiveLimit(timing=time.timing)
        await crowd(limit, 1, 1, wait_seconds=10)
        await crowd(limit, 1, 1, wait_seconds=7)
        with pytest.raises(StillRefused) as still:
            async with limit.slot(patience_seconds=10):
                pass
        assert (still.value.refused_seconds, still.value.wait_seconds) == (10, 7)
        async with limit.slot(patience_seconds=11):
            pass
        return limit

    asyncio.run(refused_twice())
    assert time.slept == [10, 7]


def test_whatever_is_no_refusal_ends_the_time_of_refusals():
    """A failure of another kind came through as well as a success."""
    time = Time()

    async def refused_then_failed() -> list[float]:
        limit = AdaptiveLimit(timing=time.timing)
        await crowd(limit, 1, 1, wait_seconds=5)
        await crowd(limit, 1, 1, wait_seconds=5)
        before = limit.refused_seconds()
        with pytest.raises(ValueError, match="another kind"):
            async with limit.slot():
                raise ValueError("another kind")
        return [before, limit.refused_seconds()]

    assert asyncio.run(refused_then_failed()) == [5, 0]
