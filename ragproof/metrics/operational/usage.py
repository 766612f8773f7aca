"""Usage: tokens, model calls and cache counts of one case, as the system under test reports them (source B).

What it does not report is absent, never 0. The one exception is the truth: a pipeline that only retrieves
and reports nothing made no model call. The judge's own spend is kept apart, as `eval_*`.
"""

from __future__ import annotations

from ragproof.evidence import Evidence
from ragproof.metric import Direction, Metric, Need, Range
from ragproof.outputs import Usage
from ragproof.scores import Skipped


def reported(usage: Usage, field: str) -> float | Skipped:
    """Return one count of a report.

    Args:
        usage: the report.
        field: a field of it, such as "input_tokens".

    Returns:
        The count, 0 or more; skipped when the report leaves it out.
    """
    count: int | None = getattr(usage, field)
    return Skipped(reason=f"adapter reports no {field}") if count is None else count


def llm_calls(evidence: Evidence) -> float | Skipped:
    """Return the model calls reported; 0 for a pipeline that only retrieves and reports no usage."""
    output = evidence.output
    usage = output.usage or Usage()
    if usage == Usage() and output.answer is None and output.retrieved is not None:
        return 0
    return Skipped(reason=Need.USAGE.value) if output.usage is None else reported(usage, "llm_calls")


def _count(field: str, summary: str, direction: Direction) -> Metric:
    def measure(evidence: Evidence) -> float | Skipped:
        """Return one count of the usage report."""
        return reported(evidence.output.usage or Usage(), field)

    return Metric(
        key=field,
        summary=summary,
        family="operational",
        measure=measure,
        direction=direction,
        range=Range(0.0, None),
        needs=(Need.USAGE,),
    )


METRICS = (
    _count("input_tokens", "Tokens the pipeline sent to its models.", Direction.LOWER),
    _count("output_tokens", "Tokens the pipeline's models wrote.", Direction.LOWER),
    Metric(
        key="llm_calls",
        summary="Model calls the pipeline made; 0 means none was seen.",
        family="operational",
        measure=llm_calls,
        direction=Direction.LOWER,
        range=Range(0.0, None),
    ),
    _count("llm_cache_hits", "Model calls the pipeline's cache answered.", Direction.NONE),
    _count("llm_cache_misses", "Model calls the pipeline's cache did not hold.", Direction.NONE),
)
