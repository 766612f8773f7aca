"""Keeping a run's lease while the flow works on it, and stopping the work when the lease is lost."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from ragproof.errors import StoreError
from ragproof.holders import this_process
from ragproof.store.leases import LEASE_SECONDS, LeaseLost
from tasks import process


@contextmanager
def leased(run_id: str) -> Iterator[int]:
    """Hold a run's lease while the block lasts; its value is the fence.

    Raises:
        StoreError: another process works on the run.
    """
    leases = process.store().leases
    fence = leases.acquire(run_id, this_process())
    ended = threading.Event()
    beat = threading.Thread(target=_renew, args=(run_id, ended), name="ragproof-heartbeat", daemon=True)
    beat.start()
    try:
        yield fence
    finally:
        ended.set()
        beat.join()
        leases.release(run_id)


def _renew(run_id: str, ended: threading.Event) -> None:
    leases = process.store().leases
    while not ended.wait(LEASE_SECONDS / 3):
        try:
            leases.renew(run_id)
        except LeaseLost:
            process.stop(run_id)
            return
        except StoreError:  # the store is away for a moment: the next beat may reach it
            continue
