"""Spans by the GenAI semantic conventions of OpenTelemetry (1.41.0, and those of its own repository, 0.1.0):
`gen_ai.operation.name`, `gen_ai.input.messages`, `gen_ai.output.messages`, `gen_ai.retrieval.documents`,
`gen_ai.usage`.

Older names are read too: `gen_ai.prompt` and `gen_ai.completion` (1.27), whole or numbered, and
`gen_ai.usage.prompt_tokens`.
"""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import JsonValue

from ragproof.adapters.reading.chunks import Parts, parts
from ragproof.adapters.recorded.attributes import Attributes, as_json, numbered
from ragproof.adapters.recorded.messages import last_text, questions, questions_in
from ragproof.adapters.recorded.operations import Operation, Role
from ragproof.adapters.recorded.spans import Span

_ROLES = {
    "chat": Role.MODEL,
    "text_completion": Role.MODEL,
    "generate_content": Role.MODEL,
    "retrieval": Role.RETRIEVER,
    "embeddings": Role.ASIDE,
    "execute_tool": Role.ASIDE,
}
"""Any other operation (invoke_agent, invoke_workflow) is a step."""
_DOCUMENTS = "gen_ai.retrieval.documents"
_OF_MODELS = ("gen_ai.usage.", "gen_ai.completion", "gen_ai.output.messages", "gen_ai.request.model")


def operation(span: Span) -> Operation | None:
    """Read a span; None when it does not follow the convention.

    Raises:
        CallFailed: what it retrieved cannot be read.
    """
    told = span.attributes
    if not any(name.startswith("gen_ai.") for name in told):
        return None
    role = _role(told)
    return Operation(
        span,
        role,
        questions=tuple(dict.fromkeys(_questions(told))),
        output=_output(told),
        documents=_documents(told) if role is Role.RETRIEVER else None,
        input_tokens=told.get("gen_ai.usage.input_tokens", told.get("gen_ai.usage.prompt_tokens")),
        output_tokens=told.get("gen_ai.usage.output_tokens", told.get("gen_ai.usage.completion_tokens")),
    )


def _role(told: Attributes) -> Role:
    name = told.get("gen_ai.operation.name")
    if isinstance(name, str):
        return _ROLES.get(name, Role.STEP)
    if any(key.startswith("gen_ai.retrieval.") for key in told):
        return Role.RETRIEVER
    return Role.MODEL if any(key.startswith(_OF_MODELS) for key in told) else Role.STEP


def _questions(told: Attributes) -> Iterator[str]:
    query = told.get("gen_ai.retrieval.query.text")
    if isinstance(query, str) and query.strip():
        yield query
    yield from questions_in(told.get("gen_ai.input.messages"))
    yield from questions_in([*numbered(told, "gen_ai.prompt")])
    yield from questions(told.get("gen_ai.prompt"))


def _output(told: Attributes) -> JsonValue:
    completion = told.get("gen_ai.completion")
    return (
        last_text(told.get("gen_ai.output.messages"))
        or last_text([*numbered(told, "gen_ai.completion")])
        or last_text(completion)
        or completion
    )


def _documents(told: Attributes) -> tuple[Parts, ...] | None:
    value = told.get(_DOCUMENTS)
    listed = as_json(value) if isinstance(value, str) else value
    if not isinstance(listed, list):
        return None
    return tuple(parts(item, f"{_DOCUMENTS}[{index}]") for index, item in enumerate(listed))
