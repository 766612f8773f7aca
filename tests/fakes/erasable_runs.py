"""Two runs over one dataset that hold a person's data in every place that text can be in."""

from __future__ import annotations

from datetime import timedelta

from ragproof.cases import Case
from ragproof.ledger import Call, CallKind
from ragproof.metric import Direction, Metric, Range
from ragproof.outputs import CaseFailure, Chunk, FailureKind, Outcome, PipelineOutput
from ragproof.runs import RunRecord
from ragproof.store.store import Store
from tests.fakes.kept_runs import STARTED, keep_run
from tests.fakes.stores import do

SECRET = "Jane-Doe-of-Elm-Street"
"""Stands in every text of the person's cases, and in no other."""
PERSON = {"customer": SECRET, "language": "en"}
CASES = (
    Case(id="mine", question=f"Am I {SECRET}?", tags=PERSON, metadata={"who": SECRET}),
    Case(id="mine-failed", question=f"Where does {SECRET} live?", tags=PERSON),
    Case(id="other", question="What is the fee?", tags={"language": "en"}),
    Case(id="other-failed", question="When?", tags={"language": "de"}),
    Case(id="never", question=f"Not asked of {SECRET}", tags=PERSON),
)
OUTCOMES: tuple[Outcome, ...] = (
    PipelineOutput(
        case_id="mine", answer=f"You are {SECRET}.", retrieved=(Chunk(id="c", text=SECRET),), latency_ms=1
    ),
    CaseFailure(case_id="mine-failed", kind=FailureKind.EXCEPTION, message=f"no {SECRET}"),
    PipelineOutput(case_id="other", answer="5 EUR", latency_ms=1),
    CaseFailure(case_id="other-failed", kind=FailureKind.TIMEOUT, message="after 60 s"),
)
LENGTH = Metric(
    key="user.length",
    summary="how long the answer is",
    family="user",
    measure=lambda evidence: float(len(evidence.output.answer or "")),
    direction=Direction.NONE,
    range=Range(0.0, None),
)


def keep_two_runs(store: Store) -> tuple[RunRecord, RunRecord]:
    """Keep a run that failed for the person's case, and one that was judged."""
    first, second = (
        keep_run(
            store,
            CASES,
            OUTCOMES,
            run_id=run_id,
            metrics=(LENGTH,),
            started_at=STARTED + timedelta(days=day),
        )
        for day, run_id in enumerate(("first", "second"))
    )
    first = store.runs.update("first", status_reason=f"2 of 4 calls failed: exception: no {SECRET}")
    judged = Call(run_id="second", identity="judged", case_id="mine", kind=CallKind.JUDGE)
    store.calls.reserve([judged])
    do(store.calls.settle(judged, PipelineOutput(case_id="mine", answer=f"{SECRET}: yes", latency_ms=1)))
    return first, second
