"""Completed runs of one question in a store, for leaderboards: so many right, at such a price, that fast."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from ragproof.cases import Case
from ragproof.catalogue import choose
from ragproof.evidence import Prices, Settings
from ragproof.outputs import CaseFailure, FailureKind, Outcome, PipelineOutput, Usage
from ragproof.runs import RunRecord
from ragproof.store.opening import open_store
from tests.fakes.kept_runs import STARTED, keep_run

METRICS = ("exact_match", "token_f1", "latency_ms", "cost_usd_estimate")
PRICED = Settings(prices=Prices(1.0, 0.0))
N = 10


def cases(n: int = N, text: str = "") -> list[Case]:
    """Questions whose right answer is `yes`, on two topics."""
    return [
        Case(id=f"c{k}", question=f"q{k}{text}", expected_answers=("yes",), tags={"topic": "ab"[k % 2]})
        for k in range(n)
    ]


def answers(right: int, *, failed: int = 0, ms: float = 10.0, tokens: int | None = 1000) -> list[Outcome]:
    """The first `right` answered right, the last `failed` not at all."""
    usage = None if tokens is None else Usage(input_tokens=tokens, output_tokens=0)
    found: list[Outcome] = [
        PipelineOutput(case_id=f"c{k}", answer="yes" if k < right else "no", latency_ms=ms, usage=usage)
        for k in range(N - failed)
    ]
    late = [
        CaseFailure(case_id=f"c{k}", kind=FailureKind.TIMEOUT, message="30 s", latency_ms=30_000.0)
        for k in range(N - failed, N)
    ]
    return [*found, *late]


def keep(
    number: int,
    pipeline: str,
    outcomes: Sequence[Outcome],
    *,
    asked: Sequence[Case] | None = None,
    settings: Settings = PRICED,
    project: str = "handbook",
    **changes: object,
) -> RunRecord:
    """Keep a run that started in minute `number`."""
    with open_store() as store:
        run = keep_run(
            store,
            cases() if asked is None else asked,
            outcomes,
            run_id=f"{number:012}",
            project=project,
            pipeline=pipeline,
            metrics=choose(METRICS),
            settings=settings,
            started_at=STARTED + timedelta(minutes=number),
        )
        return store.runs.update(run.id, **changes) if changes else run
