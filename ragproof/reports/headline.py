"""Which summaries a person reads first, and which metrics had nothing to measure at all.

A key of the whole run (`p95_latency_ms`) repeats what its metric's own line says, and a metric without a
single score or error is one sentence, not a line of dashes. Files and JSON keep every summary.
"""

from __future__ import annotations

from collections.abc import Iterable

from ragproof.reports.order import known_metrics
from ragproof.summaries import Summary


def headline(summaries: Iterable[Summary]) -> tuple[Summary, ...]:
    """Keep the summaries worth a line each, in the order given."""
    known = known_metrics().by_key
    return tuple(
        summary
        for summary in summaries
        if (summary.scored or summary.errored)
        and (summary.metric not in known or known[summary.metric].key == summary.metric)
    )


def unmeasured(summaries: Iterable[Summary]) -> dict[str, tuple[str, ...]]:
    """Group the metrics that no case was scored on, or failed on, by their most frequent reason."""
    by_reason: dict[str, tuple[str, ...]] = {}
    for summary in summaries:
        if summary.cases and not summary.scored and not summary.errored:
            reason = next(iter(summary.reasons), "no case was reached")
            by_reason[reason] = (*by_reason.get(reason, ()), summary.metric)
    return by_reason
