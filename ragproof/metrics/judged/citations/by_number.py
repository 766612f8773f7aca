"""Citation support of an answer that cites by number: counted from the verdicts on its sentences.

One call then serves it and ALCE's two metrics. An answer that cites otherwise, or whose adapter cites what
its text does not, is asked about chunk by chunk.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from ragproof.evidence import Evidence, SourceMatch
from ragproof.judge.ask import Ask
from ragproof.metric import Measurement
from ragproof.metrics.judged.citations.checks import Check, Verdicts, readable, verdicts_on
from ragproof.metrics.judged.citations.entailment import needed
from ragproof.metrics.judged.citations.sentences import Sentence
from ragproof.metrics.judged.citations.sources import Sources, cited_sentences, sources_of


@dataclass(frozen=True)
class NumberedCitations:
    """What the adapter cites, and the places the text cites it at."""

    sentences: tuple[Sentence, ...]
    sources: Sources
    places: Mapping[str, frozenset[int]]
    """By cited id; none is empty."""


def numbered_citations(evidence: Evidence, cited: Sequence[str]) -> NumberedCitations | None:
    """Find each cited id in the text.

    Args:
        evidence: the case with its answer.
        cited: what the adapter cites, each once; empty is covered by any text.

    Returns:
        None unless the text cites every one of them by number.
    """
    sources = sources_of(evidence)
    sentences = cited_sentences(evidence, sources)
    marked = {
        citation.place
        for sentence in sentences
        for citation in sentence.citations
        if citation.by_number and citation.place is not None
    }
    places = {id: frozenset(marked & _places(id, evidence, sources)) for id in cited}
    return NumberedCitations(sentences, sources, places) if all(places.values()) else None


async def supported_by_number(evidence: Evidence, cited: NumberedCitations, ask: Ask) -> Measurement:
    """Return the share of the cited chunks that some sentence needs; a missing verdict supports nothing.

    Raises:
        Unjudged: a reply could not be used at all.
    """
    verdicts = await verdicts_on(cited.sentences, cited.sources, evidence, ask)
    supporting: dict[int, str] = {}
    for place, sentence in enumerate(cited.sentences):
        for source, quote in _supporting(place, readable(sentence, cited.sources), verdicts):
            supporting.setdefault(source, quote)
    told: list[JsonValue] = [
        {
            "id": id,
            "supported": not places.isdisjoint(supporting),
            "quote": next((supporting[place] for place in sorted(places) if place in supporting), ""),
        }
        for id, places in cited.places.items()
    ]
    supported = sum(not places.isdisjoint(supporting) for places in cited.places.values())
    missing: list[JsonValue] = [
        cited.sources.all[place - 1].chunk_id
        for place in sorted({place for check in verdicts.missing for place in check.places})
    ]
    details: dict[str, JsonValue] = {
        "citations": told,
        "cited": len(cited.places),
        "unknown": [],
        "no_verdict": missing,
    }
    return Measurement(supported / len(cited.places), details)


def _supporting(place: int, cited: Sequence[int], verdicts: Verdicts) -> list[tuple[int, str]]:
    """Return the sources that support a sentence alone or that it needs, each with the passage."""
    by_need = needed(cited, lambda places: verdicts.of(place, places))
    found = []
    for source in cited:
        alone = frozenset({source})
        if verdicts.of(place, alone):
            found.append((source, verdicts.quotes[Check(place, alone)]))
        elif by_need[source]:
            found.append((source, verdicts.quotes.get(Check(place, frozenset(cited)), "")))
    return found


def _places(id: str, evidence: Evidence, sources: Sources) -> frozenset[int]:
    """Return the places at which an id can be cited: its chunk's, or those of its document's chunks."""
    numbered = sources.all[: sources.numbered]
    places = {place for place, source in enumerate(numbered, 1) if source.chunk_id == id}
    if evidence.settings.source_match is SourceMatch.DOCUMENT and not places:
        of_document = {
            (chunk.id, chunk.text) for chunk in evidence.read_chunks or () if chunk.document_id == id
        }
        places = {p for p, source in enumerate(numbered, 1) if (source.chunk_id, source.text) in of_document}
    return frozenset(places)
