"""Abstention: 1 when the pipeline declined a question the corpus cannot answer, 0 when it answered.

Source A. With a judge its verdict alone decides, without one the refusal heuristic does. Meaningless without
`robustness.overrefusal`: a pipeline that refuses everything is perfect here. False friend: `abstention_rate`
(source B) is over all cases, and always by the heuristic.
"""

from __future__ import annotations

from ragproof.cases import CaseKind
from ragproof.evidence import Evidence
from ragproof.metric import Measurement, Metric, Need
from ragproof.metrics.judged import declined
from ragproof.metrics.robustness.refusal import detect
from ragproof.scores import Skipped


def measure(evidence: Evidence) -> Measurement | Skipped:
    """Return 1.0 when the answer declines, 0.0 when it answers; an empty answer says nothing, so it declines.

    The case's language tag is a hint to the heuristic, and the details say which rule decided.
    """
    refusal = detect(evidence.output.answer or "", evidence.case.language)
    if refusal.refused is None:
        return Skipped(reason="refusal language not supported")
    return Measurement(float(refusal.refused), {"language": refusal.language, "rule": refusal.reason})


METRIC = Metric(
    key="robustness.abstention",
    summary="Whether the pipeline declined a question that cannot be answered from the corpus.",
    family="robustness",
    measure=measure,
    judged=declined.measure,
    prompts=(declined.PROMPT,),
    version=2,
    needs=(Need.ANSWER,),
    kinds=frozenset({CaseKind.UNANSWERABLE}),
)
