"""A small report made by hand: every kind of thing a report says, once."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from ragproof.metric import Direction
from ragproof.outputs import CaseFailure, FailureKind
from ragproof.reports.report import RunReport, WorstCase
from ragproof.reports.worst import BadScore
from ragproof.runs import CaseCounts, RunRecord, RunStatus, Spend
from ragproof.summaries import Summary, Tag

ABSTENTION = "robustness.abstention"
OVERREFUSAL = "robustness.overrefusal"
ENGLISH, GERMAN = Tag(name="language", value="en"), Tag(name="language", value="de")


def record(**changes: Any) -> RunRecord:
    """Return a run of four cases, one of which failed."""
    whole: dict[str, Any] = {
        "id": "0123456789ab",
        "project": "handbook",
        "pipeline": "baseline",
        "label": "before the move",
        "status": RunStatus.FAILED_PIPELINE,
        "status_reason": "1 of 4 calls failed (25%), more than run.max_error_rate allows (10%): timeout",
        "git_revision": "c0ffee" * 6 + "c0ff",
        "pipeline_version": "1.2",
        "dataset": "cases.jsonl",
        "dataset_hash": "d" * 64,
        "comparability": {"k": 5},
        "comparability_key": "e" * 64,
        "cases": CaseCounts(total=4, ok=3, failed=1),
        "spend": Spend(eval_llm_calls=2, eval_input_tokens=300, eval_output_tokens=20, eval_cost_usd=0.0125),
        "started_at": datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC),
        "finished_at": datetime(2026, 3, 4, 5, 9, 27, tzinfo=UTC),
        "worked_seconds": 200.0,
    }
    return RunRecord(**{**whole, **changes})


def summary(metric: str = "token_f1", **changes: Any) -> Summary:
    """Return a summary of four cases, two of them scored."""
    whole: dict[str, Any] = {
        "metric": metric,
        "direction": Direction.HIGHER,
        "mean": 2 / 3,
        "p50": 1 / 3,
        "p95": 1.0,
        "scored": 2,
        "skipped": 1,
        "case_failed": 1,
        "lowest_mean": 4 / 9,
        "highest_mean": 7 / 9,
        "reasons": {"case has no expected_answer": 1, "timeout: 60 s": 1},
    }
    return Summary(**{**whole, **changes})


def small_report(**changes: Any) -> RunReport:
    """Return the report of that run."""
    unerring: dict[str, Any] = {"case_failed": 0, "lowest_mean": None, "highest_mean": None, "reasons": {}}
    unbounded: dict[str, Any] = {"direction": Direction.LOWER, "lowest_mean": None, "highest_mean": None}
    none = dict.fromkeys(("mean", "p50", "p95", "lowest_mean", "highest_mean"))
    unscored: dict[str, Any] = {**none, "scored": 0}
    whole: dict[str, Any] = {
        "run": record(),
        "summaries": (
            summary(),
            summary(ABSTENTION, mean=1.0, p50=1.0, scored=3, skipped=1, **unerring),
            summary(OVERREFUSAL, mean=0.5, p50=0.0, direction=Direction.LOWER, skipped=2, **unerring),
            summary("latency_ms", mean=123.456, p50=99.96, p95=250.0, **unbounded),
            summary("p95_latency_ms", mean=250.0, p50=None, p95=None, **unbounded),
            summary("user.none", skipped=3, **unscored),
            summary(tag=GERMAN, skipped=0, **unscored),
            summary(tag=ENGLISH, mean=1.0, **unerring),
        ),
        "failures": (CaseFailure(case_id="q3", kind=FailureKind.TIMEOUT, message="no reply after 60 s"),),
        "worst": (
            WorstCase(
                case_id="q2",
                question="How many days of leave?",
                answer="I don't know.",
                bad=(
                    BadScore(metric="token_f1", value=1 / 3, direction=Direction.HIGHER),
                    BadScore(metric=OVERREFUSAL, value=1.0, direction=Direction.LOWER),
                ),
            ),
        ),
    }
    return RunReport(**{**whole, **changes})
