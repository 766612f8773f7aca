"""How a run ended: completed, or failed with the most frequent cause."""

from __future__ import annotations

import pytest

from ragproof.concluding import conclude
from ragproof.outputs import CaseFailure, FailureKind
from ragproof.runs import CaseCounts, RunStatus

REFUSED = CaseFailure(case_id="a", kind=FailureKind.CONNECTION, message="cannot connect")
SLOW = CaseFailure(case_id="b", kind=FailureKind.TIMEOUT, message="no answer within 60 s")


@pytest.mark.parametrize(
    ("why", "ok", "failures", "allowed", "status", "reason"),
    [
        ("all answered", 3, [], 0.0, RunStatus.COMPLETED, None),
        ("a dataset without cases has nothing to fail", 0, [], 0.1, RunStatus.COMPLETED, None),
        ("at the allowed rate", 9, [REFUSED], 0.1, RunStatus.COMPLETED, None),
        (
            "above it",
            8,
            [REFUSED, REFUSED],
            0.1,
            RunStatus.FAILED_PIPELINE,
            "2 of 10 calls failed (20%), more than run.max_error_rate allows (10%):"
            " connection: cannot connect",
        ),
        (
            "every call failed, whatever rate is allowed",
            0,
            [REFUSED, SLOW, SLOW],
            1.0,
            RunStatus.FAILED_PIPELINE,
            "every call failed (3 of 3): timeout: no answer within 60 s (2 of them)",
        ),
    ],
)
def test_an_outage_never_looks_like_a_success(
    why: str,
    ok: int,
    failures: list[CaseFailure],
    allowed: float,
    status: RunStatus,
    reason: str | None,
) -> None:
    """A row a rule."""
    counts = CaseCounts(total=ok + len(failures), ok=ok, failed=len(failures))
    assert conclude(counts, failures, allowed) == (status, reason), why
