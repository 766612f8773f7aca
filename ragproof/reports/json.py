"""The report as JSON: what `ragproof run --json` prints, for programs. Nothing is rounded."""

from __future__ import annotations

from pydantic import JsonValue

from ragproof.reports import judged_by, wording
from ragproof.reports.registry import Format
from ragproof.reports.report import RunReport
from ragproof.reports.strict_json import strict_json
from ragproof.summaries import Summary

_NUMBERS = ("mean", "p50", "p95", "p99")
_COUNTS = ("scored", "skipped", "not_applicable", "judge_error", "case_failed", "errored")


def render(report: RunReport) -> str:
    """Write a report as strict JSON; a number that does not exist is null."""
    return strict_json(as_json(report))


def as_json(report: RunReport) -> dict[str, JsonValue]:
    """Return a report as JSON values.

    The run-level keys (`p95_latency_ms`, `eval_cost_usd` and the like) have their value as `mean` and no
    percentiles; those of the judge count no case.
    """
    run = report.run.model_dump(mode="json")
    names = ("project", "pipeline", "label", "status", "status_reason", "cases")
    return {
        "run_id": run["id"],
        **{name: run[name] for name in names},
        "metrics": {summary.metric: _summary(summary) for summary in report.rows},
        "tags": [
            {"name": tag.name, "value": tag.value, "metrics": {each.metric: _summary(each) for each in found}}
            for tag, found in report.tagged.items()
        ],
        "uncertain": [*report.uncertain],
        "failures": [failure.model_dump(mode="json") for failure in report.failures],
        "worst": [case.model_dump(mode="json") for case in report.worst],
        "repeats": report.repeats.model_dump(mode="json") if report.repeats else None,
        "labels": report.labels.model_dump(mode="json") if report.labels else None,
        "judge": judged_by.as_json(report.judge),
        "spend": run["spend"],
        "comparability": run["comparability"],
        "comparability_key": run["comparability_key"],
        **{name: run[name] for name in ("dataset", "dataset_hash", "git_revision")},
        **{name: run[name] for name in ("pipeline_version", "corpus_version", "flow_run_id")},
        **{name: run[name] for name in ("started_at", "finished_at")},
        "duration_seconds": wording.duration_seconds(report.run),
    }


def _summary(summary: Summary) -> dict[str, JsonValue]:
    return {
        **{name: getattr(summary, name) for name in (*_NUMBERS, *_COUNTS, "lowest_mean", "highest_mean")},
        "direction": summary.direction.value,
        "reasons": {**summary.reasons},
    }


FORMAT = Format("json", render)
