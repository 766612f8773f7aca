"""Runs whose answers a judge has scored, in a store, for people to label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from ragproof.cases import Case
from ragproof.catalogue import choose
from ragproof.evidence import Settings
from ragproof.outputs import CaseFailure, Chunk, FailureKind, Outcome, PipelineOutput
from ragproof.runs import RunRecord
from ragproof.scores import JudgeFailed, Score, Scored
from ragproof.store.store import Store
from ragproof.summarising import summarise
from tests.fakes.kept_runs import STARTED, keep_run

GROUNDED = "generation.groundedness"
"""Judged by the answer and its context."""
RELEVANT = "generation.answer_relevance"
"""Judged by the answer alone."""
REFUSED = "robustness.overrefusal"
"""Of 0 and 1, and lower is better."""
FAILED = None
"""Stands where the pipeline gave no answer."""
SETTINGS = Settings()


def cases(n: int, **fields: Any) -> list[Case]:
    """Questions `c0`, `c1`, ..."""
    return [Case(id=f"c{k}", question=f"question {k}", expected_answers=("yes",), **fields) for k in range(n)]


def output(case_id: str, answer: str, context: Sequence[str] = ("a page",)) -> PipelineOutput:
    """An answer to one case, from a context."""
    chunks = tuple(Chunk(id=text, text=text) for text in context)
    return PipelineOutput(case_id=case_id, answer=answer, retrieved=chunks, latency_ms=1.0)


def keep_judged(
    store: Store,
    answers: Sequence[str | PipelineOutput | None],
    judged: Mapping[str, Sequence[float | None]],
    *,
    run_id: str = "aaaaaaaaaaaa",
    asked: Sequence[Case] | None = None,
    number: int = 0,
    project: str = "handbook",
    **changes: object,
) -> RunRecord:
    """Keep a completed run that a judge scored.

    Args:
        answers: one a case; `FAILED` where there is none.
        judged: by metric, the judge's number of each case; None where it gave none.
        asked: the cases; without them `cases`.
        number: how many minutes after the first it began.
        changes: of the run's record.
    """
    known = [*asked] if asked is not None else cases(len(answers))
    metrics = choose([*judged, "latency_ms"])
    outcomes = [_outcome(case.id, answer) for case, answer in zip(known, answers, strict=True)]
    run = keep_run(
        store,
        known,
        outcomes,
        run_id=run_id,
        project=project,
        metrics=metrics,
        settings=SETTINGS,
        started_at=STARTED + timedelta(minutes=number),
    )
    scores = [
        Score(case_id=case.id, metric=key, result=_result(value))
        for key, values in judged.items()
        for case, value, answer in zip(known, values, answers, strict=True)
        if answer is not FAILED
    ]
    store.scores.put(run.id, scores)
    store.summaries.put(run.id, summarise(metrics, store.scores.get(run.id), known, SETTINGS))
    return store.runs.update(run.id, status="completed", status_reason=None, **changes)


def _outcome(case_id: str, answer: str | PipelineOutput | None) -> Outcome:
    if answer is FAILED:
        return CaseFailure(case_id=case_id, kind=FailureKind.TIMEOUT, message="after 60 s")
    return answer if isinstance(answer, PipelineOutput) else output(case_id, answer)


def _result(value: float | None) -> Scored | JudgeFailed:
    return JudgeFailed(reason="no verdict in the reply") if value is None else Scored(value=value)
