"""Runs and calls for tests of the store, and text of any kind to put into them."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Coroutine
from datetime import UTC, datetime
from typing import Any

from hypothesis import strategies as st

from ragproof.ledger import Call
from ragproof.outputs import CaseFailure, FailureKind, PipelineOutput
from ragproof.runs import RunRecord, new_run_id
from ragproof.store.columns import joined
from ragproof.store.store import Store

NOON = datetime(2024, 1, 1, 12, tzinfo=UTC)
ANY_TEXT = st.text(
    st.sampled_from("a\0\ud800\udc00␛é日'\"\\%_") | st.characters(exclude_categories=()), max_size=8
).map(joined)
"""Half characters, NUL and the store's own escape among it."""
WHOLE_TEXT = ANY_TEXT.map(lambda text: text.encode("utf-8", "replace").decode())
"""The same without half characters, which some nouns take nowhere."""


def started(store: Store) -> str:
    """Start a run and return its id."""
    run = RunRecord(id=new_run_id(), project="p", pipeline="b", started_at=NOON)
    store.runs.start(run)
    return run.id


def call(run_id: str, case_id: str = "case-1", trial: int = 0, **fields: Any) -> Call:
    """A call whose identity follows from its case and trial."""
    identity = hashlib.sha256(f"{run_id} {case_id!r} {trial}".encode()).hexdigest()
    return Call(**{"run_id": run_id, "identity": identity, "case_id": case_id, "trial": trial, **fields})


def output(case_id: str = "case-1", answer: str = "yes") -> PipelineOutput:
    """A reply."""
    return PipelineOutput(case_id=case_id, answer=answer, latency_ms=12.5)


def failure(case_id: str = "case-1") -> CaseFailure:
    """No reply."""
    return CaseFailure(case_id=case_id, kind=FailureKind.TIMEOUT, message="after 30 s", latency_ms=30_000.0)


def do(*steps: Coroutine[Any, Any, None]) -> None:
    """Take steps one after the other."""

    async def one_by_one() -> None:
        for step in steps:
            await step

    asyncio.run(one_by_one())
