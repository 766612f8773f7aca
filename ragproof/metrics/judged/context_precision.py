"""Context precision: average precision of the verdicts on contexts in rank order (source B).

`sum over useful ranks r of (useful in the top r) / r`, divided by how many are useful. None useful is 0.0.
The rank is the ranking's, not the order in which the generator read. As RAGAS with a reference, except that
it adds 1e-10 to the denominator, so that 1.0 is out of its reach. False friend: `precision@k`, and `map@k`,
which divides by the relevant documents there are.
"""

from __future__ import annotations

from collections.abc import Sequence

from ragproof.evidence import Evidence
from ragproof.judge.ask import Ask
from ragproof.metric import ANSWERABLE, Cost, Measured, Measurement, Metric, Need
from ragproof.metrics.judged.overheard import overheard
from ragproof.metrics.judged.references import NO_CLAIMS, distinct_answers
from ragproof.metrics.judged.usefulness import PROMPT, ranked_contexts
from ragproof.scores import Skipped


def average_precision(useful: Sequence[bool]) -> float:
    """Return the mean of precision at each useful rank.

    Args:
        useful: a verdict for each context, best rank first.

    Returns:
        From 0 to 1; 0.0 when none is useful, and for no contexts.
    """
    found, total = 0, 0.0
    for rank, is_useful in enumerate(useful, 1):
        if is_useful:
            found += 1
            total += found / rank
    return total / found if found else 0.0


async def measure(evidence: Evidence, ask: Ask) -> Measured:
    """Ask which contexts are useful; the details hold each in rank order, with its verdict and quote."""
    if evidence.read_chunks is None:
        return Skipped(reason=Need.RETRIEVAL.value)
    if not distinct_answers(evidence.case):
        return NO_CLAIMS
    ranked = await ranked_contexts(evidence, ask)
    value = average_precision([context.useful for context in ranked])
    return Measurement(value, {"contexts": [context.told() for context in ranked]})


METRIC = Metric(
    key="context_precision",
    summary="Average precision of the retrieved contexts: are those useful for the reference ranked first.",
    family="judged",
    cost=Cost.JUDGE,
    judged=overheard(measure),
    prompts=(PROMPT,),
    needs=(Need.JUDGE, Need.EXPECTED_ANSWER),
    kinds=ANSWERABLE,
)
