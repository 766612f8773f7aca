"""What the pipeline under test gave back for one case: an output, or a failure. Both are values."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field, JsonValue

from ragproof.cases import canonical_hash
from ragproof.frozen import Frozen


class Chunk(Frozen):
    """A retrieved piece of text, in the order the retriever (or re-ranker) gave it."""

    id: str
    text: str = ""
    score: float | None = None
    metadata: dict[str, JsonValue] = {}

    @property
    def document_id(self) -> str:
        """The document the chunk was cut from: `metadata.document_id`, else the chunk's own id."""
        document = self.metadata.get("document_id")
        return self.id if document is None else str(document)


class Usage(Frozen):
    """What the system under test reports it spent on one case; None is "not reported", never 0."""

    input_tokens: int | None = Field(default=None, ge=0)
    output_tokens: int | None = Field(default=None, ge=0)
    llm_calls: int | None = Field(default=None, ge=0)
    llm_cache_hits: int | None = Field(default=None, ge=0)
    llm_cache_misses: int | None = Field(default=None, ge=0)


class PipelineOutput(Frozen):
    """One answer. `None` is "does not do this", `()` and `""` are "did it, and found or said nothing"."""

    case_id: str
    answer: str | None = None
    retrieved: tuple[Chunk, ...] | None = None
    """The ranking: what the retriever (or re-ranker) returned, best first."""
    context: tuple[Chunk, ...] | None = None
    """What the generator read, in its order, where that differs from `retrieved`."""
    citations: tuple[str, ...] | None = None
    usage: Usage | None = None
    latency_ms: float | None = Field(default=None, ge=0)
    """The pipeline's own wall clock: never queueing, never the judge; None is a recording without times."""
    notes: tuple[str, ...] = ()
    """What was normalised on the way in (an integer id read as text, say)."""

    def content_hash(self) -> str:
        """Return a sha256 of all that a score could depend on."""
        return canonical_hash(self.model_dump(mode="json"))


class FailureKind(StrEnum):
    """Why a case has no output."""

    TIMEOUT = "timeout"
    EXCEPTION = "exception"
    CONNECTION = "connection"
    HTTP_STATUS = "http_status"
    RATE_LIMIT = "rate_limit"
    BAD_OUTPUT = "bad_output"
    INTERRUPTED = "interrupted"


class CaseFailure(Frozen):
    """The pipeline gave no usable output for one case; the message is already redacted."""

    case_id: str
    kind: FailureKind
    message: str
    latency_ms: float | None = Field(default=None, ge=0)

    @property
    def reason(self) -> str:
        """The kind and the message in one line, as scores and reports print it."""
        return f"{self.kind.value}: {self.message}"


Outcome = PipelineOutput | CaseFailure
"""What a call to the pipeline ends with."""
