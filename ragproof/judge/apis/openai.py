"""The chat completions API: OpenAI's, and that of the many servers that speak it."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from pydantic import JsonValue

from ragproof.judge.apis.api import NoReply, entry, joined, text, texts, tokens
from ragproof.judge.complaints import Subject
from ragproof.judge.config import JudgeConfig
from ragproof.judge.ladder import Structure, Terms
from ragproof.judge.metering import Answer
from ragproof.judge.rendered import Rendered


class OpenAiApi:
    """`POST {base_url}/chat/completions`."""

    steps = (Structure.JSON_SCHEMA, Structure.JSON_OBJECT, Structure.PROMPT)
    optional = frozenset(Subject)

    def url(self, config: JudgeConfig) -> str:
        """Return where calls go; a query (Azure's `api-version`) stays."""
        return joined(config.home, "/chat/completions")

    def headers(self, config: JudgeConfig, key: str) -> Mapping[str, str]:
        """Return the headers of a call; Azure has a header of its own for keys."""
        if not key:
            return {}
        if (urlsplit(config.home).hostname or "").endswith(".azure.com"):
            return {"api-key": key}
        return {"authorization": f"Bearer {key}"}

    def body(
        self, config: JudgeConfig, prompt: Rendered, terms: Terms, fault: str | None
    ) -> dict[str, JsonValue]:
        """Return what is sent."""
        limit = "max_completion_tokens" if terms.renamed_limit else "max_tokens"
        with_schema = terms.structure is not Structure.JSON_SCHEMA
        return {
            "model": config.model,
            "messages": [
                {"role": "system", "content": prompt.system_message(with_schema=with_schema)},
                {"role": "user", "content": prompt.user_message(fault)},
            ],
            limit: terms.limit(config.max_tokens, prompt.room(config.max_tokens)),
            **({"temperature": config.temperature} if terms.temperature else {}),
            **_response_format(prompt, terms.structure),
        }

    def answer(self, body: JsonValue) -> Answer:
        """Find the reply of the first choice."""
        choices = entry(body, "choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        message = entry(choice, "message")
        if not isinstance(message, dict):
            raise NoReply("the response has no choices with a message")
        return Answer(
            text=texts(message.get("content"), ("text", "output_text")),
            finish_reason=text(entry(choice, "finish_reason")),
            model=text(entry(body, "model")),
            refusal=text(message.get("refusal")),
            usage=tokens(entry(body, "usage"), ("prompt_tokens",), "completion_tokens"),
        )


def _response_format(prompt: Rendered, structure: Structure) -> dict[str, JsonValue]:
    match structure:
        case Structure.JSON_SCHEMA:
            named: JsonValue = {"name": prompt.kind.value, "strict": True, "schema": prompt.reply_schema}
            return {"response_format": {"type": "json_schema", "json_schema": named}}
        case Structure.JSON_OBJECT:
            return {"response_format": {"type": "json_object"}}
        case Structure.PROMPT:
            return {}
