"""What expected source ids name: documents, or the chunks they are cut into.

Source B's track is by document. Held against documents, labels that name chunks would score 0 for every
system, so it is skipped when over the run an expected id is a returned chunk's and none is a document's.
"""

from __future__ import annotations

from collections.abc import Iterable

from ragproof.cases import Case
from ragproof.frozen import Frozen
from ragproof.outputs import Outcome, PipelineOutput


class IdMatches(Frozen):
    """How many expected ids were seen among what came back; those of several shards can be added."""

    chunks: int = 0
    """Cases with an expected id that is a returned chunk's id."""
    documents: int = 0
    """Cases with one that is a returned chunk's document."""

    def __add__(self, other: IdMatches) -> IdMatches:
        return IdMatches(chunks=self.chunks + other.chunks, documents=self.documents + other.documents)

    @property
    def chunk_level(self) -> bool:
        """Whether the expected ids name chunks, as far as anybody can tell."""
        return self.chunks > 0 and self.documents == 0


def id_matches(pairs: Iterable[tuple[Case, Outcome]]) -> IdMatches:
    """Count in which cases expected ids are those of returned chunks or of their documents.

    Args:
        pairs: cases with what came back for them; failures and rankings that found nothing tell nothing.
    """
    matches = IdMatches()
    for case, outcome in pairs:
        retrieved = (outcome.retrieved if isinstance(outcome, PipelineOutput) else None) or ()
        matches += IdMatches(
            chunks=any(chunk.id in case.relevance for chunk in retrieved),
            documents=any(chunk.document_id in case.relevance for chunk in retrieved),
        )
    return matches
