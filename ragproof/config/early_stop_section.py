"""The section that lets a run stop at a sure regression."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ragproof.config.section import Name, Section


class EarlyStopSection(Section):
    """When to stop asking: a drop so sure that the cases left could not take it back."""

    baseline: Annotated[str, Field(min_length=1, examples=["latest"])]
    """The run to hold this one against: an id, a label, `latest` of the project, or a file of `ragproof
    export`."""
    metric: Annotated[Name, Field(examples=["retrieval.mrr"])]
    """What must not drop; a metric of the run whose values have a range."""
    max_drop: Annotated[float, Field(gt=0, allow_inf_nan=False, examples=[0.03])]
    """The drop of its mean that is allowed."""
    seed: Annotated[int, Field(ge=0, le=2**32 - 1)] = 0
    """Of the random order in which the cases are asked."""
