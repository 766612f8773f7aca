"""Chat messages and other inputs and outputs of a step: the text in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from ragproof.adapters.calling.arguments import QUESTION_NAMES
from ragproof.adapters.recorded.attributes import as_json

_USERS = frozenset({"user", "human"})


def questions(value: JsonValue) -> Iterator[str]:
    """Yield every text that an input may mean as its question: itself, and what is in it by name or role."""
    if isinstance(value, str):
        if value.strip():
            yield value
        value = as_json(value)
    if isinstance(value, dict):
        for name, entry in value.items():
            if name in QUESTION_NAMES and isinstance(entry, str):
                yield entry
        yield from questions_in(value.get("messages"))
    else:
        yield from questions_in(value)


def questions_in(messages: JsonValue) -> Iterator[str]:
    """Yield the text of the last message of the user, if there is one."""
    said = [message for message in _listed(messages) if role(message) in _USERS]
    if said and (text := text_of(said[-1])):
        yield text


def last_text(messages: JsonValue) -> str | None:
    """Return the text of the last message that has some."""
    texts = [text for message in _listed(messages) if (text := text_of(message))]
    return texts[-1] if texts else None


def role(message: JsonValue) -> str | None:
    """Return who said a message."""
    found = message.get("role", message.get("type")) if isinstance(message, dict) else None
    return found if isinstance(found, str) else None


def text_of(message: JsonValue) -> str:
    """Return the text of a message; what is none (a call of a tool, a thought, a picture) is left out."""
    if isinstance(message, str):
        return message
    if isinstance(message, list):
        return "".join(text_of(part) for part in message)
    if not isinstance(message, dict) or message.get("type", "text") in ("reasoning", "thinking"):
        return ""
    inner = next((message[name] for name in ("parts", "content", "text") if message.get(name)), "")
    return text_of(inner) if isinstance(inner, str | list) else ""


def _listed(messages: JsonValue) -> Sequence[JsonValue]:
    if isinstance(messages, str):
        messages = as_json(messages)
    return messages if isinstance(messages, list) else []
