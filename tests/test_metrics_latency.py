"""Latency: the pipeline's own wall clock, and its distribution over a run."""

from __future__ import annotations

import pytest

from ragproof.evidence import Settings
from ragproof.metric import Direction
from ragproof.metrics.operational.latency import METRIC
from ragproof.scores import Skipped
from ragproof.scoring import score
from ragproof.summaries import Summary
from ragproof.summarising import summarise
from tests.fakes.evidence import case, output


def test_a_case_has_the_latency_its_output_reports() -> None:
    """No rounding, no unit but milliseconds."""
    assert score(METRIC, case(), output(latency_ms=0.125), Settings()).value == 0.125
    assert METRIC.direction is Direction.LOWER


def test_a_recording_without_times_has_no_latency() -> None:
    """Skipped with the reason; 0 would be a measurement that nobody made."""
    found = score(METRIC, case(), output(latency_ms=None), Settings())
    assert found.result == Skipped(reason="recording has no latency")


@pytest.mark.parametrize(
    ("why", "key", "expected"),
    [
        ("the mean", "avg_latency_ms", sum(range(1, 201)) / 200),
        ("position ceil(0.50 * 200)", "p50_latency_ms", 100.0),
        ("position ceil(0.95 * 200)", "p95_latency_ms", 190.0),
        ("position ceil(0.99 * 200)", "p99_latency_ms", 198.0),
    ],
)
def test_run_level_keys_hold_one_number_of_the_run(why: str, key: str, expected: float) -> None:
    """Each has its value as mean, null percentiles, and the coverage of `latency_ms`; no bound is known."""
    cases = [case(id=f"case-{number}") for number in range(1, 201)]
    scores = [score(METRIC, each, output(latency_ms=float(each.id[5:])), Settings()) for each in cases]
    summaries = {
        summary.metric: summary
        for summary in summarise([METRIC], scores, cases, Settings())
        if not summary.tag
    }
    assert summaries[key] == Summary(metric=key, direction=Direction.LOWER, mean=expected, scored=200), why
    assert summaries["latency_ms"].p99 == 198.0
