"""What a metric may look at: one case, the pipeline's output, and the settings that give scores meaning."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from ragproof.cases import Case
from ragproof.outputs import Chunk, PipelineOutput
from ragproof.similarity.model import SimilarityModel

APART = "apart"
"""Marks a setting, in its field's metadata, that is no part of the comparability key."""


class ClaimSplit(StrEnum):
    """How the claims of an answer and their verdicts are asked for."""

    JOINT = "joint"
    """In one question: the answer is split, and each claim marked by the contexts."""
    TWO_STEP = "two_step"
    """In two: the claims first, without the contexts in sight, then a verdict on each."""


class PerContext(StrEnum):
    """How verdicts on single contexts are asked for."""

    BATCHED = "batched"
    """About all contexts in one question."""
    EXACT = "exact"
    """In a question of its own for each context."""


class SourceMatch(StrEnum):
    """How a retrieved chunk is held against the expected source ids."""

    CHUNK = "chunk"
    """By the chunk's own id."""
    DOCUMENT = "document"
    """By `metadata.document_id`, falling back to the chunk's id."""


@dataclass(frozen=True)
class Prices:
    """What the pipeline's own tokens cost, in dollars for a million."""

    input_usd_per_mtok: float
    output_usd_per_mtok: float


@dataclass(frozen=True)
class Settings:
    """What changes what a score means; the comparability key has all that are not marked apart."""

    k: int = 5
    metric_k: int = 10
    source_match: SourceMatch = SourceMatch.CHUNK
    judge_configured: bool = False
    require_quotes: bool = False
    """A claim or citation counts as supported only with a quote that stands in the text."""
    claims: ClaimSplit = ClaimSplit.JOINT
    per_context: PerContext = PerContext.BATCHED
    cap_citations: bool = True
    """Of each sentence the first three citations are judged, as ALCE does."""
    prices: Prices | None = field(default=None, metadata={APART: True})
    """None is not known. Only what a run costs depends on them: runs at other prices still compare."""
    similarity_model: SimilarityModel | None = field(default=None, metadata={APART: True})
    """None is not installed. Part of the comparability key by its sha256, where a metric needs it."""


@dataclass(frozen=True)
class Evidence:
    """One case with its output, ready to be measured."""

    case: Case
    output: PipelineOutput
    settings: Settings = Settings()
    chunk_level: bool = False
    """The expected ids of the run name chunks, not documents; found over all of it, and never configured."""

    @cached_property
    def ranked(self) -> tuple[str, ...]:
        """Matched source ids in rank order, each at its first rank; empty when nothing was retrieved."""
        return tuple(dict.fromkeys(self.source_ids(self.output.retrieved or ())))

    @cached_property
    def ranked_documents(self) -> tuple[str, ...]:
        """Document ids in rank order, each at the first rank of its chunks, whatever `source_match` says."""
        return tuple(dict.fromkeys(chunk.document_id for chunk in self.output.retrieved or ()))

    @cached_property
    def read_chunks(self) -> tuple[Chunk, ...] | None:
        """The chunks the generator read: its own context, else the ranking; None without retrieval."""
        return self.output.context if self.output.context is not None else self.output.retrieved

    def source_ids(self, chunks: Iterable[Chunk]) -> Iterable[str]:
        """Yield the id each chunk is matched by under the run's `source_match`."""
        if self.settings.source_match is SourceMatch.DOCUMENT:
            return (chunk.document_id for chunk in chunks)
        return (chunk.id for chunk in chunks)
