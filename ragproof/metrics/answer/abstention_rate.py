"""Abstention rate: 1.0 when the answer declines to answer; the mean is the share that do (source B).

Over cases of all kinds, by the refusal heuristic alone and never by a judge. It describes and ranks nothing:
declining is right on one case and wrong on the next. Answers in a language the heuristic does not know are
left out and counted.
False friends: `robustness.abstention` (unanswerable cases, higher is better) and `robustness.overrefusal`
(answerable ones, lower is better), which do say whether declining was right.
"""

from __future__ import annotations

from ragproof.metric import Direction, Metric, Need
from ragproof.metrics.robustness.abstention import measure

METRIC = Metric(
    key="abstention_rate",
    summary="The share of answers that decline to answer, right or wrong.",
    family="answer",
    measure=measure,
    direction=Direction.NONE,
    needs=(Need.ANSWER,),
)
