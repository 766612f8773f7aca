"""What an answer may cite: the contexts by their place and their id, and what else the adapter names.

Places are those of the contexts that the generator read, each chunk once at its first place. After them come
chunks that were retrieved and not read, and, matched by document, whole documents; those are cited by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ragproof.evidence import Evidence, SourceMatch
from ragproof.metrics.judged.citations.marks import Citation
from ragproof.metrics.judged.citations.sentences import CAP, Sentence, capped, read
from ragproof.metrics.judged.readable import Context, distinct


@dataclass(frozen=True)
class Sources:
    """Everything that can be cited."""

    all: tuple[Context, ...]
    """`k1` is the first place."""
    numbered: int
    """How many of them a number can mean."""
    named: Mapping[str, int]
    """Places by name."""

    def id_of(self, citation: Citation) -> str:
        """Return the id of what is cited; of what points at nothing, its label."""
        return citation.label if citation.place is None else self.all[citation.place - 1].chunk_id


def sources_of(evidence: Evidence) -> Sources:
    """Return what an answer may cite; nothing without retrieval.

    A name that is a number is a place unless the adapter cites it by itself.
    """
    read_chunks = distinct(evidence.read_chunks or ())
    chunks = distinct((*read_chunks, *(evidence.output.retrieved or ())))
    texts = [(chunk.id, chunk.text) for chunk in chunks]
    if evidence.settings.source_match is SourceMatch.DOCUMENT:
        ids = {chunk.id for chunk in chunks}
        for document in dict.fromkeys(chunk.document_id for chunk in chunks):
            if document not in ids:
                parts = dict.fromkeys(each.text for each in chunks if each.document_id == document)
                texts.append((document, "\n\n".join(parts)))
    cited = frozenset(evidence.output.citations or ())
    named: dict[str, int] = {}
    for place, (id, _) in enumerate(texts, 1):
        if id in cited or not id.strip().isdecimal():
            named.setdefault(id, place)
    shown = tuple(Context(f"k{place}", text, id) for place, (id, text) in enumerate(texts, 1))
    return Sources(shown, len(read_chunks), named)


def cited_sentences(evidence: Evidence, sources: Sources) -> tuple[Sentence, ...]:
    """Return the sentences of the answer with what they cite.

    Marks in the text count; without any, what the adapter says is cited is cited by every sentence. Brackets
    that all point at nothing are marks too, unless the adapter knows better.
    """
    cap = CAP if evidence.settings.cap_citations else None
    sentences = read(evidence.output.answer or "", sources.numbered, sources.named, cap)
    structured = tuple(
        Citation(id, sources.named.get(id), by_number=False) for id in evidence.output.citations or ()
    )
    marked = [citation for sentence in sentences for citation in sentence.citations]
    if any(citation.place is not None for citation in marked) or not structured:
        return sentences
    distinct_citations = capped(structured, None)
    kept = distinct_citations[:cap]
    return tuple(Sentence(sentence.text, kept, len(distinct_citations) - len(kept)) for sentence in sentences)
