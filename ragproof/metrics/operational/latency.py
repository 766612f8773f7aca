"""Latency: the wall clock of the pipeline alone for one case, in milliseconds (source B).

Never queueing, never the judge; skipped for a recording that does not say it. Over the run: the mean and
nearest-rank percentiles, under keys of their own.
"""

from __future__ import annotations

from ragproof.evidence import Evidence
from ragproof.metric import Direction, Metric, Need, Range, RunLevel


def measure(evidence: Evidence) -> float:
    """Return the output's own `latency_ms`; 0 or more."""
    assert evidence.output.latency_ms is not None
    return evidence.output.latency_ms


METRIC = Metric(
    key="latency_ms",
    summary="Milliseconds the pipeline took, without queueing or judging.",
    family="operational",
    measure=measure,
    direction=Direction.LOWER,
    range=Range(0.0, None),
    needs=(Need.LATENCY,),
    version=2,
    statistics=("mean", "p50", "p95", "p99"),
    run_level=(
        RunLevel("avg_latency_ms", "Mean latency of the run.", "mean"),
        RunLevel("p50_latency_ms", "Latency that half of the cases stay within.", "p50"),
        RunLevel("p95_latency_ms", "Latency that 95 % of the cases stay within.", "p95"),
        RunLevel("p99_latency_ms", "Latency that 99 % of the cases stay within.", "p99"),
    ),
)
