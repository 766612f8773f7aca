"""Cost: what the tokens that the pipeline reports come to at the configured prices, in dollars (source B).

An estimate: cached and reasoning tokens may be billed otherwise. False friend: `eval_cost_usd`, which is what
the judge cost and no property of the pipeline.
"""

from __future__ import annotations

from ragproof.evidence import Evidence
from ragproof.metric import Direction, Metric, Need, Range
from ragproof.scores import Skipped

TOKENS_A_PRICE = 1_000_000


def measure(evidence: Evidence) -> float | Skipped:
    """Return input and output tokens at their prices; skipped when the report leaves one of them out."""
    usage, prices = evidence.output.usage, evidence.settings.prices
    assert usage is not None
    assert prices is not None
    if usage.input_tokens is None or usage.output_tokens is None:
        missing = "input_tokens" if usage.input_tokens is None else "output_tokens"
        return Skipped(reason=f"adapter reports no {missing}")
    sent = usage.input_tokens * prices.input_usd_per_mtok
    return (sent + usage.output_tokens * prices.output_usd_per_mtok) / TOKENS_A_PRICE


METRIC = Metric(
    key="cost_usd_estimate",
    summary="Dollars the pipeline's tokens come to at the configured prices.",
    family="operational",
    measure=measure,
    direction=Direction.LOWER,
    range=Range(0.0, None),
    needs=(Need.PRICES, Need.USAGE),
)
