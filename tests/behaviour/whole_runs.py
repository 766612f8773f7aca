"""Situations about whole runs: failures, exports, repeats, kept replies, and the host's event loop."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import subprocess
import sys
from pathlib import Path
from statistics import stdev
from typing import Any

from pydantic import JsonValue

from ragproof.cases import Case
from ragproof.catalogue import choose
from ragproof.concluding import conclude
from ragproof.evidence import Settings
from ragproof.ledger import Call, pipeline_call_identity
from ragproof.metric import metric
from ragproof.outputs import CaseFailure, FailureKind, PipelineOutput
from ragproof.redaction import Redactor
from ragproof.reports import csv as csv_report
from ragproof.reports import json as json_report
from ragproof.reports.report import RunReport, gather
from ragproof.runs import CaseCounts, RunStatus
from ragproof.scores import CaseFailed
from ragproof.shard_calls import ask_cases
from ragproof.statistics.gate_rules import level_verdict
from ragproof.statistics.power import cases_for_effect
from ragproof.store.opening import open_store
from tests.fakes.kept_runs import keep_run
from tests.fakes.reports import record, summary
from tests.fakes.stores import do, output, started

CASES = [Case(id=id_, question="?", expected_answers=("yes",)) for id_ in ("a", "b")]


def a_failed_call_is_counted_and_never_averaged(given: Any, folder: Path) -> None:
    """The same in a case's row, in the summary and in every export; the run fails by its error rate."""
    failure = CaseFailure(case_id="b", kind=FailureKind.HTTP_STATUS, message=given["target"])
    answer = PipelineOutput(case_id="a", answer="yes", latency_ms=1.0)
    key = given["scorer"]
    with open_store(f"sqlite:///{folder}/store.db") as store:
        run = keep_run(store, CASES, [answer, failure], metrics=choose([key]))
        of_cases = {score.case_id: score.result for score in store.scores.get(run.id)}
        report = gather(store, run.id)
    assert of_cases["b"] == CaseFailed(reason=f"http_status: {given['target']}")
    (overall,) = report.overall
    assert (overall.mean, overall.scored, overall.case_failed, overall.cases) == (1.0, 1, 1, 2)
    exported = json.loads(json_report.render(report))["metrics"][key]
    assert (exported["mean"], exported["scored"], exported["case_failed"]) == (1.0, 1, 1)
    rows = csv.DictReader(io.StringIO(csv_report.render(report)))
    (row,) = [each for each in rows if each["metric"] == key]
    assert (row["mean"], row["scored"], row["case_failed"]) == ("1.0", "1", "1")
    status, reason = conclude(CaseCounts(total=2, ok=1, failed=1), [failure], 0.1)
    assert status is RunStatus.FAILED_PIPELINE
    assert given["target"] in (reason or "")


def a_score_that_is_none_is_null(given: Any, _folder: Path) -> None:
    """A metric that returns NaN has failed on the case; no export holds a word that JSON does not know."""

    @metric(key="user.nan")
    def broken(_evidence: Any) -> float:
        return float(given["score"])

    from ragproof.scoring import score

    found = score(broken, CASES[0], output("a"), Settings())
    assert isinstance(found.result, CaseFailed)
    assert found.value is None
    nothing = summary("user.nan", mean=None, p50=None, p95=None, scored=0, skipped=0)
    report = RunReport(run=record(), summaries=(nothing,))

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is no JSON")

    exported = json.loads(json_report.render(report), parse_constant=refuse)
    assert exported["metrics"]["user.nan"]["mean"] is None
    assert exported["metrics"]["user.nan"]["reasons"]


def repeats_are_samples_of_their_own(given: Any, folder: Path) -> None:
    """As many calls as repeats; asked again, all of them are kept and none is made."""
    with open_store(f"sqlite:///{folder}/store.db") as store:
        run_id = started(store)
        calls = [
            Call(
                run_id=run_id,
                identity=pipeline_call_identity("adapter", {"case": given["case"]}, trial, run_id),
                case_id=given["case"],
                trial=trial,
            )
            for trial in range(given["repeat"])
        ]
        assert len({call.identity for call in calls}) == given["repeat"]
        assert store.calls.reserve(calls) == {}
        for n, call in enumerate(calls):
            do(store.calls.sent(call), store.calls.settle(call, output(given["case"], f"sample {n}")))
        kept = store.calls.reserve(calls)
    samples = [kept[call.identity] for call in calls]
    assert samples == [output(given["case"], f"sample {n}") for n in range(given["repeat"])]


class _Nobody:
    """A pipeline that must not be asked."""

    passes_history = False

    async def ask(self, question: Any) -> PipelineOutput:
        raise AssertionError(f"'{question.case_id}' was asked")

    async def close(self) -> None:
        """Nothing is held."""


def a_kept_reply_waits_for_no_slot(given: Any, folder: Path) -> None:
    """The ledger is looked into first, while every slot is taken."""
    case = CASES[0]
    fields = {"k": 5, "retrieve_k": 10}
    with open_store(f"sqlite:///{folder}/store.db") as store:
        run_id = started(store)
        payload: dict[str, JsonValue] = {"case": case.content_hash(), **fields}
        call = Call(
            run_id=run_id, identity=pipeline_call_identity("adapter", payload, 0, run_id), case_id=case.id
        )
        store.calls.reserve([call])
        do(store.calls.sent(call), store.calls.settle(call, output(case.id)))

        async def with_every_slot_taken() -> Any:
            slots = asyncio.Semaphore(given["limit"])
            for _ in range(given["limit"]):
                await slots.acquire()
            async with asyncio.timeout(60):
                return await ask_cases(
                    [case],
                    run_id=run_id,
                    adapter=_Nobody(),
                    adapter_identity="adapter",
                    timeout_seconds=60,
                    slots=slots,
                    ledger=store.calls,
                    redactor=Redactor({}),
                    **fields,
                )

        assert asyncio.run(with_every_slot_taken()) == {case.id: output(case.id)}


def noise_around_a_threshold_is_inconclusive(given: Any, _folder: Path) -> None:
    """0.93 of 200 cases against 0.935 decides nothing; how many would is told by the same library."""
    n = given["n"]
    right = round(min(given["nightly_scores"]) * n)
    values = [1.0] * right + [0.0] * (n - right)
    verdict = level_verdict(values, at_least=given["threshold"], lowest=0.0, highest=1.0)
    assert verdict.verdict.value == "inconclusive"
    assert verdict.mean == right / n < given["threshold"]
    spread = stdev(values)
    assert cases_for_effect((given["threshold"] - verdict.mean) / spread).n > n


IMPORTS = """
import asyncio, pkgutil, sys
before = (asyncio.run, asyncio.BaseEventLoop.run_until_complete, type(asyncio.get_event_loop_policy()))
import ragproof
for module in pkgutil.walk_packages(ragproof.__path__, "ragproof."):
    if not module.name.endswith(("__main__", ".env")) and ".versions." not in module.name:
        __import__(module.name)
after = (asyncio.run, asyncio.BaseEventLoop.run_until_complete, type(asyncio.get_event_loop_policy()))
assert before == after
assert "nest_asyncio" not in sys.modules
"""


def importing_changes_no_event_loop(_given: Any, _folder: Path) -> None:
    """Nothing is patched or printed at import, and a case is asked and scored inside a running loop."""
    done = subprocess.run(
        [sys.executable, "-c", IMPORTS], capture_output=True, text=True, check=False, env={"CI": "1"}
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")

    async def in_a_host() -> Any:
        from ragproof.adapters.adapter import Question
        from ragproof.asking import ask

        class Here(_Nobody):
            async def ask(self, question: Any) -> PipelineOutput:
                return output(question.case_id)

        return await ask(Here(), Question.of(CASES[0], k=1, retrieve_k=1), 60)

    assert asyncio.run(in_a_host()) == output("a")
