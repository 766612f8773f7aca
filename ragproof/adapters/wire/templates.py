"""Placeholders in a request: `{question}`, `{k}`, `{case_id}` and `{history}`, filled in one pass.

What is filled in is never looked at again, so a question that contains `{k}` is sent as it is. `{{` and `}}`
are literal braces. False friend: `str.format`, which would run `{question.__class__}` of a template.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote

from pydantic import JsonValue

from ragproof.adapters.adapter import Question
from ragproof.errors import nearest

QUESTION, K, CASE_ID, HISTORY = "question", "k", "case_id", "history"
NAMES = (QUESTION, K, CASE_ID, HISTORY)
_TOKEN = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


@dataclass(frozen=True)
class Placeholder:
    """A place in a template that data goes to."""

    name: str


Parts = tuple[str | Placeholder, ...]


@lru_cache(maxsize=256)
def compiled(template: str) -> Parts:
    """Split a template into literal text and placeholders.

    Raises:
        ValueError: a placeholder is unknown, or a brace stands alone.
    """
    parts: list[str | Placeholder] = []
    end = 0
    for token in _TOKEN.finditer(template):
        parts.append(template[end : token.start()])
        end = token.end()
        name = token[1]
        if token[0] in ("{{", "}}"):
            parts.append(token[0][0])
        elif name in NAMES:
            parts.append(Placeholder(name))
        elif name is None:
            raise ValueError(f"'{token[0]}' stands alone; write '{token[0] * 2}' for a literal brace")
        else:
            hint = nearest(name, NAMES) or f"; expected {', '.join(NAMES)}, or '{{{{' for a literal brace"
            raise ValueError(f"no placeholder is named '{name}'{hint}")
    parts.append(template[end:])
    return tuple(part for part in parts if part != "")


def placeholders(value: JsonValue) -> frozenset[str]:
    """Return the names of the placeholders in a template, or in every text of a JSON value.

    Raises:
        ValueError: what is wrong with every template in it.
    """
    found: set[str] = set()
    faults: list[str] = []
    for template in _texts(value):
        try:
            found |= {part.name for part in compiled(template) if isinstance(part, Placeholder)}
        except ValueError as error:
            faults.append(str(error))
    if faults:
        raise ValueError("; ".join(dict.fromkeys(faults)))
    return frozenset(found)


@dataclass(frozen=True)
class Values:
    """What the placeholders stand for in one request."""

    question: Question

    def text(self, template: str, written: Callable[[str], str] = str) -> str:
        """Fill a template; `written` is applied to what is filled in, and to nothing else."""
        return "".join(
            part if isinstance(part, str) else written(self._as_text(part.name))
            for part in compiled(template)
        )

    def url(self, template: str) -> str:
        """Fill a URL: what is filled in is percent-encoded and stays one segment or one value."""
        return self.text(template, _percent_encoded)

    def json(self, value: JsonValue) -> JsonValue:
        """Fill every text of a JSON value; `{k}` alone becomes a number, `{history}` alone a list."""
        match value:
            case str():
                parts = compiled(value)
                if len(parts) == 1 and isinstance(parts[0], Placeholder):
                    return self._as_json(parts[0].name)
                return self.text(value)
            case list():
                return [self.json(entry) for entry in value]
            case dict():
                return {key: self.json(entry) for key, entry in value.items()}
            case _:
                return value

    def _as_json(self, name: str) -> JsonValue:
        if name == K:
            return self.question.k
        if name == HISTORY:
            return [turn.model_dump(mode="json") for turn in self.question.history]
        return self.question.text if name == QUESTION else self.question.case_id

    def _as_text(self, name: str) -> str:
        value = self._as_json(name)
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _texts(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for entry in value.values() if isinstance(value, dict) else value:
            yield from _texts(entry)


def _percent_encoded(text: str) -> str:
    encoded = quote(text, safe="", errors="replace")
    # A segment that is only dots would be taken for the parent folder, and change what is called.
    return encoded if encoded.strip(".") else encoded.replace(".", "%2E")
