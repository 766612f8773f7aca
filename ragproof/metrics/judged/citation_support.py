"""Citation support: the share of the distinct cited chunks that support what cites them (source A).

A cited id that points at nothing, or at no text, supports nothing and is not sent to the judge; one that the
judge gives no verdict for even after the repair counts as unsupported, here alone. Where the answer's text
cites every one of them by number, the verdicts are those that citation recall and precision ask for: a chunk
supports what cites it when some sentence that cites it needs it, as `citations.entailment` says. False
friend: `generation.citation_validity`, which asks only whether the id exists.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from ragproof.evidence import Evidence, SourceMatch
from ragproof.judge.ask import Ask
from ragproof.judge.prompting import load
from ragproof.metric import Cost, Measured, Measurement, Metric, Need
from ragproof.metrics.judged.citations.by_number import numbered_citations, supported_by_number
from ragproof.metrics.judged.citations.checks import PROMPT as CITATION_CHECK
from ragproof.metrics.judged.declined import PROMPT as REFUSAL
from ragproof.metrics.judged.declined import declined, nothing_to_judge
from ragproof.metrics.judged.overheard import overheard
from ragproof.metrics.judged.quotes import is_quoted
from ragproof.scores import Skipped

PROMPT = "citation_support"


async def measure(evidence: Evidence, ask: Ask) -> Measured:
    """Ask of each cited chunk whether it supports what cites it, in one call, and count.

    The details hold each cited id with its verdict and quote; `no_verdict` names the ids the judge passed
    over, `unknown` those that point at nothing.
    """
    if evidence.read_chunks is None and evidence.output.retrieved is None:
        return Skipped(reason=Need.RETRIEVAL.value)
    found = await declined(evidence, ask)
    if found.declined:
        return nothing_to_judge(found)
    cited = tuple(dict.fromkeys(evidence.output.citations or ()))
    by_number = numbered_citations(evidence, cited)
    if by_number is not None:
        return await supported_by_number(evidence, by_number, ask)
    texts = _texts(evidence)
    readable = {f"s{n}": id for n, id in enumerate((id for id in cited if texts.get(id, "").strip()), 1)}
    unknown: list[JsonValue] = [id for id in cited if id not in texts]
    if not readable:
        return Measurement(0.0, {"cited": len(cited), "unknown": unknown})
    verdict = await ask(
        load(PROMPT).render(
            {
                "question": evidence.case.question,
                "answer": evidence.output.answer,
                "citations": [
                    {"id": alias, "cited_as": _cited_as(id, evidence), "text": texts[id]}
                    for alias, id in readable.items()
                ],
            }
        ),
        partial=True,
    )
    assert isinstance(verdict.value, dict)
    given = verdict.value
    quotes = dict(zip(given, verdict.quotes, strict=True))
    supports = {
        id: bool(given.get(alias))
        and (not evidence.settings.require_quotes or is_quoted(quotes.get(alias, ""), [texts[id]]))
        for alias, id in readable.items()
    }
    details: dict[str, JsonValue] = {
        "citations": [
            {"id": id, "supported": supports[id], "quote": quotes.get(alias, "")}
            for alias, id in readable.items()
        ],
        "cited": len(cited),
        "unknown": unknown,
        "no_verdict": [readable[alias] for alias in verdict.missing],
        "invented_ids": verdict.invented,
        **verdict.transcript.told(),
    }
    return Measurement(sum(supports.values()) / len(cited), details)


def _texts(evidence: Evidence) -> Mapping[str, str]:
    """Return the text behind each id that may be cited; a document's is that of all its chunks at hand."""
    chunks = (*(evidence.read_chunks or ()), *(evidence.output.retrieved or ()))
    texts: dict[str, str] = {}
    for chunk in chunks:
        texts.setdefault(chunk.id, chunk.text)
    if evidence.settings.source_match is SourceMatch.DOCUMENT:
        for document in {chunk.document_id for chunk in chunks} - texts.keys():
            texts[document] = "\n\n".join(
                dict.fromkeys(each.text for each in chunks if each.document_id == document)
            )
    return texts


def _cited_as(id: str, evidence: Evidence) -> str:
    """Return how the answer's text refers to a source: its id or its place in brackets, "" for neither."""
    answer = evidence.output.answer or ""
    places = [str(n) for n, chunk in enumerate(evidence.read_chunks or (), 1) if chunk.id == id]
    return next((mark for mark in (f"[{name}]" for name in (id, *places)) if mark in answer), "")


METRIC = Metric(
    key="generation.citation_support",
    summary="The share of the cited chunks that support what cites them.",
    family="judged",
    cost=Cost.JUDGE,
    judged=overheard(measure),
    prompts=(REFUSAL, CITATION_CHECK, PROMPT),
    needs=(Need.JUDGE, Need.ANSWER, Need.CITATIONS),
    version=2,
)
