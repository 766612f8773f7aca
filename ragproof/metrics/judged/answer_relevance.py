"""Answer relevance: whether the answer addresses the question, in three bands (source A).

Relevant is 1, partial 0.5, irrelevant 0; whether the answer is true is no part of it. False friend: RAGAS's
answer relevancy, which compares embeddings of questions made from the answer.
"""

from __future__ import annotations

from ragproof.evidence import Evidence
from ragproof.judge.ask import Ask
from ragproof.judge.prompting import load
from ragproof.metric import Cost, Measured, Metric, Need
from ragproof.metrics.judged.bands import banded
from ragproof.metrics.judged.declined import PROMPT as REFUSAL
from ragproof.metrics.judged.declined import declined, worth_of_declining

PROMPT = "answer_relevance"


async def measure(evidence: Evidence, ask: Ask) -> Measured:
    """Ask for a band; an answer that declines scores 0.0, or has no score where declining may be right."""
    found = await declined(evidence, ask)
    if found.declined:
        return worth_of_declining(evidence, found)
    data = {"question": evidence.case.question, "answer": evidence.output.answer}
    return banded(await ask(load(PROMPT).render(data)))


METRIC = Metric(
    key="generation.answer_relevance",
    summary="Whether the answer addresses the question: 1, 0.5 for a part of it, or 0.",
    family="judged",
    cost=Cost.JUDGE,
    judged=measure,
    prompts=(REFUSAL, PROMPT),
    needs=(Need.JUDGE, Need.ANSWER),
)
