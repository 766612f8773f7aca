"""Every call to the pipeline (and, later, to the judge): its identity and the states it passes through.

reserved -> sent -> settled | failed; a call found `sent` after a crash is `uncertain`: it may have happened.
The reply is committed before anything is computed from it, and a settled call is never made again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Protocol

from pydantic import Field, JsonValue

from ragproof.cases import canonical_hash
from ragproof.frozen import Frozen
from ragproof.outputs import CaseFailure, Outcome, PipelineOutput


class CallKind(StrEnum):
    """Whom the call goes to."""

    PIPELINE = "pipeline"
    JUDGE = "judge"


class CallState(StrEnum):
    """Where a call stands."""

    RESERVED = "reserved"
    """Planned; not sent."""
    SENT = "sent"
    """About to leave, or under way."""
    SETTLED = "settled"
    """The reply is kept; the call is never made again."""
    FAILED = "failed"
    """No reply; a resumed run asks again."""
    UNCERTAIN = "uncertain"
    """Sent, and the process died before the reply was kept."""


class Call(Frozen):
    """One call as the ledger knows it before its reply."""

    run_id: str
    kind: CallKind = CallKind.PIPELINE
    identity: str
    """sha256; two calls of one run with the same identity are the same call."""
    case_id: str
    trial: int = Field(default=0, ge=0)
    """Repeat index, 0 for the first."""


def pipeline_call_identity(
    adapter_identity: str, payload: Mapping[str, JsonValue], trial: int, run_id: str
) -> str:
    """Return the identity of one pipeline call.

    Args:
        adapter_identity: the adapter's fingerprint (type, target, options; never a secret's value).
        payload: what is asked: case content hash, question, k, history.
        trial: repeat index, 0 for the first.
        run_id: part of the identity, because a nightly run must ask again.

    Returns:
        A sha256 as 64 hex digits.
    """
    return canonical_hash(
        {
            "kind": CallKind.PIPELINE.value,
            "adapter": adapter_identity,
            "payload": dict(payload),
            "trial": trial,
            "run": run_id,
        }
    )


class Ledger(Protocol):
    """Where calls are kept. A write is committed when it returns, and raises StoreError when it cannot be."""

    def reserve(self, calls: Sequence[Call]) -> Mapping[str, Outcome]:
        """Plan calls in one transaction; return the outcomes of those already settled, by identity.

        A call found `sent` belongs to a process that died: it becomes `uncertain` and is asked again.
        A call found `failed` is asked again.
        """
        ...

    async def sent(self, call: Call) -> None:
        """Commit that the call is about to leave; refused when it is settled by now."""
        ...

    async def settle(self, call: Call, output: PipelineOutput) -> None:
        """Commit the reply. The first reply to a call stays, whatever comes after it."""
        ...

    async def fail(self, call: Call, failure: CaseFailure) -> None:
        """Commit the failure, unless a reply has been kept."""
        ...
