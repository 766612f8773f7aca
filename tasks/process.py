"""What one process holds for all its task runs: an event loop, the store, and open pipelines.

Prefect gives every submitted task a thread; async tasks would each get a loop of their own, and shared
semaphores and HTTP clients would break. So tasks are synchronous and hand their coroutines to one loop
thread per process. Everything here is keyed by process id: a forked worker starts afresh.
"""

from __future__ import annotations

import asyncio
import gc
import os
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ragproof.adapters.adapter import Adapter
from ragproof.allowance import MeteredAllowance
from ragproof.budget import budget_of
from ragproof.config import EvalConfig
from ragproof.errors import ConfigurationError
from ragproof.evidence import Prices
from ragproof.judge.calls import JudgingEnds
from ragproof.judge.ladder import Ladder
from ragproof.judge.run_meter import RunMeter
from ragproof.ledger import CallKind
from ragproof.money import cap_picodollars, cost_picodollars
from ragproof.opening_judge import OpenJudge, open_judge
from ragproof.store.opening import open_store
from ragproof.store.store import Store
from tasks.judge_key import with_judge_key

T = TypeVar("T")


@dataclass
class _Process:
    loop: asyncio.AbstractEventLoop
    stores: dict[str, Store] = field(default_factory=dict)
    adapters: dict[str, Adapter] = field(default_factory=dict)
    judges: dict[str, OpenJudge] = field(default_factory=dict)
    ladder: Ladder = field(default_factory=Ladder)
    meters: dict[str, RunMeter] = field(default_factory=dict)
    slots: dict[str, asyncio.Semaphore] = field(default_factory=dict)
    under_way: dict[str, set[Future[Any]]] = field(default_factory=dict)
    stopped: set[str] = field(default_factory=set)
    lock: threading.RLock = field(default_factory=threading.RLock)
    arithmetic: threading.Lock = field(default_factory=threading.Lock)


_processes: dict[int, _Process] = {}
_starting = threading.Lock()


def _here() -> _Process:
    with _starting:
        process = _processes.get(os.getpid())
        if process is None:
            gc.freeze()  # what is imported stays: going through it again and again takes a quarter of a run
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="ragproof-loop", daemon=True).start()
            process = _processes[os.getpid()] = _Process(loop)
        return process


def run(work: Coroutine[Any, Any, T], run_id: str = "") -> T:
    """Run a coroutine on this process's loop and wait for it; an interrupt cancels it.

    Args:
        work: what to do.
        run_id: the run it is done for; `stop` ends it.

    Raises:
        CancelledError: the run was stopped.
    """
    process = _here()
    with process.lock:
        if run_id in process.stopped:
            work.close()
            raise CancelledError
        future = asyncio.run_coroutine_threadsafe(work, process.loop)
        process.under_way.setdefault(run_id, set()).add(future)
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise
    finally:
        with process.lock:
            process.under_way.get(run_id, set()).discard(future)


def stop(run_id: str) -> None:
    """Start nothing more for a run in this process, and cancel what is under way for it."""
    process = _here()
    with process.lock:
        process.stopped.add(run_id)
        ending = tuple(process.under_way.get(run_id, ()))
        judge = process.judges.get(run_id)
    if judge is not None:
        process.loop.call_soon_threadsafe(judge.start_nothing_more, JudgingEnds("the run was stopped"))
    for future in ending:
        future.cancel()


def arithmetic() -> threading.Lock:
    """Return the lock of what computes and never waits: threads at once would only interrupt each other."""
    return _here().arithmetic


def store() -> Store:
    """Return this process's open store, by `RAGPROOF_STORE_URL`."""
    return _once(_here().stores, os.environ.get("RAGPROOF_STORE_URL", ""), open_store)


def adapter(run_id: str, config: EvalConfig) -> Adapter:
    """Return this process's open pipeline for a run; its shards share one.

    Raises:
        ConfigurationError: it cannot be opened.
    """
    return _once(_here().adapters, run_id, lambda: config.adapter().open(config.search_path))


def judge(run_id: str, config: EvalConfig, *, reuse: bool) -> OpenJudge:
    """Return this process's open judge for a run; its shards share one.

    Raises:
        ConfigurationError: it cannot be used.
    """
    asked = config.judge
    if asked is None:
        raise ValueError("no judge is configured")
    return _once(
        _here().judges,
        run_id,
        lambda: open_judge(
            asked,
            budget_of(run_id, config.project, config.budget.max_cost_usd, os.environ, config.cell),
            store=store(),
            ladder=_here().ladder,
            environ=with_judge_key(os.environ),
            secrets=config.adapter().secrets(),
            reuse=reuse,
        ),
    )


def judging_ended(run_id: str) -> JudgingEnds | None:
    """Return why the judge is asked no more for a run in this process; None while it is."""
    opened = _here().judges.get(run_id)
    return None if opened is None else opened.ended


def allowance(run_id: str, config: EvalConfig) -> MeteredAllowance:
    """Return what lets a run's calls to its pipeline through as long as the budget has room for them."""
    most, prices = config.budget.pipeline_call_usd, config.settings().prices
    if most is None or prices is None:  # told when it was read; a price of 0 would lift the cap
        raise ConfigurationError("budget.include_pipeline needs budget.pipeline_call_usd and both prices")
    meter = _once(_here().meters, run_id, lambda: _meter(run_id, config, prices))
    return MeteredAllowance(meter, cap_picodollars(most))


def _meter(run_id: str, config: EvalConfig, prices: Prices) -> RunMeter:
    opened = store()
    budget = budget_of(run_id, config.project, config.budget.max_cost_usd, os.environ, config.cell)
    return RunMeter(
        run_id,
        lambda tokens: cost_picodollars(
            tokens.input, tokens.output, prices.input_usd_per_mtok, prices.output_usd_per_mtok
        ),
        opened.judge_calls,
        lambda: budget.accounts(opened.clock()),
        {},
        CallKind.PIPELINE,
    )


def asking_ended(run_id: str) -> JudgingEnds | None:
    """Return why the pipeline is asked no more for a run in this process; None while it is."""
    meter = _here().meters.get(run_id)
    return None if meter is None else meter.ended


def slots(run_id: str, concurrency: int) -> asyncio.Semaphore:
    """Return the semaphore that bounds a run's calls in this process."""
    return _once(_here().slots, run_id, lambda: asyncio.Semaphore(concurrency))


def release(run_id: str) -> None:
    """Close what a finished run held open in this process."""
    process = _here()
    with process.lock:
        process.slots.pop(run_id, None)
        process.meters.pop(run_id, None)
        process.under_way.pop(run_id, None)
        process.stopped.discard(run_id)
        opened = (process.adapters.pop(run_id, None), process.judges.pop(run_id, None))
    for each in opened:
        if each is not None:
            run(each.close())


def _once(held: dict[str, T], key: str, make: Callable[[], T]) -> T:
    with _here().lock:
        if key not in held:
            held[key] = make()
        return held[key]
