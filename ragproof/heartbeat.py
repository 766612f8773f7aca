"""Keeping a run's lease while something works on it, and stopping the work when the lease is lost."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ragproof.errors import StoreError
from ragproof.holders import this_process
from ragproof.store.leases import LEASE_SECONDS, LeaseLost, Leases


@contextmanager
def leased(leases: Leases, run_id: str, stop: Callable[[], None]) -> Iterator[int]:
    """Hold a run's lease while the block lasts; its value is the fence.

    Args:
        leases: of the store.
        run_id: the run.
        stop: called from another thread when another process has taken the run.

    Raises:
        StoreError: another process works on the run.
    """
    fence = leases.acquire(run_id, this_process())
    ended = threading.Event()
    beat = threading.Thread(
        target=_renew, args=(leases, run_id, ended, stop), name="ragproof-heartbeat", daemon=True
    )
    beat.start()
    try:
        yield fence
    finally:
        ended.set()
        beat.join()
        leases.release(run_id)


def _renew(leases: Leases, run_id: str, ended: threading.Event, stop: Callable[[], None]) -> None:
    while not ended.wait(LEASE_SECONDS / 3):
        try:
            leases.renew(run_id)
        except LeaseLost:
            stop()
            return
        except StoreError:  # the store is away for a moment: the next beat may reach it
            continue
