"""Overrefusal: 1 when the pipeline declined a question it should have answered; lower is better (source A).

The same detection as `robustness.abstention`, on answerable cases; read the two side by side.
"""

from __future__ import annotations

from ragproof.metric import ANSWERABLE, Direction, Metric, Need
from ragproof.metrics.judged import declined
from ragproof.metrics.robustness.abstention import METRIC as ABSTENTION
from ragproof.metrics.robustness.abstention import measure

METRIC = Metric(
    key="robustness.overrefusal",
    summary="Whether the pipeline declined a question that the corpus does answer.",
    family="robustness",
    measure=measure,
    judged=declined.measure,
    prompts=(declined.PROMPT,),
    version=2,
    direction=Direction.LOWER,
    needs=(Need.ANSWER,),
    kinds=ANSWERABLE,
    beside=ABSTENTION.key,
)
