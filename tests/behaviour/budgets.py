"""Budgets: what may be under way at once, what every attempt costs, and what cannot be priced."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from ragproof.budget import budget_of
from ragproof.errors import ConfigurationError
from ragproof.judge.calls import BudgetExhausted, Verdict
from ragproof.judge.config import JudgeConfig
from ragproof.judge.ladder import Ladder
from ragproof.judge.metering import Attempt, Basis, Spent, Stage, Tokens
from ragproof.judge.run_meter import RunMeter
from ragproof.opening_judge import open_judge
from ragproof.store.opening import open_store
from ragproof.store.store import Store
from tests.fakes.configs import BASE, loaded
from tests.fakes.http_server import Reply
from tests.fakes.judge_questions import relevance
from tests.fakes.judge_server import Said, judging
from tests.fakes.stores import NOON, started

DOLLAR_A_MTOK = JudgeConfig(model="m", input_cost_per_mtok=1.0, output_cost_per_mtok=1.0)


def a_cap_holds_back_what_could_pass_it(row: Any, folder: Path) -> None:
    """At most as many calls are under way as fit; the rest is refused, and asked with a larger cap."""
    cap, worst, waiting = row["cap_usd"], row["worst_case_per_call"], row["waiting_calls"]
    with open_store(f"sqlite:///{folder}/store.db") as store:
        run = started(store)
        first = _asked(store, run, cap, worst, range(waiting), row["concurrency"])
        assert max(first["under_way"]) <= cap // worst
        assert first["billed"] <= cap
        assert 0 < len(first["refused"]) < waiting
        second = _asked(store, run, 100 * cap, worst, first["refused"], row["concurrency"])
        assert second["refused"] == []
        assert len(second["under_way"]) == len(first["refused"])


def every_attempt_is_charged(row: Any, folder: Path) -> None:
    """Timeouts at their worst case, the reply at its usage: never less than the provider bills."""
    lost = sum("timeout" in attempt for attempt in row["attempts"])
    script = [*[Reply(hang=True)] * lost, Said('{"rating": 2}', usage=Tokens(input=800, output=100))]
    with judging(script) as server, open_store(f"sqlite:///{folder}/store.db") as store:
        run = started(store)
        judge = DOLLAR_A_MTOK.model_copy(update={"base_url": server.base_url, "timeout_seconds": 0.5})

        async def ask() -> object:
            budget = budget_of(run, "p", 1.0, {})
            opened = open_judge(judge, budget, store=store, ladder=Ladder(), environ={}, reuse=True)
            try:
                return await opened.ask(relevance())
            finally:
                await opened.close()

        assert isinstance(asyncio.run(ask()), Verdict)
        assert server.calls == len(row["attempts"])
        spend = store.judge_calls.spend(run)
        worst = (spend.eval_input_tokens - 800) // lost  # a token for every byte of the request
        assert spend.eval_llm_calls == len(row["attempts"])
        assert spend.eval_output_tokens == lost * judge.max_tokens + 100
        assert spend.eval_cost_usd == pytest.approx((lost * (worst + judge.max_tokens) + 900) / 1e6)
        assert worst > 1_000


def an_unknown_price_is_not_nothing(row: Any, folder: Path) -> None:
    """With a cap it is refused before a call, and 0 is a price."""
    section = BASE + "judge: {model: in-house-7b}\n"
    cap = f"budget.max_cost_usd={row['cap_usd']}"
    with pytest.raises(ConfigurationError, match="has no price"):
        loaded(folder, section, overrides=[cap])
    free = ["judge.input_cost_per_mtok=0", "judge.output_cost_per_mtok=0"]
    assert loaded(folder, section, overrides=[cap, *free]).budget.max_cost_usd == row["cap_usd"]


def _asked(
    store: Store, run: str, cap: float, worst: float, numbers: Any, concurrency: int
) -> dict[str, Any]:
    """Make calls that cost almost their worst case; return how many were under way, and the refused."""
    budget = budget_of(run, "p", cap, {})
    under_way, now, refused, billed = [0], 0, [], 0.0
    tokens = Tokens(output=round(worst * 1e6))
    meter = RunMeter(
        run, DOLLAR_A_MTOK.cost_picodollars, store.judge_calls, lambda: budget.accounts(NOON), {}
    )

    async def one(number: int, slots: asyncio.Semaphore) -> None:
        nonlocal now, billed
        asked = Attempt(
            case_id=f"c{number}",
            call=f"call-{number}",
            request=f"request-{number}",
            number=1,
            stage=Stage.FIRST,
            worst_case=tokens,
        )
        async with slots:
            try:
                reservation = await meter.reserve(asked)
            except BudgetExhausted:
                refused.append(number)
                return
            now += 1
            under_way.append(now)
            await asyncio.sleep(0.005)
            now -= 1
            billed += worst * 0.9
            used = Tokens(output=round(tokens.output * 0.9))
            await meter.settle(reservation, Spent(tokens=used, basis=Basis.REPORTED), None)

    async def everything() -> None:
        slots = asyncio.Semaphore(concurrency)
        await asyncio.gather(*(one(number, slots) for number in numbers))

    asyncio.run(everything())
    return {"under_way": under_way[1:], "refused": refused, "billed": billed}
