"""The report as JSON: the shape other programs rely on."""

from __future__ import annotations

import json
from typing import Any

from ragproof.reports.json import render
from tests.fakes.reports import record, small_report, summary


def read(**changes: Any) -> dict[str, Any]:
    """Render a small report and read it back, refusing what is not JSON."""

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    read_back: dict[str, Any] = json.loads(render(small_report(**changes)), parse_constant=refuse)
    return read_back


def test_the_agreed_keys_are_there() -> None:
    """DESIGN's shape of `ragproof run --json`."""
    found = read()
    assert found["run_id"] == "0123456789ab"
    assert found["project"] == "handbook"
    assert found["status"] == "failed:pipeline"
    assert found["cases"] == {"total": 4, "ok": 3, "failed": 1}
    assert found["spend"] == {
        "eval_cost_usd": 0.0125,
        "eval_llm_calls": 2,
        "eval_input_tokens": 300,
        "eval_output_tokens": 20,
    }
    assert found["comparability"] == {"k": 5}


def test_a_metric_has_its_statistics_counts_and_reasons() -> None:
    """Nothing is rounded, and `errored` is judge errors plus failed cases."""
    assert read()["metrics"]["token_f1"] == {
        "mean": 2 / 3,
        "p50": 1 / 3,
        "p95": 1.0,
        "p99": None,
        "scored": 2,
        "skipped": 1,
        "not_applicable": 0,
        "judge_error": 0,
        "case_failed": 1,
        "errored": 1,
        "lowest_mean": 4 / 9,
        "highest_mean": 7 / 9,
        "direction": "higher",
        "reasons": {"case has no expected_answer": 1, "timeout: 60 s": 1},
    }


def test_a_run_level_key_has_its_value_as_mean_and_no_percentiles() -> None:
    """`p95_latency_ms` is one number of the run."""
    found = read()["metrics"]["p95_latency_ms"]
    assert (found["mean"], found["p50"], found["p95"]) == (250.0, None, None)


def test_metrics_over_all_cases_are_not_mixed_with_those_of_a_tag() -> None:
    """A tag's numbers stand under the tag."""
    found = read()
    assert [(tag["name"], tag["value"]) for tag in found["tags"]] == [("language", "de"), ("language", "en")]
    assert found["tags"][1]["metrics"]["token_f1"]["mean"] == 1.0


def test_why_a_run_ended_and_which_cases_failed_are_told() -> None:
    """A program can say what a person reads in the report."""
    found = read()
    assert found["status_reason"].startswith("1 of 4 calls failed")
    assert found["failures"][0]["message"] == "no reply after 60 s"
    assert found["worst"][0]["bad"][0] == {"metric": "token_f1", "value": 1 / 3, "direction": "higher"}
    assert found["duration_seconds"] == 200.0


def test_a_running_run_has_no_duration() -> None:
    """Absent is null, never 0."""
    assert read(run=record(finished_at=None))["duration_seconds"] is None


def test_half_a_surrogate_pair_does_not_break_the_file() -> None:
    """An error message may hold anything; the text must encode, and parse everywhere."""
    written = render(small_report(summaries=(summary(reasons={"boom \ud800": 1}),)))
    assert "boom \N{REPLACEMENT CHARACTER}" in written.encode("utf-8").decode("utf-8")


def test_other_scripts_stay_readable() -> None:
    """JSON text is UTF-8, and people look into it."""
    assert "四日" in render(small_report(run=record(label="四日")))
