"""A finished run in a store, made of cases and outcomes: scored, summarised and kept by the real code."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from ragproof.cases import Case, canonical_hash
from ragproof.catalogue import choose
from ragproof.comparability import comparability, key
from ragproof.concluding import conclude
from ragproof.evidence import Settings
from ragproof.ledger import Call
from ragproof.metric import Metric
from ragproof.outputs import CaseFailure, Outcome
from ragproof.runs import CaseCounts, RunRecord
from ragproof.scoring import score
from ragproof.store.store import Store
from ragproof.summarising import summarise

STARTED = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)


def keep_run(
    store: Store,
    cases: Sequence[Case],
    outcomes: Sequence[Outcome],
    *,
    run_id: str = "0123456789ab",
    project: str = "handbook",
    pipeline: str = "baseline",
    metrics: Sequence[Metric] | None = None,
    settings: Settings = Settings(),  # noqa: B008 - frozen
    started_at: datetime = STARTED,
) -> RunRecord:
    """Keep a run that took 4.2 s; cases without an outcome were not reached."""
    metrics = choose(None) if metrics is None else metrics
    dataset_hash = canonical_hash([case.content_hash() for case in cases])
    store.datasets.put(dataset_hash, "jsonl@1", "cases.jsonl", cases)
    failures = [each for each in outcomes if isinstance(each, CaseFailure)]
    counts = CaseCounts(total=len(cases), ok=len(outcomes) - len(failures), failed=len(failures))
    status, reason = conclude(counts, failures, max_error_rate=0.5)
    fields = comparability(settings, metrics, retrieve_k=10)
    run = RunRecord(
        id=run_id,
        project=project,
        pipeline=pipeline,
        status=status,
        status_reason=reason,
        git_revision="f" * 40,
        dataset="cases.jsonl",
        dataset_hash=dataset_hash,
        comparability=fields,
        comparability_key=key(fields),
        cases=counts,
        started_at=started_at,
        finished_at=started_at + timedelta(seconds=4.2),
        worked_seconds=4.2,
    )
    store.runs.start(run)
    asyncio.run(_keep_calls(store, run.id, outcomes))
    by_id = {case.id: case for case in cases}
    scores = [score(metric, by_id[each.case_id], each, settings) for each in outcomes for metric in metrics]
    store.scores.put(run.id, scores)
    store.summaries.put(run.id, summarise(metrics, scores, cases, settings))
    return run


async def _keep_calls(store: Store, run_id: str, outcomes: Sequence[Outcome]) -> None:
    calls = [
        Call(run_id=run_id, identity=f"call-{n}", case_id=each.case_id) for n, each in enumerate(outcomes)
    ]
    store.calls.reserve(calls)
    for call, outcome in zip(calls, outcomes, strict=True):
        await store.calls.sent(call)
        if isinstance(outcome, CaseFailure):
            await store.calls.fail(call, outcome)
        else:
            await store.calls.settle(call, outcome)
