"""Completeness: how much of the expected answer the answer holds, in three bands (source A).

Complete is 1, partial 0.5, missing 0. Of several expected answers the closest counts. False friend: recall of
words, which a right answer in other words fails.
"""

from __future__ import annotations

from pydantic import JsonValue

from ragproof.evidence import Evidence
from ragproof.judge.ask import Ask
from ragproof.judge.prompting import load
from ragproof.metric import Cost, Measured, Metric, Need
from ragproof.metrics.judged.bands import banded
from ragproof.metrics.judged.declined import PROMPT as REFUSAL
from ragproof.metrics.judged.declined import declined, worth_of_declining

PROMPT = "completeness"


async def measure(evidence: Evidence, ask: Ask) -> Measured:
    """Ask for a band; an answer that declines scores 0.0, or has no score where declining may be right."""
    found = await declined(evidence, ask)
    if found.declined:
        return worth_of_declining(evidence, found)
    case = evidence.case
    data: dict[str, JsonValue] = {
        "question": case.question,
        "expected_answers": list(case.expected_answers),
        "answer": evidence.output.answer,
    }
    return banded(await ask(load(PROMPT).render(data)))


METRIC = Metric(
    key="generation.completeness",
    summary="How much of the expected answer the answer holds: 1, 0.5 for a part of it, or 0.",
    family="judged",
    cost=Cost.JUDGE,
    judged=measure,
    prompts=(REFUSAL, PROMPT),
    needs=(Need.JUDGE, Need.ANSWER, Need.EXPECTED_ANSWER),
)
