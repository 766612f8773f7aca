"""What one process holds for all its task runs: an event loop, the store, and open pipelines.

Prefect gives every submitted task a thread; async tasks would each get a loop of their own, and shared
semaphores and HTTP clients would break. So tasks are synchronous and hand their coroutines to one loop
thread per process. Everything here is keyed by process id: a forked worker starts afresh.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ragproof.adapters.adapter import Adapter
from ragproof.config import EvalConfig
from ragproof.store.opening import open_store
from ragproof.store.store import Store

T = TypeVar("T")


@dataclass
class _Process:
    loop: asyncio.AbstractEventLoop
    stores: dict[str, Store] = field(default_factory=dict)
    adapters: dict[str, Adapter] = field(default_factory=dict)
    slots: dict[str, asyncio.Semaphore] = field(default_factory=dict)
    under_way: dict[str, set[Future[Any]]] = field(default_factory=dict)
    stopped: set[str] = field(default_factory=set)
    lock: threading.RLock = field(default_factory=threading.RLock)


_processes: dict[int, _Process] = {}
_starting = threading.Lock()


def _here() -> _Process:
    with _starting:
        process = _processes.get(os.getpid())
        if process is None:
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
    for future in ending:
        future.cancel()


def store() -> Store:
    """Return this process's open store, by `RAGPROOF_STORE_URL`."""
    return _once(_here().stores, os.environ.get("RAGPROOF_STORE_URL", ""), open_store)


def adapter(run_id: str, config: EvalConfig) -> Adapter:
    """Return this process's open pipeline for a run; its shards share one.

    Raises:
        ConfigurationError: it cannot be opened.
    """
    return _once(_here().adapters, run_id, lambda: config.adapter().open(config.search_path))


def slots(run_id: str, concurrency: int) -> asyncio.Semaphore:
    """Return the semaphore that bounds a run's calls in this process."""
    return _once(_here().slots, run_id, lambda: asyncio.Semaphore(concurrency))


def release(run_id: str) -> None:
    """Close what a finished run held open in this process."""
    process = _here()
    with process.lock:
        process.slots.pop(run_id, None)
        process.under_way.pop(run_id, None)
        process.stopped.discard(run_id)
        opened = process.adapters.pop(run_id, None)
    if opened is not None:
        run(opened.close())


def _once(held: dict[str, T], key: str, make: Callable[[], T]) -> T:
    with _here().lock:
        if key not in held:
            held[key] = make()
        return held[key]
