"""Groundedness: supported claims over claims, all contexts read together as the premise (source A).

One call splits the answer into atomic claims and marks each. The denominator is every claim of the reply,
proven against its schema. False friend: a free score from 0 to 1 given by the judge itself.
"""

from __future__ import annotations

from pydantic import JsonValue

from ragproof.evidence import Evidence
from ragproof.judge.ask import Ask
from ragproof.judge.calls import Verdict
from ragproof.judge.prompting import load
from ragproof.metric import Cost, Explained, Measured, Measurement, Metric, Need
from ragproof.metrics.judged.declined import PROMPT as REFUSAL
from ragproof.metrics.judged.declined import declined, nothing_to_judge
from ragproof.metrics.judged.quotes import is_quoted
from ragproof.outputs import Chunk
from ragproof.scores import NotApplicable, Skipped

PROMPT = "groundedness"


async def measure(evidence: Evidence, ask: Ask) -> Measured:
    """Ask for the claims and count them.

    An answer that declines, or makes no claim, is not applicable; one that was given no text to go by scores
    0.0 without a call for claims. The details hold each claim with its verdict, the ids of the chunks that
    support it and the quote.
    """
    chunks = evidence.read_chunks
    if chunks is None:
        return Skipped(reason=Need.RETRIEVAL.value)
    found = await declined(evidence, ask)
    if found.declined:
        return nothing_to_judge(found)
    readable = list({(chunk.id, chunk.text): chunk for chunk in chunks if chunk.text.strip()}.values())
    if not readable:
        return Measurement(0.0, {"rule": "the context is empty"})
    verdict = await ask(
        load(PROMPT).render(
            {
                "question": evidence.case.question,
                "answer": evidence.output.answer,
                "contexts": [{"id": f"k{n}", "text": chunk.text} for n, chunk in enumerate(readable, 1)],
            }
        )
    )
    claims = _claims(verdict, readable, required=evidence.settings.require_quotes)
    details: dict[str, JsonValue] = {
        "claims": list(claims),
        "quotes_not_found": sum(1 for claim in claims if claim["quote"] and not claim["quote_found"]),
        "invented_contexts": verdict.invented,
        **verdict.transcript.told(),
    }
    if not claims:
        return Explained(NotApplicable(reason="the answer makes no factual claim"), details)
    return Measurement(sum(1 for claim in claims if claim["supported"]) / len(claims), details)


def _claims(verdict: Verdict, chunks: list[Chunk], *, required: bool) -> list[dict[str, JsonValue]]:
    """Return each claim with the verdict that counts; a required quote that is nowhere supports nothing."""
    ids = {f"k{n}": chunk.id for n, chunk in enumerate(chunks, 1)}
    told: list[dict[str, JsonValue]] = []
    assert isinstance(verdict.value, list)
    for entry, quote in zip(verdict.value, verdict.quotes, strict=True):
        assert isinstance(entry, list)
        text, supported, contexts = entry
        there = is_quoted(quote, (chunk.text for chunk in chunks))
        told.append(
            {
                "text": text,
                "supported": bool(supported) and (there or not required),
                "contexts": list(dict.fromkeys(ids[str(alias)] for alias in contexts))
                if isinstance(contexts, list)
                else [],
                "quote": quote,
                "quote_found": there,
            }
        )
    return told


METRIC = Metric(
    key="generation.groundedness",
    summary="The share of the answer's claims that the contexts support.",
    family="judged",
    cost=Cost.JUDGE,
    judged=measure,
    prompts=(REFUSAL, PROMPT),
    needs=(Need.JUDGE, Need.ANSWER),
)
