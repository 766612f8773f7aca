"""Asking the pipeline every case of a shard, each call through the ledger, never twice for a settled one."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress

from ragproof.adapters.adapter import Adapter, Question
from ragproof.allowance import Allowance
from ragproof.asking import ask
from ragproof.cases import Case
from ragproof.judge.calls import JudgingEnds
from ragproof.ledger import Call, Ledger, pipeline_call_identity
from ragproof.outputs import CaseFailure, Outcome
from ragproof.redaction import Redactor


async def ask_cases(
    cases: Sequence[Case],
    *,
    run_id: str,
    adapter: Adapter,
    adapter_identity: str,
    k: int,
    retrieve_k: int,
    timeout_seconds: float,
    slots: asyncio.Semaphore,
    ledger: Ledger,
    redactor: Redactor,
    allowance: Allowance | None = None,
    trial: int = 0,
) -> dict[str, Outcome]:
    """Ask each case once, concurrently, and keep every reply before returning it.

    Args:
        cases: the shard's cases; empty asks nothing.
        run_id: the run the calls belong to.
        adapter: the open pipeline.
        adapter_identity: its fingerprint, part of each call's identity.
        k: chunks an answering pipeline is asked for.
        retrieve_k: chunks a separate retrieve() is asked for.
        timeout_seconds: for one call, counted from the moment it starts.
        slots: how many calls may be under way in this process for this run.
        ledger: where calls are committed.
        redactor: applied once, before the commit; live and resumed scores read the same text.
        allowance: lets calls through as long as the budget has room for them; None lets all through.
        trial: repeat index; each trial is a call of its own.

    Returns:
        An outcome by case id; a failed case is a value, and one the budget did not reach is absent.

    Raises:
        StoreError: the ledger could not commit.
    """
    questions = {case.id: Question.of(case, k=k, retrieve_k=retrieve_k) for case in cases}
    calls = {
        case.id: Call(
            run_id=run_id,
            identity=pipeline_call_identity(
                adapter_identity,
                {"case": case.content_hash(), "k": k, "retrieve_k": retrieve_k},
                trial,
                run_id,
            ),
            case_id=case.id,
            trial=trial,
        )
        for case in cases
    }
    settled: Mapping[str, Outcome] = ledger.reserve(tuple(calls.values()))

    async def one(case_id: str) -> Outcome | None:
        call = calls[case_id]
        if call.identity in settled:
            return settled[call.identity]
        async with slots:
            try:
                paid = await allowance.reserve(call) if allowance else None
            except JudgingEnds:
                return None
            await ledger.sent(call)
            outcome = await ask(adapter, questions[case_id], timeout_seconds)
            if allowance and paid:
                with suppress(JudgingEnds):  # the allowance knows, and lets nothing more through
                    await allowance.settle(paid, outcome)
        if isinstance(outcome, CaseFailure):
            failure = redactor.failure(outcome)
            await ledger.fail(call, failure)
            return failure
        output = redactor.output(outcome)
        await ledger.settle(call, output)
        return output

    try:
        async with asyncio.TaskGroup() as group:
            tasks = {case_id: group.create_task(one(case_id)) for case_id in calls}
    except ExceptionGroup as failed:  # the ledger's; a case's own failure is a value
        raise failed.exceptions[0] from None
    ended = {case_id: task.result() for case_id, task in tasks.items()}
    return {case_id: outcome for case_id, outcome in ended.items() if outcome is not None}
