"""What a span says of itself, in the same words for every convention."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from pydantic import JsonValue

from ragproof.adapters.reading.chunks import Parts
from ragproof.adapters.recorded.spans import Span


class Role(Enum):
    """What part of a pipeline a span is."""

    STEP = auto()
    """A chain, an agent, a request: what it puts out may be the answer."""
    MODEL = auto()
    """A call to a language model."""
    RETRIEVER = auto()
    RERANKER = auto()
    ASIDE = auto()
    """An embedding, a tool, a guardrail: what it puts out is nobody's answer."""


@dataclass(frozen=True)
class Operation:
    """One span, read by its convention."""

    span: Span
    role: Role = Role.STEP
    questions: tuple[str, ...] = ()
    """What may be the text it was asked, in several readings."""
    output: JsonValue = None
    """Text, or an object or list; None is that it says nothing."""
    documents: tuple[Parts, ...] | None = None
    """The ranking of a retriever or re-ranker; None is that it does not say."""
    input_tokens: JsonValue = None
    output_tokens: JsonValue = None
