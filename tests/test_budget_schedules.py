"""The cap holds in every schedule: any latencies, failures and usages, any concurrency, two stores at once.

The bill is the fake provider's own count of what it was asked and what it used. `make soak` runs 1,000
schedules on each database.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import threading
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import pytest

from ragproof.budget import Budget
from ragproof.judge.calls import BudgetExhausted
from ragproof.judge.config import JudgeConfig
from ragproof.judge.metering import Answer, Attempt, Basis, Spent, Stage, Tokens
from ragproof.judge.run_meter import RunMeter
from ragproof.store.opening import open_store
from ragproof.store.store import Store
from tests.fakes.databases import ON_BOTH, store_url
from tests.fakes.stores import NOON, started

SOAK = bool(os.environ.get("RAGPROOF_SOAK"))
SCHEDULES = 1_000 if SOAK else 40
JUDGE = JudgeConfig(model="m", input_cost_per_mtok=1.0, output_cost_per_mtok=4.0)


@dataclass
class Provider:
    """Bills what each request uses, at the moment it replies, whoever asked."""

    cap: int
    billed: int = 0
    passed: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)

    def bill(self, tokens: Tokens) -> None:
        """Count one request."""
        with self.lock:
            self.billed += JUDGE.cost_picodollars(tokens) or 0
            self.passed = self.passed or self.billed > self.cap


def attempt(dice: random.Random, number: int, largest: Tokens) -> Attempt:
    """Return a request whose worst case is anything up to the largest."""
    return Attempt(
        case_id=f"c{number}",
        call=f"call-{number}",
        request=f"request-{number}",
        number=1,
        stage=Stage.FIRST,
        worst_case=Tokens(input=dice.randint(1, largest.input), output=dice.randint(1, largest.output)),
    )


async def exchange(dice: random.Random, meter: RunMeter, provider: Provider, asked: Attempt) -> None:
    """Make one request: it may fail unbilled, be lost after it was billed, or be answered."""
    reservation = await meter.reserve(asked)
    await asyncio.sleep(dice.choice((0.0, 0.0, 0.001, 0.004)))
    worst, fate = asked.worst_case, dice.random()
    used = Tokens(
        input=dice.choice((worst.input, dice.randint(0, worst.input))),
        output=dice.choice((worst.output, dice.randint(0, worst.output))),
    )
    if fate < 0.1:
        await meter.settle(reservation, Spent(tokens=Tokens(), basis=Basis.NOT_BILLED), None)
        return
    provider.bill(used)
    if fate < 0.2:
        await meter.settle(reservation, Spent(tokens=worst, basis=Basis.WORST_CASE), None)
    else:
        await meter.settle(reservation, Spent(tokens=used, basis=Basis.REPORTED), Answer(text="ok"))


def worker(
    url: str, run_id: str, budget: Budget, provider: Provider, dice: random.Random, requests: list[Attempt]
) -> int:
    """Work through requests as a process with a store of its own would; return how many were refused."""
    concurrency = dice.choice((1, 2, 8, 64))

    async def work(store: Store) -> int:
        meter = RunMeter(run_id, JUDGE.cost_picodollars, store.judge_calls, lambda: budget.accounts(NOON), {})
        slots = asyncio.Semaphore(concurrency)

        async def one(asked: Attempt) -> int:
            async with slots:
                try:
                    await exchange(dice, meter, provider, asked)
                except BudgetExhausted:
                    return 1
                return 0

        return sum(await asyncio.gather(*(one(asked) for asked in requests)))

    with open_store(url) as store:
        return asyncio.run(work(store))


def schedule(url: str, run_id: str, seed: int, *, requests: int, cap_in_calls: float) -> tuple[Provider, int]:
    """Let two workers of one run spend what its cap allows; return the bill and the refusals."""
    dice = random.Random(seed)
    largest = Tokens(input=dice.randint(1, 5_000), output=dice.randint(1, 5_000))
    cap = int((JUDGE.cost_picodollars(largest) or 0) * cap_in_calls)
    caps = {"run_cap": cap, "project_cap": None, "month_cap": None}
    if dice.random() < 0.3:  # the project's ceiling may be the one that holds
        caps = {"run_cap": None, "project_cap": cap, "month_cap": None}
    budget = Budget(run_id=run_id, project=f"p{seed}-{run_id}", **caps)
    provider = Provider(cap)
    refused: list[int] = []

    def of(half: int) -> None:
        own = random.Random(seed * 2 + half)
        asked = [attempt(own, half * requests + n, largest) for n in range(requests // 2)]
        refused.append(worker(url, run_id, budget, provider, own, asked))

    threads = [threading.Thread(target=of, args=(half,)) for half in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 2, "a worker broke"
    return provider, sum(refused)


@ON_BOTH
def test_the_bill_never_passes_the_cap(kind: str) -> None:
    """And what is set aside at the end is nothing, and what is charged is at least the bill."""
    with ExitStack() as stack:
        url = stack.enter_context(store_url(kind))
        store = stack.enter_context(open_store(url))
        for seed in range(SCHEDULES):
            run_id = started(store)
            calls = random.Random(seed).choice((0.5, 1.0, 2.5, 8.0))
            provider, refused = schedule(url, run_id, seed, requests=24, cap_in_calls=calls)
            balance = store.judge_calls.balance(f"run:{run_id}")
            assert not provider.passed, seed
            assert provider.billed <= balance.spent <= provider.cap, seed
            assert balance.reserved == 0, seed
            assert refused or calls > 2, "nothing was refused, so nothing was tried"


@ON_BOTH
@pytest.mark.parametrize("seed", range(20 if SOAK else 2))
def test_nine_tenths_of_the_cap_are_used_while_work_remains(kind: str, seed: int) -> None:
    """With calls that may cost less than a hundredth of it."""
    with store_url(kind) as url, open_store(url) as store:
        run_id = started(store)
        provider, refused = schedule(url, run_id, seed, requests=700, cap_in_calls=110)
        assert refused
        assert 0.9 * provider.cap <= store.judge_calls.balance(f"run:{run_id}").spent <= provider.cap
        assert not provider.passed


START: list[Any] = []
"""The barrier at which both processes wait, in each of them."""


def prepare(barrier: Any) -> None:
    """Keep the barrier in a new process."""
    START.append(barrier)


def process(
    url: str, run_id: str, budget: Budget, seed: int, requests: int, largest: Tokens
) -> tuple[int, int]:
    """Work through requests in a process of one's own; return its bill and its refusals."""
    START[0].wait(60)  # or one would be done before the other has begun
    dice, provider = random.Random(seed), Provider(budget.run_cap or 0)
    asked = [attempt(dice, seed * requests + n, largest) for n in range(requests)]
    refused = worker(url, run_id, budget, provider, dice, asked)
    return provider.billed, refused


@ON_BOTH
@pytest.mark.parametrize("seed", range(20 if SOAK else 1))
def test_two_processes_share_a_cap(kind: str, seed: int) -> None:
    """Each with connections, threads and memory of its own; the bill is the sum of what both were billed."""
    largest = Tokens(input=2_000, output=1_000)
    cap = (JUDGE.cost_picodollars(largest) or 0) * 100
    with store_url(kind) as url, open_store(url) as store:
        run_id = started(store)
        budget = Budget(run_id=run_id, project="p", run_cap=cap)
        jobs = [(url, run_id, budget, 2 * seed + half, 300, largest) for half in (1, 2)]
        spawning = multiprocessing.get_context("spawn")
        with spawning.Pool(2, prepare, (spawning.Barrier(2),)) as pool:
            (one, refused), (other, refused_too) = pool.starmap(process, jobs, chunksize=1)
        balance = store.judge_calls.balance(f"run:{run_id}")
    assert min(one, other) > 0, "one process did all of it, so nothing was tried"
    assert refused + refused_too > 0
    assert one + other <= balance.spent <= cap
    assert balance.reserved == 0
