"""Spans by the OpenInference convention (Arize AI, semantic conventions 0.1.33).

Its attributes: `openinference.span.kind`, `input.value`, `output.value`, `retrieval.documents`,
`reranker.output_documents`, `llm.input_messages`, `llm.output_messages`, `llm.token_count`.
"""

from __future__ import annotations

from pydantic import JsonValue

from ragproof.adapters.reading.chunks import Parts, parts
from ragproof.adapters.recorded.attributes import Attributes, as_json, numbered
from ragproof.adapters.recorded.messages import questions, text_of
from ragproof.adapters.recorded.operations import Operation, Role
from ragproof.adapters.recorded.spans import Span

_KIND = ("openinference.span.kind", "span_kind")
_ROLES = {
    "CHAIN": Role.STEP,
    "AGENT": Role.STEP,
    "LLM": Role.MODEL,
    "RETRIEVER": Role.RETRIEVER,
    "RERANKER": Role.RERANKER,
    "EMBEDDING": Role.ASIDE,
    "TOOL": Role.ASIDE,
    "GUARDRAIL": Role.ASIDE,
    "EVALUATOR": Role.ASIDE,
    "PROMPT": Role.ASIDE,
}
_DOCUMENTS = {Role.RETRIEVER: "retrieval.documents", Role.RERANKER: "reranker.output_documents"}


def names_its_kind(span: Span) -> bool:
    """Say whether a span calls itself one of the convention's kinds."""
    return _kind(span.attributes) is not None


def operation(span: Span) -> Operation | None:
    """Read a span; None when it does not follow the convention.

    Raises:
        CallFailed: what it retrieved cannot be read.
    """
    told = span.attributes
    role = _role(told)
    if role is None:
        return None
    return Operation(
        span,
        role,
        questions=tuple(dict.fromkeys((*_asked_by_messages(told), *questions(told.get("input.value"))))),
        output=_output(told, role),
        documents=_documents(told, role),
        input_tokens=told.get("llm.token_count.prompt"),
        output_tokens=told.get("llm.token_count.completion"),
    )


def _role(told: Attributes) -> Role | None:
    kind = _kind(told)
    if kind is not None:
        return _ROLES[kind]
    for role, name in _DOCUMENTS.items():
        if numbered(told, name):
            return role
    return Role.STEP if "input.value" in told or "output.value" in told else None


def _kind(told: Attributes) -> str | None:
    kinds = (str(told[name]).upper() for name in _KIND if name in told)
    return next((kind for kind in kinds if kind in _ROLES), None)


def _asked_by_messages(told: Attributes) -> tuple[str, ...]:
    said = [
        message
        for message in numbered(told, "llm.input_messages")
        if message.get("message.role") in ("user", "human")
    ]
    return (_message(said[-1]),) if said and _message(said[-1]) else ()


def _output(told: Attributes, role: Role) -> JsonValue:
    """Return what a span puts out; of a model the message: its value may be a provider's whole reply."""
    if role is Role.MODEL:
        spoken = [text for message in numbered(told, "llm.output_messages") if (text := _message(message))]
        if spoken:
            return spoken[0]
    value = told.get("output.value")
    return as_json(value) if isinstance(value, str) else value


def _message(message: dict[str, JsonValue]) -> str:
    content = message.get("message.content")
    if isinstance(content, str):
        return content
    contents = numbered(message, "message.contents")
    return "".join(text_of(part.get("message_content.text", "")) for part in contents)


def _documents(told: Attributes, role: Role) -> tuple[Parts, ...] | None:
    if role not in _DOCUMENTS:
        return None
    name = _DOCUMENTS[role]
    documents = numbered(told, name)
    if documents:
        return tuple(_document(document) for document in documents)
    value = told.get("output.value")
    listed = as_json(value) if isinstance(value, str) else value
    if isinstance(listed, list):
        return tuple(parts(item, f"output.value[{index}]") for index, item in enumerate(listed))
    return () if listed in (None, "") else None


def _document(fields: dict[str, JsonValue]) -> Parts:
    metadata = fields.get("document.metadata")
    return Parts(
        id=fields.get("document.id"),
        text=fields.get("document.content"),
        score=fields.get("document.score"),
        metadata=as_json(metadata) if isinstance(metadata, str) and metadata.strip() else metadata or None,
    )
