"""The adaptive limit: halved by overload, raised again by success, and fair to those who wait."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from ragproof.judge.concurrency import AdaptiveLimit, Slot
from tests.fakes.judge_server import Clock


def run(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(story(), 30))


async def settle() -> None:
    """Let every task go as far as it can."""
    for _ in range(20):
        await asyncio.sleep(0)


class Call:
    """A task that holds a slot until it is let go."""

    def __init__(self, limit: AdaptiveLimit) -> None:
        self.slot: Slot | None = None
        self._go = asyncio.Event()
        self.task = asyncio.create_task(self._hold(limit))

    async def _hold(self, limit: AdaptiveLimit) -> None:
        async with limit.slot() as slot:
            self.slot = slot
            await self._go.wait()

    @property
    def runs(self) -> bool:
        """Whether it holds a slot."""
        return self.slot is not None and not self.task.done()

    async def end(self, *, overloaded: bool = False, succeeded: bool = False) -> None:
        assert self.slot is not None
        if overloaded:
            self.slot.overloaded()
        if succeeded:
            self.slot.succeeded()
        self._go.set()
        await self.task
        await settle()


HALVES = [
    # why, slots at first, rounds of overload, slots then
    ("no overload", 8, 0, 8),
    ("one", 8, 1, 4),
    ("two", 8, 2, 2),
    ("at least one is left", 8, 9, 1),
    ("half of an odd number", 5, 1, 2),
    ("one stays one", 1, 1, 1),
]


@pytest.mark.parametrize(("why", "most", "rounds", "left"), HALVES, ids=[row[0] for row in HALVES])
def test_overload_halves_the_slots(why: str, most: int, rounds: int, left: int) -> None:
    """Once for each round of calls."""

    async def story() -> None:
        limit = AdaptiveLimit(most)
        for _ in range(rounds):
            async with limit.slot() as slot:
                slot.overloaded()
        assert limit.allowed == left

    run(story)


def test_a_crowd_refused_together_halves_the_slots_once() -> None:
    """All were sent under the old limit; only a call sent under the new one says anything about it."""

    async def story() -> None:
        limit = AdaptiveLimit(8)
        crowd = [Call(limit) for _ in range(8)]
        await settle()
        for call in crowd:
            await call.end(overloaded=True)
        assert limit.allowed == 4

    run(story)


def test_success_brings_one_slot_a_round_back_and_no_more_than_there_were() -> None:
    """As many successes as there are slots are one round."""

    async def story() -> None:
        limit = AdaptiveLimit(8)
        async with limit.slot() as slot:
            slot.overloaded()
        seen = []
        for _ in range(40):
            seen.append(limit.allowed)
            async with limit.slot() as slot:
                slot.succeeded()
        assert seen == sorted(seen)
        assert seen[3:6] == [4, 4, 5]
        assert limit.allowed == 8

    run(story)


def test_no_more_calls_run_than_are_allowed_and_first_come_is_first_served() -> None:
    """A slot that is given back goes to whoever waits longest."""

    async def story() -> None:
        limit = AdaptiveLimit(2)
        calls = [Call(limit) for _ in range(4)]
        await settle()
        assert [call.runs for call in calls] == [True, True, False, False]
        await calls[1].end()
        assert [call.runs for call in calls] == [True, False, True, False]
        late = Call(limit)
        await calls[0].end()
        assert (calls[3].runs, late.runs) == (True, False)
        for call in (calls[2], calls[3], late):
            await call.end()

    run(story)


def test_after_an_overload_slots_are_not_handed_on_until_few_enough_run() -> None:
    """Calls under way go on; new ones wait."""

    async def story() -> None:
        limit = AdaptiveLimit(4)
        calls = [Call(limit) for _ in range(6)]
        await settle()
        await calls[0].end(overloaded=True)
        await calls[1].end()
        assert [call.runs for call in calls[2:]] == [True, True, False, False]
        await calls[2].end()
        assert [call.runs for call in calls[3:]] == [True, True, False]
        for call in calls[3:]:
            await call.end()

    run(story)


def test_a_slot_of_a_cancelled_call_is_not_lost() -> None:
    """Cancelled while it waits, while it is handed the slot, and while it holds it."""

    async def story() -> None:
        limit = AdaptiveLimit(1)
        async with limit.slot():
            waiter, next_waiter = Call(limit), Call(limit)
            await settle()
            waiter.task.cancel()
            await settle()
        next_waiter.task.cancel()  # it has been handed the slot, and never gets to run
        await asyncio.gather(waiter.task, next_waiter.task, return_exceptions=True)
        assert next_waiter.slot is None
        last = Call(limit)
        await settle()
        assert last.runs
        last.task.cancel()
        await asyncio.gather(last.task, return_exceptions=True)
        again = Call(limit)
        await settle()
        await again.end()

    run(story)


def test_while_the_server_asks_to_wait_nobody_begins() -> None:
    """It is the account that is limited, not the one call: others would be refused too."""

    async def story() -> None:
        clock = Clock()
        limit = AdaptiveLimit(8, clock.timing)
        async with limit.slot() as slot:
            slot.overloaded(75)
            slot.overloaded(10)
        async with limit.slot():
            assert clock.slept == [75]
        async with limit.slot():
            assert clock.slept == [75]

    run(story)
