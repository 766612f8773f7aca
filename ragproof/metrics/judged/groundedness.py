"""Groundedness (source A) and faithfulness (source B): supported claims over claims, all contexts read
together as the premise. One computation under two keys: A's of every kind of case, B's of answerable ones.

The denominator is every claim of the answer. False friends: a free score from 0 to 1 given by the judge
itself; RAGAS's faithfulness as published, which is NaN for an answer without claims and divides by the
verdicts that came back.
"""

from __future__ import annotations

from pydantic import JsonValue

from ragproof.evidence import Evidence
from ragproof.judge.ask import Ask
from ragproof.metric import ANSWERABLE, Cost, Explained, Measured, Measurement, Metric, Need
from ragproof.metrics.judged.answer_claims import NO_CLAIMS, PROMPT, answer_claims
from ragproof.metrics.judged.declined import PROMPT as REFUSAL
from ragproof.metrics.judged.declined import declined, nothing_to_judge
from ragproof.metrics.judged.overheard import overheard
from ragproof.metrics.judged.readable import contexts
from ragproof.metrics.judged.splitting import PROMPT as CLAIMS
from ragproof.metrics.judged.support import PROMPT as CLAIM_SUPPORT
from ragproof.scores import Skipped


async def measure(evidence: Evidence, ask: Ask) -> Measured:
    """Ask for the claims and count them.

    An answer that declines, or makes no claim, is not applicable; one that was given no text to go by scores
    0.0 without a call for claims. The details hold each claim with its verdict, the ids of the chunks that
    support it and the quote.
    """
    if evidence.read_chunks is None:
        return Skipped(reason=Need.RETRIEVAL.value)
    found = await declined(evidence, ask)
    if found.declined:
        return nothing_to_judge(found)
    if not contexts(evidence.read_chunks):
        return Measurement(0.0, {"rule": "the context is empty"})
    answer = await answer_claims(evidence, ask)
    details: dict[str, JsonValue] = {"claims": answer.told(), **answer.details}
    if not answer.claims:
        return Explained(NO_CLAIMS, details)
    return Measurement(sum(claim.supported for claim in answer.claims) / len(answer.claims), details)


_MEASURE = overheard(measure)

GROUNDEDNESS = Metric(
    key="generation.groundedness",
    summary="The share of the answer's claims that the contexts support.",
    family="judged",
    cost=Cost.JUDGE,
    judged=_MEASURE,
    prompts=(REFUSAL, CLAIMS, CLAIM_SUPPORT, PROMPT),
    needs=(Need.JUDGE, Need.ANSWER),
    version=2,
)
FAITHFULNESS = Metric(
    key="faithfulness",
    summary="The share of the answer's claims that the contexts support, of answerable cases.",
    family="judged",
    cost=Cost.JUDGE,
    judged=_MEASURE,
    prompts=(REFUSAL, CLAIMS, CLAIM_SUPPORT, PROMPT),
    needs=(Need.JUDGE, Need.ANSWER),
    kinds=ANSWERABLE,
)
METRICS = (GROUNDEDNESS, FAITHFULNESS)
