"""When a label given to one run's answer holds for another's: where the very same was judged.

The answer must be the same text, and so must whatever else the metric's prompts show the judge: the context
for groundedness, which judges an answer by it, and its order, which some metrics weigh.
"""

from __future__ import annotations

from collections.abc import Hashable

from ragproof.errors import ConfigurationError
from ragproof.judge.prompting import load
from ragproof.metric import Metric
from ragproof.outputs import PipelineOutput
from ragproof.rubrics import RubricMeasure

_OF_CASE = frozenset({"question", "expected_answers"})
"""What two cases of one content share."""
_ANSWER_ALONE = _OF_CASE | {"answer"}
_ANSWER_AND_CONTEXT = _ANSWER_ALONE | {"contexts", "claims", "text"}
"""Claims, and the text they are cut from or held against, are of the answer, the reference or the context."""


def judged_text(metric: Metric | None, output: PipelineOutput) -> Hashable:
    """Return what of an output a metric judges; equal for two outputs that one label holds for.

    Args:
        metric: None when it is not known, and anything may matter to it.
        output: the pipeline's.
    """
    reads = None if metric is None else _reads(metric)
    if reads is not None and reads <= _ANSWER_ALONE:
        return output.answer
    read = output.context if output.context is not None else output.retrieved
    texts = None if read is None else tuple(chunk.text for chunk in read)
    if reads is not None and reads <= _ANSWER_AND_CONTEXT:
        return output.answer, texts
    named = tuple((chunk.id, chunk.text) for chunk in (*(read or ()), *(output.retrieved or ())))
    return output.answer, texts, output.citations, named


def _reads(metric: Metric) -> frozenset[str] | None:
    """Return the data that a metric's prompts show the judge; None when that is not known."""
    if isinstance(metric.judged, RubricMeasure):
        return frozenset(metric.judged.prompt.data)
    try:
        return frozenset(key for name in metric.prompts for key in load(name).data) or None
    except ConfigurationError:
        return None
